// SPDX-License-Identifier: MIT
// How large a piece of a rock must be to stand for it: permeabilities of many sub-volumes.
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <memory>

#include "app/commands.hpp"
#include "cli/log.hpp"
#include "cli/output_folder.hpp"
#include "cli/pace.hpp"
#include "cli/streams.hpp"
#include "lattice/errors.hpp"
#include "machine/gpu_start.hpp"
#include "machine/seconds_since.hpp"
#include "permeability/permeability_options.hpp"
#include "permeability/rev_report.hpp"
#include "permeability/sub_volumes.hpp"
#include "plan/worker_plan.hpp"
#include "run/interrupt.hpp"
#include "run/performance.hpp"
#include "run/provenance.hpp"

namespace tessera {
namespace {

struct RevOptions {
  PermeabilityOptions flow;  ///< those of its options that are offered here
  std::vector<std::int64_t> edges;
  std::int64_t samples = 20;
  std::uint64_t seed = 1;

  void add_to(CLI::App& command) {
    flow.image.add_to(command);
    command.option_defaults()->group("Sub-volumes");
    command.add_option("--edges", edges, "Edges of the cubes in voxels: 50,100,200")
        ->delimiter(',')
        ->required();
    command.add_option("--samples", samples, "Cubes of each edge")->capture_default_str();
    command.add_option("--seed", seed, "Chooses where they are")->capture_default_str();
    flow.add_to_solve(command, "Each cube");
  }

  PermeabilityCase asked() const {
    if (samples < 1 || samples > 100'000)
      throw BadInput(fmt::format("--samples {}: expected 1 to 100000", samples));
    for (std::int64_t const edge : edges) {
      if (edge < 2) throw BadInput(fmt::format("--edges {}: expected 2 or more", edge));
    }
    return flow.asked_to_solve();
  }
};

/// How far it is, for people.
class RevProgress {
 public:
  RevProgress(std::size_t all, bool quiet) : all_(all), quiet_(quiet) {}
  ~RevProgress() {
    if (!quiet_) say(pace_.end());
  }
  RevProgress(RevProgress const&) = delete;
  RevProgress& operator=(RevProgress const&) = delete;

  void note(SubVolumeAnswer const& answer) {
    ++done_;
    if (!answer.answered()) {
      Int3 const at = answer.where.lower;
      spdlog::warn("{}^3 at {},{},{} along {}: {}", answer.where.edge, at.x, at.y, at.z,
                   name_of(answer.axis), answer.failure);
    }
    if (quiet_ || !pace_.is_due()) return;
    double const left =
        seconds_since(start_) * static_cast<double>(all_ - done_) / static_cast<double>(done_);
    say(pace_.line(fmt::format("{} of {} sub-volumes, about {:.0f} s left", done_, all_, left)));
  }

 private:
  std::size_t all_;
  std::size_t done_ = 0;
  bool quiet_;
  Pace pace_ = Pace::of_standard_error();
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

Json results_of(RevOptions const& options, ImageResult const& image, double porosity,
                std::vector<RevStatistics> const& statistics, double seconds) {
  Json json{
      {"image", to_json(image)},
      {"porosity", porosity},
      {"rev",
       {{"edges", options.edges},
        {"samples", options.samples},
        {"seed", options.seed},
        {"setup", options.flow.mirror ? "mirrored" : "sealed"},
        {"buffer_layers", options.flow.mirror ? Json(nullptr) : Json(options.flow.buffer_layers)},
        {"precision", options.flow.precision},
        {"tolerance", options.flow.tolerance},
        {"seconds", seconds},
        {"statistics", Json::array()}}},
      {"warnings", warnings_given()},
      {"software", to_json(software_result())}};
  for (RevStatistics const& s : statistics)
    json["rev"]["statistics"].push_back(to_json(s, image.voxel_size_m));
  return json;
}

int rev(RevOptions const& options) {
  PermeabilityCase const asked = options.asked();
  std::vector<Axis> const axes = parse_axes(options.flow.axis);
  std::optional<double> const voxel_size_m = options.flow.voxel_size_m();
  WorkersAsked const workers_wanted = workers_asked(options.flow.gpus, options.flow.cores);
  check_workers(workers_wanted);
  std::jthread gpu = options.flow.gpus == 0 ? std::jthread() : start_gpu();
  Image const image = options.flow.image.read();
  Geometry const geometry = label_pores(image, options.flow.image.rule());
  std::vector<std::int64_t> edges = options.edges;
  std::ranges::sort(edges);
  std::vector<SubVolume> parts;
  for (std::int64_t const edge : edges) {
    auto const chosen = choose_sub_volumes(geometry.shape, edge, options.samples, options.seed);
    if (static_cast<std::int64_t>(chosen.size()) < options.samples)
      spdlog::warn("--edges {}: there is only one such cube in the image", edge);
    parts.insert(parts.end(), chosen.begin(), chosen.end());
  }
  Interrupt const interrupt;
  OutputFolder const folder(options.flow.out);
  if (gpu.joinable()) gpu.join();
  Workers const workers =
      plan_workers(workers_wanted, geometry.pore_voxels(), asked.precision).workers;

  auto const start = std::chrono::steady_clock::now();
  std::vector<SubVolumeAnswer> answers;
  {
    RevProgress progress(parts.size() * axes.size(), options.flow.quiet);
    answers = answer_sub_volumes(geometry, parts, axes, asked, workers, Interrupt::requested(),
                                 [&](SubVolumeAnswer const& a) { progress.note(a); });
  }
  double const seconds = seconds_since(start);
  bool const all_there = answers.size() == parts.size() * axes.size();
  if (!all_there)
    spdlog::warn("stopped after {} of {} sub-volumes", answers.size(), parts.size() * axes.size());
  ImageResult const read = image_result(image, options.flow.image, voxel_size_m);
  std::vector<RevStatistics> const statistics = statistics_of(answers);
  write_json(folder.path() / "results.json",
             results_of(options, read, geometry.porosity(), statistics, seconds));
  write_rev_csv(folder.path() / "rev.csv", answers, voxel_size_m);
  write_rev_chart(folder.path() / "rev.svg", read.path, answers, voxel_size_m);
  if (!options.flow.quiet) {
    print_all([&] {
      print_rev(statistics, voxel_size_m);
      fmt::print("{} sub-volumes in {:.3g} s; written to {}\n", answers.size(), seconds,
                 folder.path().string());
    });
  }
  bool const answered = std::ranges::all_of(answers, &SubVolumeAnswer::answered);
  return all_there && answered ? done : not_converged;
}

}  // namespace

Command add_rev_command(CLI::App& command) {
  auto const options = std::make_shared<RevOptions>();
  options->add_to(command);
  return [options] {
    set_up_log(options->flow.verbosity());
    survive_broken_pipes();
    return rev(*options);
  };
}

}  // namespace tessera

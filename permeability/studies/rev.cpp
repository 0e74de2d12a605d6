// SPDX-License-Identifier: MIT
#include "permeability/studies/rev.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>

#include "base/errors.hpp"
#include "base/machine/seconds_since.hpp"
#include "io/json.hpp"
#include "io/results/results_json.hpp"
#include "run/cli/log.hpp"
#include "run/performance.hpp"
#include "run/plan/worker_plan.hpp"
#include "run/provenance.hpp"

namespace tessera {

void RevOptions::add_to(CLI::App& command) {
  flow.image.add_to(command);
  command.option_defaults()->group("Sub-volumes");
  command.add_option("--edges", edges, "Edges of the cubes in voxels: 50,100,200")
      ->delimiter(',')
      ->required();
  command.add_option("--samples", samples, "Cubes of each edge")->capture_default_str();
  command.add_option("--seed", seed, "Chooses where they are")->capture_default_str();
  flow.add_to_solve(command, "Each cube");
}

PermeabilityCase RevOptions::asked() const {
  if (samples < 1 || samples > 100'000)
    throw BadInput(fmt::format("--samples {}: expected 1 to 100000", samples));
  for (std::int64_t const edge : edges) {
    if (edge < 2) throw BadInput(fmt::format("--edges {}: expected 2 or more", edge));
  }
  check_workers(workers_asked(flow.gpus, flow.cores));
  return flow.asked_to_solve();
}

RevStudy::RevStudy(RevOptions const& options, Image const& image)
    : options_(options),
      asked_(options.asked()),
      axes_(parse_axes(options.flow.axis)),
      image_(image_result(image, options.flow.image, options.flow.voxel_size_m())),
      geometry_(label_pores(image, options.flow.image.rule())) {
  std::vector<std::int64_t> edges = options.edges;
  std::ranges::sort(edges);
  for (std::int64_t const edge : edges) {
    auto const chosen = choose_sub_volumes(geometry_.shape, edge, options.samples, options.seed);
    if (static_cast<std::int64_t>(chosen.size()) < options.samples)
      log_warning("--edges {}: there is only one such cube in the image", edge);
    parts_.insert(parts_.end(), chosen.begin(), chosen.end());
  }
}

void RevStudy::run(std::atomic<bool> const& stop,
                   std::function<void(SubVolumeAnswer const&)> const& note) {
  Workers const workers = plan_workers(workers_asked(options_.flow.gpus, options_.flow.cores),
                                       geometry_.pore_voxels(), asked_.precision)
                              .workers;
  auto const start = std::chrono::steady_clock::now();
  answers_ = answer_sub_volumes(geometry_, parts_, axes_, asked_, workers, stop,
                                [&](SubVolumeAnswer const& a) {
                                  note(a);
                                  if (a.answered()) return;
                                  Int3 const at = a.where.lower;
                                  log_warning("{}^3 at {},{},{} along {}: {}", a.where.edge, at.x,
                                              at.y, at.z, name_of(a.axis), a.failure);
                                });
  seconds_ = seconds_since(start);
  if (answers_.size() != sub_volumes())
    log_warning("stopped after {} of {} sub-volumes", answers_.size(), sub_volumes());
}

bool RevStudy::complete() const {
  return answers_.size() == sub_volumes() &&
         std::ranges::all_of(answers_, &SubVolumeAnswer::answered);
}

Json RevStudy::results() const {
  PermeabilityOptions const& flow = options_.flow;
  Json json{{"image", to_json(image_)},
            {"porosity", geometry_.porosity()},
            {"rev",
             {{"edges", options_.edges},
              {"samples", options_.samples},
              {"seed", options_.seed},
              {"setup", flow.mirror ? "mirrored" : "sealed"},
              {"buffer_layers", flow.mirror ? Json(nullptr) : Json(flow.buffer_layers)},
              {"precision", flow.precision},
              {"tolerance", flow.tolerance},
              {"seconds", seconds_},
              {"statistics", Json::array()}}},
            {"warnings", warnings_given()},
            {"software", to_json(software_result())}};
  for (RevStatistics const& s : statistics())
    json["rev"]["statistics"].push_back(to_json(s, image_.voxel_size_m));
  return json;
}

}  // namespace tessera

// SPDX-License-Identifier: MIT
// `tessera tune`: a short search for the size of tiles and the window, kept for later runs.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <memory>
#include <vector>

#include "base/errors.hpp"
#include "base/machine/median.hpp"
#include "geometry/generate.hpp"
#include "interfaces/cli/values.hpp"
#include "interfaces/commands/commands.hpp"
#include "run/plan/hybrid_flow.hpp"
#include "run/plan/kept_figures.hpp"
#include "run/plan/tile_count.hpp"
#include "run/plan/worker_plan.hpp"

namespace tessera {
namespace {

struct TuneOptions {
  int gpus = -1;
  std::string precision = "single";
  std::int64_t size = 0;
  double seconds = 0.4;
};

struct Trial {
  std::int64_t nodes_per_tile = 0;
  int window = 0;
  double mflups = 0;
};

/// The first of the trials that is as fast as any, but for noise.
Trial const& first_of_the_best(std::vector<Trial> const& trials) {
  constexpr double noise = 0.02;
  double const best = std::ranges::max(trials, {}, &Trial::mflups).mflups;
  return *std::ranges::find_if(trials,
                               [&](Trial const& t) { return t.mflups >= (1 - noise) * best; });
}

class Search {
 public:
  explicit Search(TuneOptions const& options)
      : seconds_(options.seconds), precision_(parse_precision(options.precision)) {
    workers_.gpus = static_cast<unsigned>(choose_gpus(options.gpus));
    workers_.cores = workers_.gpus > 0 ? 1 : cores_present();
    std::int64_t const edge = options.size > 0 ? options.size : on_gpus() ? 512 : 224;
    rock_ = overlapping_spheres({edge, edge, edge}, 14, 0.3, 7).geometry;
  }

  int run() {
    fmt::print("nodes a tile  tiles  window    MFLUPS\n");
    // Small tiles first: they balance better, and take less memory for second lattices.
    std::vector<std::int64_t> const sizes =
        on_gpus() ? std::vector<std::int64_t>{1'000'000, 2'000'000, 4'000'000, 8'000'000}
                  : std::vector<std::int64_t>{50'000, 100'000, 200'000, 400'000, 800'000};
    std::vector<Trial> trials;
    trials.reserve(sizes.size());
    for (std::int64_t const nodes : sizes) trials.push_back(measure(nodes, TilesAsked{}.window));
    std::int64_t const nodes_per_tile = first_of_the_best(trials).nodes_per_tile;
    std::vector<Trial> const windows{measure(nodes_per_tile, 2), measure(nodes_per_tile, 4),
                                     measure(nodes_per_tile, 8)};
    int const window = first_of_the_best(windows).window;
    fmt::print("best: {} nodes a tile, window {}\n", nodes_per_tile, window);
    if (!keep_tuning(on_gpus(), precision_, nodes_per_tile, window)) {
      throw EnvironmentError(fmt::format("{} cannot be written: the figures are not kept",
                                         kept_figures_file().string()));
    }
    fmt::print("kept in {}\n", kept_figures_file().string());
    return done;
  }

 private:
  bool on_gpus() const { return workers_.gpus > 0; }

  Trial measure(std::int64_t nodes_per_tile, int window) {
    HybridCase hybrid = hybrid_case(rock_, precision_, workers_);
    hybrid.nodes_per_tile = nodes_per_tile;
    hybrid.window = window;
    HybridFlow flow(hybrid);
    flow.run(seconds_);  // warm
    Trial const trial{nodes_per_tile, window,
                      median({flow.run(seconds_), flow.run(seconds_), flow.run(seconds_)})};
    fmt::print("{:12} {:6} {:7} {:9.1f}\n", nodes_per_tile, flow.tiles(), window, trial.mflups);
    std::fflush(stdout);
    return trial;
  }

  double seconds_;
  Precision precision_;
  Workers workers_;
  Geometry rock_;
};

}  // namespace

Command add_tune_command(CLI::App& command) {
  auto const o = std::make_shared<TuneOptions>();
  command.add_option("--gpus", o->gpus, "GPUs to tune for; 0: cores (default: all there are)");
  command.add_option("--precision", o->precision, "half, single or double")->capture_default_str();
  command.add_option("--size", o->size, "Edge of the rock in voxels (default: 512, on cores 224)");
  command.add_option("--seconds", o->seconds, "Time of one repeat")->capture_default_str();
  return [o] {
    if (o->size != 0 && o->size < 32)
      throw BadInput(fmt::format("--size {}: expected 32 or more", o->size));
    require_positive("seconds", o->seconds);
    return Search(*o).run();
  };
}

}  // namespace tessera

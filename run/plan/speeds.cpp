// SPDX-License-Identifier: MIT
#include "run/plan/speeds.hpp"

#include <fmt/format.h>

#include <string>

#include "geometry/generate.hpp"
#include "graph/runtime/runtime.hpp"
#include "run/plan/hybrid_flow.hpp"
#include "run/plan/kept_figures.hpp"

namespace tessera {
namespace {

/// Fluid nodes a second in a rock of so many voxels an edge: large enough to fill the workers,
/// small enough for a second.
double measure(Workers const& workers, Precision precision, std::int64_t edge) {
  Geometry const rock = overlapping_spheres({edge, edge, edge}, 14, 0.3, 7).geometry;
  HybridFlow flow(hybrid_case(rock, precision, workers));
  flow.run(0.1);  // first touch of memory, plans
  return flow.run(0.4) * 1e6;
}

std::string key_of_cores(unsigned cores, Precision precision) {
  return figure_key(fmt::format("{} cores", cores), precision);
}

}  // namespace

Speeds speeds_of_machine(unsigned cores, unsigned gpus, Precision precision) {
  Speeds speeds;
  if (cores > 0) {
    speeds.cores = kept_or_measured(key_of_cores(cores, precision), [&] {
      return measure({.cores = cores, .gpus = 0}, precision, 192);
    });
  }
  if (gpus > 0) {
    speeds.gpu = kept_or_measured(figure_key(Runtime::gpu_name(), precision),
                                  [&] { return measure({.cores = 1, .gpus = 1}, precision, 384); });
  }
  return speeds;
}

Speeds kept_speeds(unsigned cores, unsigned gpus, Precision precision) {
  Speeds speeds;
  if (cores > 0) speeds.cores = kept_figure(key_of_cores(cores, precision)).value_or(0);
  if (gpus > 0) speeds.gpu = kept_figure(figure_key(Runtime::gpu_name(), precision)).value_or(0);
  return speeds;
}

}  // namespace tessera

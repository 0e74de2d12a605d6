// SPDX-License-Identifier: MIT
#include "run/plan/speeds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "base/machine/copy_bandwidth.hpp"
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

template <class Copy>
double fastest_copy(std::string const& key, bool anew, Copy const& copy) {
  if (!anew) return kept_or_measured(key, copy);
  double const most = std::max(copy(), kept_figure(key).value_or(0));
  keep_figure(key, most);
  return most;
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

double copy_of_cores(unsigned threads, unsigned processes, bool anew) {
  return fastest_copy(
      figure_key(fmt::format("copy by {} threads of {} processes", threads, processes)), anew,
      [threads] { return copy_on_cores(threads); });
}

double copy_of_gpu(bool anew) {
  return fastest_copy(figure_key("copy by " + Runtime::gpu_name()), anew, copy_on_gpu);
}

}  // namespace tessera

// SPDX-License-Identifier: MIT
// The sub-commands of `tessera bench` that measure the balance.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "app/workers.hpp"

namespace tessera {

struct HybridOptions {
  std::int64_t size = 0;
  double porosity = 0.3;
  std::string precision = "single";
  WorkersAsked workers;  ///< checked, as the mode wants them
  int tiles = 0;         ///< of all GPUs, or of all cores; 0: chosen
  int repeats = 0;
  double seconds = 0;
  std::string json;
};

/// GPUs alone, cores alone, both; and every share of the cores from none to all, beside the model
/// of Riesinger et al., Computation 5 (2017) 48: a step takes as long as the slower of the two.
int bench_hybrid(HybridOptions const& options);

/// Several GPUs, or cores alone (`workers.gpus` 0), of which one has to share its time from half of
/// the run on: what fixed and shared tiles make of the rest.
int bench_drift(HybridOptions const& options);

/// Cores alone, and the same number of tiles cut in four ways from three kinds of rock.
int bench_cuts(HybridOptions const& options);

/// Of the spheres in a cube: the usual one, or so small that there are enough of them.
inline double bench_radius(std::int64_t size) {
  return std::min(14.0, static_cast<double>(size) / 8);
}

}  // namespace tessera

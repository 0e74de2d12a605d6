// SPDX-License-Identifier: MIT
// The sub-commands of `tessera bench` that measure the balance.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "app/workers.hpp"

namespace tessera {

struct HybridOptions {
  std::int64_t size = 0;  ///< each mode has a usual one
  double porosity = 0.3;
  std::string precision = "single";
  WorkersAsked workers;
  int tiles = 0;  ///< of all GPUs if there are any, else of all cores; 0: chosen
  int repeats = 3;
  double seconds = 1;  ///< likewise
  std::string json;
};

/// GPUs alone, cores alone, both; and every share of the cores from none to all, beside the model
/// of Riesinger et al., Computation 5 (2017) 48: a step takes as long as the slower of the two.
int bench_hybrid(HybridOptions const& options);

/// Cores alone, of which one has to share its time from half of the run on: what fixed and shared
/// tiles make of the rest.
int bench_drift(HybridOptions const& options);

/// Cores alone, and the same number of tiles cut in four ways from three kinds of rock.
int bench_cuts(HybridOptions const& options);

/// One rock and one cut under each balance and scheduling policy, with tiles at a domain's border
/// first and without.
int bench_policies(HybridOptions const& options);

/// Of the spheres in a cube: the usual one, or so small that there are enough of them.
inline double bench_radius(std::int64_t size) {
  return std::min(14.0, static_cast<double>(size) / 8);
}

}  // namespace tessera

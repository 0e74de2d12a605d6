// SPDX-License-Identifier: MIT
// The sub-commands of `tessera bench` that measure the balance.
#pragma once

#include <cstdint>
#include <string>

#include "app/workers.hpp"

namespace tessera {

struct HybridOptions {
  std::int64_t size = 640;
  double porosity = 0.3;
  std::string precision = "single";
  WorkersAsked workers;
  int repeats = 3;
  double seconds = 1;
  std::string json;
};

/// GPUs alone, cores alone, both; and every share of the cores from none to all, beside the model
/// of Riesinger et al., Computation 5 (2017) 48: a step takes as long as the slower of the two.
int bench_hybrid(HybridOptions const& options);

}  // namespace tessera

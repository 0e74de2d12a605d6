// SPDX-License-Identifier: MIT
// Measuring long enough and often enough.
#pragma once

#include <cstdint>
#include <vector>

#include "base/machine/median.hpp"

namespace tessera {

/// Seconds of one sweep: the median of `repeats` runs, each of as many sweeps as take 50 ms at
/// least. run(sweeps) returns the seconds it took; finding that number warms up.
template <class Run>
double seconds_per_sweep(int repeats, Run&& run) {
  constexpr double long_enough = 0.05;
  std::int64_t sweeps = 1;
  while (run(sweeps) < long_enough) sweeps *= 2;
  std::vector<double> seconds;
  seconds.reserve(static_cast<std::size_t>(repeats));
  for (int r = 0; r < repeats; ++r) seconds.push_back(run(sweeps) / static_cast<double>(sweeps));
  return median(seconds);
}

}  // namespace tessera

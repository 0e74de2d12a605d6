// SPDX-License-Identifier: MIT
// How fast a rock of spheres flows on chosen workers, several times over.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "app/hybrid_flow.hpp"
#include "bench/hybrid_modes.hpp"
#include "bench/repeat.hpp"

namespace tessera {

/// Rates of one choice of workers.
struct Rates {
  std::vector<double> mflups;
  std::int64_t moves = 0;
  double imbalance = 0;

  double middle() const { return median(mflups); }
  /// Median (slowest, fastest).
  std::string text() const {
    return fmt::format("{:9.1f} ({:9.1f}, {:9.1f})", middle(), *std::ranges::min_element(mflups),
                       *std::ranges::max_element(mflups));
  }
};

class HybridBench {
 public:
  HybridBench(HybridOptions const& options, std::int64_t size);

  Rates measure(Workers const& workers, Balance balance, int repeats);
  /// Of the last measurement.
  std::int64_t nodes() const { return nodes_; }
  Geometry const& rock() const { return rock_; }

 private:
  HybridOptions const& options_;
  Geometry rock_;
  std::int64_t nodes_ = 0;
};

/// GPUs and cores, each alone.
struct Parts {
  Rates gpus;
  Rates cores;

  double sum() const { return gpus.middle() + cores.middle(); }
  /// What the cores add to it.
  double cores_share() const { return cores.middle() / sum(); }
};

/// Measures and prints the parts. The cores do so on a small rock: they need no more to be at their
/// speed, and it does not take minutes.
Parts measure_parts(HybridBench& bench, HybridBench& small, unsigned gpus, unsigned cores,
                    HybridOptions const& options);

/// The edge of that small rock.
inline std::int64_t enough_for_cores(std::int64_t size) {
  return std::min<std::int64_t>(size, 256);
}

}  // namespace tessera

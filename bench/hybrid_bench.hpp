// SPDX-License-Identifier: MIT
// How fast a rock of spheres flows on chosen workers, several times over.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "bench/modes/hybrid_modes.hpp"
#include "bench/repeat.hpp"
#include "run/plan/hybrid_flow.hpp"

namespace tessera {

/// What the workers of a domain did in the last repeat.
struct DomainUse {
  std::string name;
  std::size_t workers = 0;
  double mflups = 0;        ///< node updates that they computed
  double busy = 0;          ///< share of a worker's time
  double transferring = 0;  ///< share of a worker's time in which tasks wait for their data
  double tasks_a_step = 0;
};

/// Rates of one choice of workers.
struct Rates {
  std::vector<double> mflups;
  std::vector<DomainUse> uses;
  std::int64_t moves = 0;
  std::int64_t cuts = 0;
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
  /// Fluid nodes of the last measurement.
  std::int64_t nodes() const { return nodes_; }
  Geometry const& rock() const { return rock_; }

 private:
  HybridOptions const& options_;
  Geometry rock_;
  std::int64_t nodes_ = 0;
};

/// GPUs, with the core that drives them, or cores if there are none or `gpus` is 0. Throws BadInput
/// if both are asked for.
Workers gpus_or_cores(WorkersAsked const& asked);

/// A line for each domain.
void print_uses(std::vector<DomainUse> const& uses);

/// GPUs and cores, each alone.
struct Parts {
  Rates gpus;
  Rates cores;

  double sum() const { return gpus.middle() + cores.middle(); }
  /// Share of the cores in the sum.
  double cores_share() const { return cores.middle() / sum(); }
};

/// Measures and prints the parts. The cores do so on a small rock: they need no more to be at their
/// speed, and it does not take minutes.
Parts measure_parts(HybridBench& bench, HybridBench& small, unsigned gpus, unsigned cores,
                    HybridOptions const& options);

/// Edge of the small rock that measure_parts() needs for cores.
inline std::int64_t enough_for_cores(std::int64_t size) {
  return std::min<std::int64_t>(size, 256);
}

}  // namespace tessera

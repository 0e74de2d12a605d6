// SPDX-License-Identifier: MIT
// Who computes a steady equation, and what they say of their work.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace tessera {

/// Calls work(t) for all t of [0, number of threads), each on a thread of its own, and returns when
/// all are done.
using OnEachThread = std::function<void(std::function<void(int)> const& work)>;

enum class SteadyDevice : std::uint8_t { cores, gpu };

struct SteadyOptions {
  SteadyDevice device = SteadyDevice::cores;
  /// Numbers of the GPUs, if GPUs compute; none: the current one. They must reach each other's
  /// memory. The bits do not depend on how many there are.
  std::vector<int> gpus;
  /// GPUs: a thread that waits for one leaves its core to others, and goes on a little later.
  bool yields = false;
  int flows_beside = 0;  ///< GPUs: about how many other flows are computed on each at a time
  std::int64_t spread_above = 1 << 20;  ///< nodes or rows that are worth more GPUs than one
  /// Rows of a coarse level up to which it is small: all processes compute it, and its sums are
  /// rounded in another order.
  std::int64_t small_level = 1 << 17;
  int threads = 1;  ///< cores; no result depends on how many
  /// Cores: so many threads that are there already, for as long as the solver is called; none: the
  /// solver has threads of its own.
  OnEachThread on_each_thread;
};

/// What a process has sent and received so far.
struct RankTraffic {
  std::int64_t messages = 0;        ///< to processes whose nodes or rows are beside the own ones
  std::int64_t bytes = 0;           ///< in them
  std::int64_t gathers = 0;         ///< all-gathers: of sums, of small levels
  std::int64_t gathered_bytes = 0;  ///< that came here in them
};

/// Work of a core so far: passes, or parts of them, the nodes or rows in these, and its time.
struct CoreUse {
  std::int64_t passes = 0;
  std::int64_t items = 0;
  double busy_s = 0;
};

}  // namespace tessera

// SPDX-License-Identifier: MIT
// How busy workers and tiles have been from one look to the next.
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "base/box.hpp"
#include "insitu/frame.hpp"
#include "run/running_flow.hpp"

namespace tessera {

class FlowMonitor {
 public:
  /// Before each flow.
  void begin();
  /// The time until now is not the flow's.
  void leave_out_time() { looked_ = Clock::now(); }

  /// Collective: adds the speed and the imbalance of the workers since the look before to `row`.
  void add_work(RunningFlow const& flow, MonitorRow& row);
  /// Collective: this rank's tiles. They are numbered over all ranks, and their boxes begin at
  /// `lower`; a flow that is not on nodes has none.
  std::vector<TileRow> tiles(RunningFlow const& flow, Int3 lower);

 private:
  using Clock = std::chrono::steady_clock;

  // At the look before:
  Clock::time_point looked_;
  std::int64_t step_ = 0;
  std::vector<double> tiles_busy_;    ///< s
  std::vector<double> workers_busy_;  ///< s
};

}  // namespace tessera

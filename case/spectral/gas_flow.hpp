// SPDX-License-Identifier: MIT
// A gas that steps in time on the task graph, as a RunningFlow.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "case/spectral/gas_setup.hpp"
#include "case/spectral/gas_state.hpp"
#include "graph/runtime/runtime.hpp"
#include "graph/tile_graph.hpp"
#include "methods/spectral/spectral_method.hpp"
#include "run/fields/block_gathering.hpp"
#include "run/plan/workers.hpp"
#include "run/running_flow.hpp"

namespace tessera {

/// Where a run begins: at the initial state, or where an earlier run has ended.
struct GasStart {
  std::int64_t step = 0;
  spectral::Clock clock{};  ///< its step is 0 where it follows from the state
};

/// The number of the last step, if the file gives it, explicitly or by a fixed step.
std::optional<std::int64_t> last_step_of(GasCase const& c, GasStart const& start);
/// Whether a run begins where the case ends, for cases that end at a time and not after a number of
/// steps.
bool is_at_its_end(GasCase const& c, GasStart const& start);

class GasFlow : public RunningFlow {
 public:
  /// The set-up must outlive it; a Runtime must be there. Throws BadInput.
  GasFlow(GasCase const& c, GasSetup const& setup, Workers const& workers, GasStart const& start);

  std::int64_t steps() const override { return graph_.steps(); }
  void submit_steps(std::int64_t count) override { graph_.submit_steps(count); }
  void wait() override { graph_.wait(); }
  void restart_counters() override { Runtime::restart_counters(); }
  std::int64_t nodes() const override { return points_; }

  SavedSize saved_size() const override;
  void save(CheckpointWriter* writer) override;
  /// Restores the state of the GasStart that the flow was made with.
  void restore(std::int64_t step, CheckpointReader const& reader) override;

  /// Submits a measurement of the state after the last submitted step.
  void submit_measurement() { graph_.submit_measurement(); }
  /// All ranks: waits for the measurement of a step.
  spectral::GasMeasurement take_measurement(std::int64_t step) {
    return method_.take_measurement(step);
  }
  /// When the next step begins, and how long it is; waits for what it depends on.
  spectral::Clock next_clock() { return method_.clock(graph_.steps()); }
  /// The first step that ended at the time where the case ends, as far as that is known without
  /// waiting for the last steps. Whether it is known depends on the number of steps only. Steps
  /// after it take no time and change nothing.
  std::optional<std::int64_t> last_step();

  /// All ranks: waits for all tasks; rank 0 takes the state after the last submitted step. Returns
  /// whether it is a possible state of a gas.
  bool take_state(GasState& state);

  /// Number of tiles of this rank.
  std::size_t tiles() const { return method_.tiles().size(); }
  std::size_t bytes_in_use() const { return graph_.bytes_in_use(); }

  void put(std::int32_t pack, std::span<std::byte const> bytes, GasState& state) const;
  /// Waits for all tasks and gathers the packs on rank 0.
  void gather(BlockGathering::Take take);
  /// Waits for all tasks; adds the packs, tile by tile, to a gathering or a writing.
  template <class Blocks>
  void hand_out(Blocks& blocks);

  /// The packs of this rank, valid as long as its tiles stay: while there is a snapshot.
  std::vector<std::int32_t> own_packs() const;
  void submit_snapshots(std::size_t set) override;
  /// Waits for the snapshot in a set and takes it; the set is free then. May be called by another
  /// thread. Returns the bytes that were copied.
  std::int64_t take_snapshots(std::size_t set, GasState& state);
  std::vector<WorkClock::Use> worker_uses() const override { return graph_.worker_uses(); }
  BalanceReport const& balance_report() const { return graph_.balance_report(); }

 private:
  GasStart start_;
  std::optional<double> end_;  ///< time of the end, if the last step is found while running
  std::int64_t points_;
  std::int32_t packs_;
  std::int64_t numbers_ = 0;  ///< of all packs
  spectral::SpectralMethod method_;
  TileGraph graph_;
};

}  // namespace tessera

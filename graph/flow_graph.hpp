// SPDX-License-Identifier: MIT
// A flow as StarPU data and tasks: tiles, outboxes, steps, measurements, snapshots.
#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "codelets/block_populations.hpp"
#include "codelets/boundary_plan.hpp"
#include "codelets/collide_stream.hpp"
#include "codelets/measure.hpp"
#include "codelets/snapshot.hpp"
#include "graph/balancer.hpp"
#include "graph/data_handle.hpp"
#include "graph/domain.hpp"
#include "graph/rooms.hpp"
#include "graph/runtime.hpp"
#include "graph/step_order.hpp"
#include "graph/submit.hpp"
#include "lattice/equilibrium_populations.hpp"
#include "partition/boundaries.hpp"
#include "partition/tiling.hpp"

namespace tessera {

/// Makes tiles whose domains have these shares of the work; called on a thread of its own.
using CutAnew = std::function<Tiling(std::vector<double> const& shares)>;

/// What may change from step to step.
struct StepValues {
  double force[3] = {};                                     ///< per mass
  std::array<double, most_conditions> factor = all_ones();  ///< of boundary values, by condition

  static constexpr std::array<double, most_conditions> all_ones() {
    std::array<double, most_conditions> ones{};
    ones.fill(1);
    return ones;
  }
};

struct FlowOptions {
  Precision precision = Precision::double_precision;
  FlowModel model;
  FlowParameters parameters;
  CpuKernels const* kernels = &best_cpu_kernels();
  int window = 4;                    ///< steps in flight; in sweeps: waves
  int steps_per_sweep = 1;           ///< that a tile takes within a short time; see StepOrder
  std::optional<TileLevels> levels;  ///< for sweeps; else breadth-first
  /// Tiles that a GPU holds while they wait or take the steps of a sweep: then the others lie in
  /// main memory, and the graph says when tiles change places. 0: all that StarPU finds room for.
  std::int32_t rooms = 0;
  /// The tiles of part p of the cut begin in domain p (of fewer domains: p modulo their number).
  /// Empty: all cores.
  std::vector<Domain> domains;
  Balance balance = Balance::dynamic;
  /// Tiles beside another domain take their steps first. On an H200 with cores it costs 7 %: a GPU
  /// then waits for data that would have come in the meantime.
  bool border_first = false;
  Int3 average_lower;                            ///< voxels that averages are taken over;
  Int3 average_upper;                            ///< all zero means the whole image
  CutAnew cut_anew;                              ///< if the balance may ask for other tiles
  std::shared_ptr<Boundaries const> boundaries;  ///< none: plain walls
  /// What changes in time: asked once for each step. None: `parameters.force`, and factors of 1.
  std::function<StepValues(std::int64_t step)> values_at;
};

/// Samples by step, handed from the workers to whoever asks.
class SampleBoard {
 public:
  void put(Sample const& sample);
  /// Waits for the sample of a step that has been submitted, and takes it off the board.
  Sample take(std::int64_t step);

 private:
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::map<std::int64_t, Sample> samples_;
};

/// What a tile is doing.
struct TileReport {
  Int3 lower;  ///< box around its blocks
  Int3 upper;
  std::int64_t nodes = 0;
  std::int32_t domain = 0;
  std::int32_t worker = -1;  ///< that computed it last; -1: none yet
  double busy_s = 0;         ///< in its steps so far
};

/// Needs a Runtime. Keeps a reference to the tiling, even if it is cut anew.
class FlowGraph {
 public:
  FlowGraph(Tiling const& tiling, FlowOptions options);
  /// Waits for all tasks.
  ~FlowGraph();
  FlowGraph(FlowGraph const&) = delete;
  FlowGraph& operator=(FlowGraph const&) = delete;

  /// Submits the next step and, if more than the window is in flight, waits for the oldest.
  void submit_step() { submit_steps(1); }
  /// Submits the next steps, in sweeps.
  void submit_steps(std::int64_t count);
  /// Submits a measurement of the state after the last submitted step; it arrives on the board.
  void submit_measurement();
  /// The state after a step that is still to be submitted will be measured, too: tile by tile, as
  /// each has taken the step, so that no tile is fetched for it.
  void measure_at(std::int64_t step);
  std::int64_t steps() const { return steps_; }
  Sample take_sample(std::int64_t step) { return board_.take(step); }

  /// Submits a copy of density and velocity after the last submitted step, into one of two sets of
  /// buffers (0, 1). What the set held before must have been visited.
  void submit_snapshots(std::size_t set);
  /// Waits for the copies in a set: visit(voxel, tile, NodeState) for each fluid node. The set is
  /// free then. May be called by another thread than the one that submits, not by a task.
  template <class Visit>
  void visit_snapshots(std::size_t set, Visit&& visit);
  /// Both of these, for the last submitted step, whatever the two sets hold.
  template <class Visit>
  void visit_nodes(Visit&& visit) {
    submit_snapshots(own_set);
    visit_snapshots(own_set, std::forward<Visit>(visit));
  }

  /// Called for each tile, with room for its populations and what its boundaries remember.
  using VisitPopulations = std::function<void(Tile const& tile, BlockPopulations& populations)>;
  /// Waits for all tasks and hands out what the flow needs to go on after the last submitted step.
  /// Takes main memory for one tile more.
  void save(VisitPopulations const& visit);
  /// Waits for all tasks and goes on after `step` from what `fill` brings: the same bits as where
  /// it was saved, whatever the tiles were then. All snapshots must have been visited.
  void restore(std::int64_t step, VisitPopulations const& fill);

  /// Waits for all tasks and sets all nodes to equilibrium at a density and a velocity.
  void set_state(std::function<Moments(Int3 voxel)> const& state);

  /// What each tile is doing.
  std::vector<TileReport> tile_reports() const;

  /// What the balance has done so far.
  BalanceReport const& balance_report() const { return balancer_.report(); }
  /// What each worker has done so far.
  std::vector<WorkClock::Use> worker_uses() const { return balancer_.clock().uses(); }
  /// The tiles as they are now.
  Tiling const& tiling() const { return own_tiling_ ? *own_tiling_ : first_tiling_; }
  /// Waits for all tasks and goes on with other tiles of the same geometry. All snapshots must have
  /// been visited. Takes main memory for another lattice meanwhile. Throws BadInput, and changes
  /// nothing, if these tiles cannot run.
  void adopt(Tiling tiling);
  /// Moves a tile: from the next step on it is computed in that domain.
  void move_tile(std::int32_t tile, std::int32_t domain);

  /// Waits for all tasks, then changes the force per mass (lattice units) for the steps to come.
  void set_body_force(double const (&force)[3]);

  /// Waits for all tasks.
  void wait();
  /// Bytes in use for tiles, outboxes and sums, with the buffers kept for reuse: in the memories of
  /// all domains.
  std::size_t bytes_in_use() const;

 private:
  static constexpr std::size_t own_set = 2;

  /// What the graph keeps of a tile.
  struct TileData {
    std::vector<BlockWindow> block_windows;  ///< what `windows` reads
    std::int32_t domain = 0;
    Placement placement;
    DataHandle tables;
    std::array<DataHandle, 2>
        populations;  ///< by parity of the step; one lives, the other only during a task
    std::array<DataHandle, 2> outbox;  ///< by parity; none if the tile has no neighbour
    std::array<DataHandle, 2> sums;    ///< by parity of the measurement
    DataHandle windows;
    std::array<DataHandle, 3> states;             ///< by set; there while a snapshot is
    std::unique_ptr<BoundaryPlan> boundary_plan;  ///< what `boundaries` reads
    DataHandle boundaries;                        ///< none if there are but plain walls
    DataHandle entering;
    std::vector<double> remembered;         ///< by link: what `memory` keeps
    DataHandle memory;                      ///< none if nothing is
    std::array<DataHandle, 2> wall_forces;  ///< by parity of the step
    std::unique_ptr<PullPlan> plan = std::make_unique<PullPlan>();  ///< where `step` points to
    WorkClock::Ticket ticket;
    StepArguments step;
    MeasureArguments measure;
    SnapshotArguments snapshot;
  };

  StepOrder order_of(Tiling const& tiling) const;
  /// Throws BadInput for tiles that these domains cannot compute.
  void check_tiles(Tiling const& tiling) const;
  void add_tiles();
  void add_tile(Tile const& tile);
  Placement placement_in(std::int32_t domain, std::size_t tile, Balance balance) const;
  /// Says of all tiles where and how soon they are computed, now that their domains are known.
  void place_tiles();
  TileLoad load_of(std::size_t tile) const;
  /// Moves tiles, or has them cut anew, if the speeds measured lately say so.
  void balance();
  /// Begins to cut, while the flow goes on.
  void begin_cut(std::vector<double> const& shares);
  /// Goes on with the new tiles, as soon as they are there.
  void finish_cut();
  void refuse_cuts(std::string const& why);
  /// Takes the populations out of the tiles, which are no more then.
  BlockPopulations unload_tiles();
  /// Brings them into the tiles, which are new.
  void load_tiles(BlockPopulations& populations);
  void add_boundaries(TileData& data, Tile const& tile);
  void submit_unloading(std::size_t t, TransferArguments const& arguments);
  void submit_loading(std::size_t t, TransferArguments const& arguments);
  /// What boundaries remember goes with the populations.
  void unload_memory(std::size_t t, BlockPopulations& populations);
  void load_memory(std::size_t t, BlockPopulations const& populations);
  /// Of the step that leads from `step` to the next.
  Argument argument_of(TileData const& tile, std::int64_t step);
  void submit_initialisation();
  void submit_sweep(std::int32_t steps);
  void submit_tile_step(std::size_t t, std::int64_t step);
  void submit_measurement_of(std::size_t t, std::int64_t step, std::size_t slot);
  /// Sums up what has been measured of all tiles.
  void submit_collection(std::int64_t step, std::size_t slot);
  /// Of the measurements asked for, those of steps that all tiles have taken.
  void collect_measured();
  /// The steps that a sweep may take at most before what it measures is collected.
  std::int64_t steps_until_collecting() const;
  /// Where the sums of a step go; none if it is not to be measured.
  std::optional<std::size_t> slot_of(std::int64_t step) const;
  std::vector<std::int32_t> domain_of_tile() const;
  /// Of the waves of a sweep; none where all tiles fit.
  std::vector<std::vector<Exchange>> exchanges_in(Sweep const& sweep) const;
  /// One tile's populations, as they are after so many steps, leave the memory of its domain, and
  /// another's come.
  void submit_exchange_of(TileStep leaves, TileStep comes) const;
  static std::size_t parity(std::int64_t n) { return static_cast<std::size_t>(n & 1); }
  /// Waits for the copy of a tile in a set, which holds until it is released.
  NodeState const* acquire_states(std::size_t tile, std::size_t set);
  /// The memory is free then.
  void release_states(std::size_t tile, std::size_t set);

  Tiling const& first_tiling_;
  std::unique_ptr<Tiling const> own_tiling_;  ///< once it has been cut anew
  FlowOptions options_;
  std::vector<TileData> tiles_;
  std::vector<std::pair<std::int32_t, std::int32_t>> places_;  ///< of blocks, in global order
  std::vector<ForcePlace> force_places_;
  std::int64_t no_forces_before_ = 0;  ///< steps up to which the tiles have computed none
  SampleBoard board_;
  Balancer balancer_;
  StepOrder order_;
  std::int64_t steps_ = 0;
  StepValues values_;  ///< of the step below, if they change in time
  std::int64_t step_of_values_ = -1;
  std::int64_t measurements_ = 0;
  std::set<std::int64_t> to_measure_;   ///< steps still to come
  std::future<Tiling> next_tiling_;     ///< while it is being cut
  std::atomic<int> snapshots_out_ = 0;  ///< submitted and not yet visited
};

template <class Visit>
void FlowGraph::visit_snapshots(std::size_t set, Visit&& visit) {
  for (std::size_t t = 0; t < tiles_.size(); ++t) {
    NodeState const* const states = acquire_states(t, set);
    Tile const& tile = tiling().tiles[t];
    TileView const view = view_tables(tile.layout, tile.tables.data());
    for (std::size_t b = 0; b < tile.blocks.size(); ++b) {
      Int3 const origin = tiling().block_origins[static_cast<std::size_t>(tile.blocks[b])];
      for_each_node(view, b, [&](Int3 in_block, std::uint32_t node) {
        visit(origin + in_block, static_cast<std::int32_t>(t), states[node]);
      });
    }
    release_states(t, set);
  }
  --snapshots_out_;
}

}  // namespace tessera

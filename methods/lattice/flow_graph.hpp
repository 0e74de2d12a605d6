// SPDX-License-Identifier: MIT
// A flow on tiles: the lattice method, run by the task graph. Each of several processes has tiles
// of its own, and all call the same functions of the flow in the same order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "base/ranks/gathering.hpp"
#include "base/ranks/ranks.hpp"
#include "graph/tile_graph.hpp"
#include "methods/lattice/lattice_method.hpp"
#include "methods/lattice/node_pieces.hpp"

namespace tessera {

struct FlowOptions : GraphOptions, LatticeOptions {};

/// Activity of a tile.
struct TileReport {
  Int3 lower;  ///< box around its blocks
  Int3 upper;
  std::int64_t nodes = 0;
  std::int32_t domain = 0;
  std::int32_t worker = -1;  ///< that computed it last; -1: none yet
  double busy_s = 0;         ///< in its steps so far
};

/// A flow on tiles. Needs a Runtime. Keeps a reference to the tiling, even after repartitioning.
class FlowGraph {
 public:
  FlowGraph(Tiling const& tiling, FlowOptions options);

  /// Submits the next step and, if more than the window is in flight, waits for the oldest.
  void submit_step() { graph_.submit_steps(1); }
  /// Submits the next steps, in sweeps.
  void submit_steps(std::int64_t count) { graph_.submit_steps(count); }
  /// Submits a measurement of the state after the last submitted step; it arrives on the board.
  void submit_measurement() { graph_.submit_measurement(); }
  /// The state after a step that is still to be submitted will be measured, too: tile by tile, as
  /// each has taken the step, so that no tile is fetched for it.
  void measure_at(std::int64_t step) { graph_.measure_at(step); }
  /// Measures that state with the terms of the functional, which need the state before that step
  /// and the one after it. The model must have a functional.
  void measure_with_functional_at(std::int64_t step) {
    method_.take_functional_at(step);
    graph_.measure_at(step);
  }
  std::int64_t steps() const { return graph_.steps(); }
  /// All ranks: waits for the measurement of a step.
  Measurement take_measurement(std::int64_t step);

  /// Submits a copy of density and velocity after the last submitted step, into one of two sets of
  /// buffers (0, 1). What the set held before must have been visited.
  void submit_snapshots(std::size_t set);
  /// All ranks: waits for the copies in a set and calls visit(voxel, tile, NodeState) for each
  /// fluid node on rank 0. The set is free then. May be called by another thread than the
  /// submitting one, not by a task.
  template <class Visit>
  void visit_snapshots(std::size_t set, Visit&& visit);
  /// Waits for the copies in a set and visits the nodes of this rank's tiles only; tiles are
  /// numbered among those of all ranks. Not collective.
  template <class Visit>
  void visit_own_snapshots(std::size_t set, Visit&& visit);
  /// All ranks: takes a snapshot after the last submitted step and visits it on rank 0, whatever
  /// the two sets hold.
  template <class Visit>
  void visit_nodes(Visit&& visit) {
    submit_snapshots(own_set);
    visit_snapshots(own_set, std::forward<Visit>(visit));
  }
  /// Takes a snapshot after the last submitted step and visits the nodes of this rank only.
  template <class Visit>
  void visit_own_nodes(Visit&& visit) {
    submit_snapshots(own_set);
    visit_own_snapshots(own_set, std::forward<Visit>(visit));
  }
  /// Takes one more step and visits the means of the two states, which are free of the oscillation
  /// of odd and even steps. The two sets must have been visited.
  template <class Visit>
  void visit_means_of_two_steps(Visit&& visit);

  /// Called for each tile, with room for its populations and what its boundaries remember.
  using VisitPopulations = std::function<void(Tile const& tile, BlockPopulations& populations)>;
  /// Waits for all tasks and passes the state after the last submitted step to `visit`, tile by
  /// tile of this rank. Takes main memory for one tile more.
  void save(VisitPopulations const& visit);
  /// Waits for all tasks and continues after `step` from the state that `fill` reads: the same bits
  /// as where it was saved, whatever the tiles were then. All snapshots must have been visited.
  void restore(std::int64_t step, VisitPopulations const& fill);

  /// All ranks, after two steps at least: what messages between ranks cost can be measured by
  /// leaving them out. The flow is wrong from then on.
  void leave_messages_out(bool out) { method_.leave_messages_out(out); }

  /// Waits for all tasks and sets all nodes to equilibrium at a density and a velocity.
  void set_state(std::function<DensityAndVelocity(Int3 voxel)> const& state);
  /// Waits for all tasks, then changes the force per mass (lattice units) for the steps to come.
  void set_body_force(double const (&force)[3]);
  /// Waits for all tasks; from the next step on so much mass enters by each link of walls that may
  /// move, over the link's weight.
  void set_wall_supply(double supply);
  /// All ranks: sums over all links that end in walls that may move.
  WallTotals wall_totals() const { return method_.wall_totals(); }

  /// Activity of each tile.
  std::vector<TileReport> tile_reports() const;
  /// What the balance has done so far.
  BalanceReport const& balance_report() const { return graph_.balance_report(); }
  /// What each worker has done so far.
  std::vector<WorkClock::Use> worker_uses() const { return graph_.worker_uses(); }
  Precision precision() const { return method_.precision(); }
  /// The tiles as they are now.
  Tiling const& tiling() const { return method_.tiling(); }
  /// Waits for all tasks and continues with other tiles of the same geometry. All snapshots must
  /// have been visited. Takes main memory for another lattice meanwhile. Throws BadInput, and
  /// changes nothing, if these tiles cannot run.
  void adopt(Tiling tiling) { graph_.adopt(std::make_unique<NewTiling>(std::move(tiling))); }
  /// Moves a tile: from the next step on it is computed in that domain.
  void move_tile(std::int32_t tile, std::int32_t domain) { graph_.move_tile(tile, domain); }

  /// Waits for all tasks.
  void wait() { graph_.wait(); }
  /// Bytes in use for tiles, outboxes and sums, with the buffers kept for reuse: in the memories of
  /// all domains.
  std::size_t bytes_in_use() const { return graph_.bytes_in_use(); }

 private:
  static constexpr std::size_t own_set = LatticeMethod::snapshot_sets - 1;

  /// with_states(tile, take) calls take(state_of(node)) while the states are there; `visit` as in
  /// visit_snapshots().
  template <class WithStates, class Visit>
  void visit_tiles(WithStates&& with_states, Visit&& visit);
  /// visit_tiles() without the other ranks' tiles; not collective.
  template <class WithStates, class Visit>
  void visit_own_tiles(WithStates&& with_states, Visit&& visit);
  /// Calls `take` with the states of a tile in a set.
  template <class Take>
  void with_snapshot(std::size_t t, std::size_t set, Take const& take);

  LatticeMethod method_;
  TileGraph graph_;
};

template <class Take>
void FlowGraph::with_snapshot(std::size_t t, std::size_t set, Take const& take) {
  NodeState const* const states = method_.acquire_states(t, set);
  take([&](std::uint32_t node) { return states[node]; });
  method_.release_states(t, set);
}

template <class Visit>
void FlowGraph::visit_snapshots(std::size_t set, Visit&& visit) {
  visit_tiles([&](std::size_t t, auto const& take) { with_snapshot(t, set, take); }, visit);
  graph_.let_go_of_tiles();
}

template <class Visit>
void FlowGraph::visit_own_snapshots(std::size_t set, Visit&& visit) {
  visit_own_tiles([&](std::size_t t, auto const& take) { with_snapshot(t, set, take); }, visit);
  graph_.let_go_of_tiles();
}

template <class Visit>
void FlowGraph::visit_means_of_two_steps(Visit&& visit) {
  submit_snapshots(0);
  submit_step();
  submit_snapshots(1);
  visit_tiles(
      [&](std::size_t t, auto const& take) {
        NodeState const* const first = method_.acquire_states(t, 0);
        NodeState const* const second = method_.acquire_states(t, 1);
        take([&](std::uint32_t node) { return mean_of(first[node], second[node]); });
        method_.release_states(t, 0);
        method_.release_states(t, 1);
      },
      visit);
  for (int set = 0; set < 2; ++set) graph_.let_go_of_tiles();
}

template <class WithStates, class Visit>
void FlowGraph::visit_tiles(WithStates&& with_states, Visit&& visit) {
  Tiling const& all = tiling();
  if (Ranks::alone()) return visit_own_tiles(with_states, visit);
  Gathering gathering(all.tiles.size(),
                      [&](std::span<std::byte const> piece) { visit_nodes_of(piece, visit); });
  for (std::size_t t = 0; t < all.tiles.size(); ++t) {
    with_states(t, [&](auto const& state_of) {
      gathering.add(piece_of_nodes(all, all.tiles[t], all.number_of(t), state_of).bytes());
    });
  }
  gathering.finish();
}

template <class WithStates, class Visit>
void FlowGraph::visit_own_tiles(WithStates&& with_states, Visit&& visit) {
  Tiling const& own = tiling();
  for (std::size_t t = 0; t < own.tiles.size(); ++t) {
    with_states(t, [&](auto const& state_of) {
      for_each_node(own, own.tiles[t], [&](Int3 voxel, std::uint32_t node, std::size_t) {
        visit(voxel, own.number_of(t), state_of(node));
      });
    });
  }
}

}  // namespace tessera

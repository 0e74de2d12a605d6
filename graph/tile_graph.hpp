// SPDX-License-Identifier: MIT
// A method on tiles, run as StarPU tasks: in which order tiles take their stages, how many are in
// flight, where each is computed, what lies in a GPU's memory, and when tiles are repartitioned.
//
// Stages are submitted in waves (StepOrder). Nothing waits for them but the window: as soon as more
// than so many steps are in flight, the submitting thread waits for the oldest. Every datum is
// accessed in the order of submission, so no result depends on where or when a tile is computed.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "graph/balance/balancer.hpp"
#include "graph/balance/rank_meeting.hpp"
#include "graph/domain.hpp"
#include "graph/rooms.hpp"
#include "graph/step_order.hpp"
#include "graph/tasks/home.hpp"
#include "graph/tile_method.hpp"

namespace tessera {

struct GraphOptions {
  int window = 4;                    ///< steps in flight; in sweeps: waves
  int steps_per_sweep = 1;           ///< that a tile takes within a short time; see StepOrder
  std::optional<TileLevels> levels;  ///< for sweeps; else breadth-first
  /// Tiles that a GPU holds while they wait or take the steps of a sweep: the others lie in main
  /// memory, and the graph submits the swaps. 0: StarPU holds as many as fit.
  std::int32_t rooms = 0;
  /// The tiles of part p of the cut begin in domain p (of fewer domains: p modulo their number).
  /// Empty: one domain of all cores.
  std::vector<Domain> domains;
  Balance balance = Balance::dynamic;
};

/// The graph of a method's tasks. Needs a Runtime, and the method must outlive it.
class TileGraph {
 public:
  TileGraph(TileMethod& method, GraphOptions options);
  /// Waits for all tasks.
  ~TileGraph();
  TileGraph(TileGraph const&) = delete;
  TileGraph& operator=(TileGraph const&) = delete;

  /// Submits the next steps, in sweeps; if more than the window is in flight, waits for the oldest.
  void submit_steps(std::int64_t count);
  std::int64_t steps() const { return steps_; }
  /// Stages that have been submitted of each tile.
  std::int64_t stages() const { return stages_; }

  /// Submits a measurement of the state after the last submitted step.
  void submit_measurement();
  /// The state after a step that is still to be submitted will be measured, too: tile by tile, as
  /// each has taken the step, so that no tile is fetched for it.
  void measure_at(std::int64_t step) { to_measure_.insert(step); }

  /// Waits for all tasks and passes the state after the last submitted step to `visit`, tile by
  /// tile; takes main memory for one tile more.
  using VisitStore = std::function<void(std::size_t tile, UnitStore& store)>;
  void save(VisitStore const& visit);
  /// Waits for all tasks and continues after `step` from the state that `fill` reads: the same bits
  /// as where it was saved, whatever the tiles were then. Tiles must not be held.
  void restore(std::int64_t step, VisitStore const& fill);
  /// Waits for all tasks and takes this state of all tiles for the one after the last submitted
  /// step.
  void load(UnitStore& store);

  /// All ranks: waits for all tasks and continues with other tiles of the same problem. Tiles must
  /// not be held. Takes main memory for another state meanwhile. Throws BadInput, and changes
  /// nothing, if the new tiles of any rank cannot run.
  void adopt(std::unique_ptr<NewTiles> tiles);
  /// While tiles are held, they are not repartitioned. Any thread may release them.
  void hold_tiles() { ++held_; }
  void let_go_of_tiles() { --held_; }
  /// Moves a tile: its tasks that become ready from now on are computed in that domain.
  void move_tile(std::int32_t tile, std::int32_t domain);

  /// Where tasks of a tile run: at its home, wherever that is when they are ready, unless StarPU's
  /// scheduler is free.
  Placement placement(std::size_t tile) const;
  std::int32_t domain(std::size_t tile) const { return tiles_[tile].domain; }
  /// The worker that computed the tile last, and the time that the tile has taken in all.
  WorkClock::Ticket activity(std::size_t tile) const;
  /// What the balance has done so far.
  BalanceReport const& balance_report() const { return balancer_.report(); }
  /// What each worker has done so far.
  std::vector<WorkClock::Use> worker_uses() const { return balancer_.clock().uses(); }

  /// Waits for all tasks.
  void wait();
  /// Bytes in use for tiles, outboxes and sums, with the buffers kept for reuse: in the memories of
  /// all domains.
  std::size_t bytes_in_use() const;

 private:
  /// What the graph keeps of a tile.
  struct TileState {
    TileFacts facts;
    std::int32_t domain = 0;
    Home home;  ///< in that domain
    WorkClock::Ticket ticket;
  };

  /// Takes the facts of the method's tiles.
  void add_tiles();
  StepOrder order() const;
  /// Sets the homes of all tiles, now that their domains are known, and notes the domains in the
  /// method.
  void place_tiles();
  Placement at_home(std::size_t tile) const;
  std::vector<std::int32_t> domain_of_tile() const;

  void submit_beginning();
  void submit_sweep(std::int32_t stages);
  /// The swaps after each wave of a sweep; none where all tiles fit.
  std::vector<std::vector<Swap>> swaps_in(Sweep const& sweep) const;
  /// One tile's residents, as they are after so many stages of the sweep, leave the memory of its
  /// domain, and another tile's come.
  void submit_swap_of(TileStep leaves, TileStep comes) const;

  /// Collects the requested measurements that have been submitted for all tiles.
  void collect_measured();
  /// The steps that may be submitted before what they measure must be collected.
  std::int64_t steps_until_collecting() const;
  /// Where the sums of a step go; none if it is not to be measured.
  std::optional<std::size_t> slot_of(std::int64_t step) const;
  /// Where the sums of the state after a stage go; none if the stage ends no step that is to be
  /// measured.
  std::optional<std::size_t> slot_after_stage(std::int64_t stage) const;

  TileLoad load_of(std::size_t tile) const;
  /// Moves tiles, or begins repartitioning, if the speeds measured lately call for it.
  void balance();
  /// Whether all ranks balance together at the same steps; otherwise each balances its own domains,
  /// at times by its clock.
  bool meets() const;
  /// All ranks: begins to repartition, while steps continue.
  void begin_cut(NewShares const& shares);
  /// Throws BadInput if there is no main memory for it.
  void expect_room_for_cut(NewShares const& shares) const;
  /// Continues with the new tiles, as soon as they are ready.
  void finish_cut();
  void refuse_cuts(std::string const& why);

  /// Slots for the sums of measurements in flight.
  static constexpr std::size_t slots = 2;

  TileMethod& method_;
  GraphOptions options_;
  std::int64_t stages_per_step_;
  std::vector<TileState> tiles_;
  Balancer balancer_;
  RankMeeting meeting_;
  StepOrder order_;
  std::int64_t steps_ = 0;
  std::int64_t stages_ = 0;
  std::size_t measurements_ = 0;               ///< so far
  std::set<std::int64_t> to_measure_;          ///< steps that not all tiles have taken
  std::array<std::size_t, slots> measured_{};  ///< tiles, whose sums of a step are in a slot
  bool may_cut_anew_;                          ///< until it has failed
  std::future<std::unique_ptr<NewTiles>> next_tiles_;  ///< while they are being cut
  std::atomic<int> held_ = 0;
};

}  // namespace tessera

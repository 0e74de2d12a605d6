// SPDX-License-Identifier: MIT
// Spectral differences on tiles: states, traces, outboxes and the clock as StarPU data, and the
// tasks on them. A step has as many stages as its Runge-Kutta scheme.
//
// The state is updated in place, as an element reads other elements through their traces only. So
// traces and outboxes have two handles, one for each parity of the stage: a stage reads the old
// ones and writes the new ones, and the old traces' buffer is freed at once for the next tile (the
// buffers of a part are of one size), unless there is memory for both.
//
// The time step depends on what all tiles have computed. So that no tile waits for it, the time
// step of step n comes from the state at the beginning of step n - 1, unless an exact or a fixed
// one is requested.
//
// Each of several processes (ranks) has its own tiles, an outbox for each rank that reads them, and
// the clock of all.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "codelets/spectral/measure.hpp"
#include "codelets/spectral/stage.hpp"
#include "graph/tasks/rank_inboxes.hpp"
#include "graph/tile_method.hpp"
#include "methods/spectral/gas_board.hpp"
#include "methods/spectral/pack_graph.hpp"
#include "methods/spectral/pack_store.hpp"
#include "methods/spectral/rank_tree.hpp"

namespace tessera::spectral {

/// Where the time step comes from.
enum class StepRule : std::uint8_t {
  late,   ///< the state a step before
  exact,  ///< the state it begins with: all tiles wait for it
  fixed,  ///< ClockRule::fixed
};

/// What flows, and how it is computed.
struct GasOptions {
  Numbers numbers = Numbers::float64;
  GasParameters parameters;
  StepRule rule = StepRule::late;
  ClockRule clock;
  /// The state at time 0. Each tile takes a copy, which serves one thread.
  std::function<Primitive<double>(Point const&)> initial;
  ExactFlow exact;  ///< to measure errors by; each tile takes a copy; may be empty
  CoreKernels const* kernels = &best_core_kernels();
  /// Each tile keeps the old traces beside the new ones: more memory, and less work of the
  /// submitting thread, which then invalidates nothing.
  bool both_traces = false;
  /// Collective: makes other tiles whose domains have these shares of the work; called on a thread
  /// of its own. Empty: no repartitioning.
  std::function<TwoLevelCut(NewShares const& shares)> cut_anew;
};

/// Tiles that will take others' place.
struct NewPackTiles final : NewTiles {
  explicit NewPackTiles(ElementTiles made) : tiles(std::move(made)) {}
  ElementTiles tiles;
};

/// Spectral differences on tiles. Needs a Runtime. Keeps a reference to the mesh, whose gas must be
/// the options' gas.
class SpectralMethod final : public TileMethod {
 public:
  /// Sets of buffers for snapshots.
  static constexpr std::size_t snapshot_sets = 2;

  /// Throws BadInput for options that do not fit, and as make_tiles() does.
  SpectralMethod(MeshOfGas const& of, TwoLevelCut const& cut, GasOptions options);

  MeshOfGas const& mesh() const { return of_; }
  Numbers numbers() const { return options_.numbers; }
  /// The packs of a tile, by their numbers in the mesh.
  std::vector<std::int32_t> const& packs(std::size_t tile) const { return tiles_[tile].tile.packs; }
  /// Numbers in the states of all packs of a tile.
  std::int64_t state_numbers(std::size_t tile) const {
    return tiles_[tile].tile.counts.state_numbers;
  }
  /// All ranks: waits for the measurement of a step, which must have been submitted, or requested
  /// before the step was submitted.
  GasMeasurement take_measurement(std::int64_t step);
  /// The clock of a step, the last submitted one or the next one; waits until it is known.
  Clock clock(std::int64_t step);
  /// Sets the clock with which the state that is restored next continues; without it time is 0. Its
  /// step is shortened as the rule says, or found from the state if it is 0.
  void resume_clock(Clock const& clock) { resumed_ = clock; }
  /// Tiles of a cut, for TileGraph::adopt().
  std::unique_ptr<NewTiles> tiles_of(TwoLevelCut const& cut) const;

  /// Copies a tile's state, as it is after the stages submitted so far, into a set.
  void submit_snapshot(std::size_t tile, std::size_t set, Placement const& placement);
  /// Waits for the copy of a tile in a set, which is free then. Any thread may call it.
  using VisitPack = std::function<void(std::int32_t pack, std::span<std::byte const> state)>;
  void visit_snapshot(std::size_t tile, std::size_t set, VisitPack const& visit);

  std::vector<TileFacts> tiles() const override;
  int stages_per_step() const override;
  bool stages_have_ends() const override { return clock_changes_; }
  void submit_begin(std::size_t tile, Placement const& placement) override;
  void submit_sends(std::size_t tile, std::int64_t stage) override;
  void submit_stage(std::size_t tile, std::int64_t stage, Placement const& placement,
                    Callback const& callback) override;
  void submit_stage_end(std::int64_t stage) override;
  std::size_t tasks_beside_steps() const override { return tasks_beside_steps_; }
  std::vector<DataHandle const*> residents(std::size_t tile, std::int64_t stages) const override;

  void submit_measurement(std::size_t tile, std::int64_t step, std::size_t slot,
                          Placement const& placement) override;
  void submit_collection(std::int64_t step, std::size_t slot) override;

  std::unique_ptr<UnitStore> room_for(std::span<std::size_t const> tiles) const override;
  void submit_unload(std::size_t tile, std::int64_t stages, UnitStore& store,
                     Placement const& placement) override;
  void submit_load(std::size_t tile, std::int64_t stages, UnitStore& store,
                   Placement const& placement) override;
  void submit_discard(std::size_t tile, std::int64_t stages) override;
  void begin_after(std::int64_t step) override;

  bool can_cut_anew() const override { return static_cast<bool>(options_.cut_anew); }
  std::unique_ptr<NewTiles> cut_anew(NewShares const& shares) const override {
    return tiles_of(options_.cut_anew(shares));
  }
  void adopt(std::unique_ptr<NewTiles> tiles) override;
  std::unique_ptr<UnitStore> handed_over(std::unique_ptr<UnitStore> store) const override;

  std::size_t bytes_beside_buffers() const override;

 private:
  /// What is kept of a tile. Tasks keep pointers to the arguments.
  struct TileData {
    ElementTile tile;
    std::vector<StageArguments> stages;  ///< of a step
    StageArguments publication;
    DataHandle tables;
    DataHandle state;
    DataHandle kept;
    std::array<DataHandle, 2> traces;  ///< by parity of the stage
    std::vector<StageBox> outboxes;
    DataHandle speeds;
    std::array<DataHandle, 2> measured;               ///< by slot
    std::array<DataHandle, snapshot_sets> snapshots;  ///< there while one is visited
  };
  /// Clocks that are in use at once: of steps that are measured, run, and known ahead.
  static constexpr std::size_t clocks = 4;

  void add_tiles(ElementTiles made);
  /// Bytes of all that StarPU may hold at a time.
  std::size_t buffer_bytes() const;
  /// `traces`: numbers of its buffers of traces.
  TileData data_of(ElementTile tile, std::int64_t traces) const;
  /// The data of a stage, without outboxes and inboxes.
  StageHandles handles(std::size_t tile, std::int64_t stage) const;
  /// The outboxes of a tile as they stand before a stage.
  std::vector<DataHandle const*> outboxes_of(std::size_t tile, std::int64_t stage) const;
  /// Publishes what other tiles and the clock read of the state before a stage.
  void publish(std::size_t tile, std::int64_t stage, Placement const& placement);
  DataHandle const& clock_of(std::int64_t step) const {
    return clocks_[clock_changes_ ? static_cast<std::size_t>(step) % clocks : 0];
  }
  /// Sets the clock of a step from the longest stable step of the current states.
  void submit_clock_of(std::int64_t step);
  /// Sets the clock of the first step of a run, which begins at `time`.
  void submit_first_clock(double time);
  void set_clock_of(std::int64_t step, bool is_first, double time);
  /// Sets the clocks that the first step needs, unless they are set.
  void begin_clocks();
  /// A step's clock in main memory while `use` runs.
  template <class Use>
  void with_clock(std::int64_t step, starpu_data_access_mode mode, Use&& use);
  /// The step whose clock gives the time of the state after so many steps, and whether at its end
  /// or its beginning.
  struct When {
    std::int64_t step = 0;
    TimeOfState time;
  };
  When when(std::int64_t steps) const;

  static std::size_t parity(std::int64_t n) { return static_cast<std::size_t>(n & 1); }

  MeshOfGas const& of_;
  GasOptions options_;
  std::vector<TileData> tiles_;
  std::int32_t first_tile_ = 0;  ///< among those of all ranks
  std::vector<std::int32_t> rank_of_pack_;
  RankInboxes foreign_;
  std::size_t tasks_beside_steps_ = 0;
  SpeedLimits limits_;
  bool clock_changes_;  ///< else all steps are equal, and one clock is enough
  std::array<DataHandle, clocks> clocks_;
  std::optional<RankTree> ranks_;  ///< if the ranks' tiles determine the time step
  std::int64_t first_step_ = 0;    ///< since the beginning, or since a state was restored
  double first_time_ = 0;
  bool clocks_have_begun_ = false;
  bool has_new_tiles_ = false;  ///< with the same state, so that clocks continue
  std::optional<Clock> resumed_;
  GasBoard board_;
};

}  // namespace tessera::spectral

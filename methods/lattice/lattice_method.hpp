// SPDX-License-Identifier: MIT
// The lattice Boltzmann method on tiles: populations, outboxes, boundaries, measurements and
// snapshots as StarPU data, and the tasks on them. A step is one stage.
//
// The state is kept by two handles, one for each parity of the step: a step reads the old lattice,
// writes the new one and frees the old one's buffer (docs/architecture.md).
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "codelets/lattice/block_populations.hpp"
#include "codelets/lattice/collide_stream.hpp"
#include "codelets/lattice/functional.hpp"
#include "codelets/lattice/measure.hpp"
#include "codelets/lattice/snapshot.hpp"
#include "graph/tasks/rank_inboxes.hpp"
#include "graph/tile_method.hpp"
#include "methods/lattice/boundary_data.hpp"
#include "methods/lattice/measurement_board.hpp"
#include "models/lattice/density_and_velocity.hpp"
#include "models/lattice/equilibrium_populations.hpp"
#include "partition/lattice/boundaries.hpp"
#include "partition/lattice/tiling.hpp"

namespace tessera {

/// All ranks: makes tiles whose domains have these shares of the work; called on a thread of its
/// own.
using CutAnew = std::function<Tiling(NewShares const& shares)>;

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

/// Sums over all links that end in walls that may move.
struct WallTotals {
  double weight = 0;              ///< by which a supply enters
  double leaking_weight = 0;      ///< of links that do not return all that enters them
  double carried = 0;             ///< by the motion of walls in a step, at factors of 1
  double carried_either_way = 0;  ///< sum of magnitudes
};

/// What flows, and how it is computed.
struct LatticeOptions {
  Precision precision = Precision::double_precision;
  FlowModel model;
  FlowParameters parameters;
  DensityAndVelocity initial;  ///< all nodes begin in equilibrium at these
  CpuKernels const* kernels = &best_cpu_kernels();
  Int3 average_lower;                            ///< voxels that averages are taken over;
  Int3 average_upper;                            ///< all zero means the whole image
  CutAnew cut_anew;                              ///< if load balancing may repartition
  std::shared_ptr<Boundaries const> boundaries;  ///< none: plain walls
  /// Each tile keeps the old lattice beside the new one: twice the memory, for a third less work of
  /// the submitting thread.
  bool both_lattices = false;
  /// What changes in time; called once for each step. None: `parameters.force`, and factors of 1.
  std::function<StepValues(std::int64_t step)> values_at;
  HaloExchange halo = HaloExchange::fused;
  double wall_supply = 0;  ///< what enters by links of walls that may move, over their weight
};

/// Populations of the blocks outside their tiles, with the arguments of the transfers.
struct PopulationStore : UnitStore {
  explicit PopulationStore(BlockPopulations room) : populations(std::move(room)) {}
  std::size_t bytes() const override { return populations.bytes(); }

  BlockPopulations populations;
  std::vector<std::unique_ptr<TransferArguments const>> transfers;  ///< of the tasks so far
};

/// A tiling that will take another's place.
struct NewTiling : NewTiles {
  explicit NewTiling(Tiling made) : tiling(std::make_unique<Tiling const>(std::move(made))) {}
  std::unique_ptr<Tiling const> tiling;
};

/// The lattice Boltzmann method on tiles. Needs a Runtime. Keeps a reference to the first tiling,
/// even after repartitioning.
class LatticeMethod final : public TileMethod {
 public:
  /// Sets of buffers for snapshots.
  static constexpr std::size_t snapshot_sets = 3;

  /// `on_gpus`: whether GPUs compute some of the tiles. Throws BadInput for tiles that GPUs cannot
  /// compute, and for conditions that are not supported.
  LatticeMethod(Tiling const& tiling, LatticeOptions options, bool on_gpus);

  Tiling const& tiling() const { return own_tiling_ ? *own_tiling_ : first_tiling_; }
  Precision precision() const { return options_.precision; }
  MeasurementBoard& board() { return board_; }
  /// All tasks must have ended before the force or the supply is set.
  void set_body_force(double const (&force)[3]);
  void set_wall_supply(double supply);
  /// All ranks: sums over all links that end in walls that may move.
  WallTotals wall_totals() const;
  /// Measured after this step, which is still to be submitted, the flow has the terms of its
  /// functional taken as well. The model must have one.
  void take_functional_at(std::int64_t step);
  /// From the next step on each tile reads what other ranks have sent last instead of new messages;
  /// with `out` false, new messages again. The flow is wrong meanwhile, only its time is that of a
  /// flow without messages. Two steps at least must have been submitted.
  void leave_messages_out(bool out) { messages_left_out_ = out; }
  /// Populations of all nodes in equilibrium at a state.
  PopulationStore equilibrium(std::function<DensityAndVelocity(Int3 voxel)> const& state) const;

  /// Copies density and velocity of a tile's nodes, as they are after so many steps, into a set;
  /// `led_here`: what changes in time, at the step before.
  void submit_snapshot(std::size_t tile, std::size_t set, std::int64_t steps,
                       std::optional<StepValues> const& led_here, Placement const& placement);
  /// What changes in time; none if nothing does.
  std::optional<StepValues> values_at(std::int64_t step) const;
  /// Waits for the copy of a tile in a set, which holds until it is released.
  NodeState const* acquire_states(std::size_t tile, std::size_t set) const;
  /// Releases the copy of a tile in a set, whose memory is free then.
  void release_states(std::size_t tile, std::size_t set);

  std::vector<TileFacts> tiles() const override;
  void submit_begin(std::size_t tile, Placement const& placement) override;
  void submit_sends(std::size_t tile, std::int64_t step) override;
  void submit_stage(std::size_t tile, std::int64_t step, Placement const& placement,
                    Callback const& callback) override;
  std::size_t tasks_beside_steps() const override;
  std::vector<DataHandle const*> residents(std::size_t tile, std::int64_t steps) const override;

  void submit_measurement(std::size_t tile, std::int64_t step, std::size_t slot,
                          Placement const& placement) override;
  void submit_collection(std::int64_t step, std::size_t slot) override;
  /// Wall forces are kept of the last two steps.
  bool measured_last() const override { return !force_places_.empty(); }

  std::unique_ptr<UnitStore> room_for(std::span<std::size_t const> tiles) const override;
  void submit_unload(std::size_t tile, std::int64_t steps, UnitStore& store,
                     Placement const& placement) override;
  void submit_load(std::size_t tile, std::int64_t steps, UnitStore& store,
                   Placement const& placement) override;
  void submit_discard(std::size_t tile, std::int64_t steps) override;
  void begin_after(std::int64_t step) override;

  bool can_cut_anew() const override { return static_cast<bool>(options_.cut_anew); }
  std::unique_ptr<NewTiles> cut_anew(NewShares const& shares) const override;
  void check(NewTiles const& tiles) const override;
  void adopt(std::unique_ptr<NewTiles> tiles) override;
  std::unique_ptr<UnitStore> handed_over(std::unique_ptr<UnitStore> store) const override;

  std::size_t bytes_beside_buffers() const override;

 private:
  /// What is kept of a tile. Tasks keep pointers to the arguments.
  struct TileData {
    DataHandle tables;
    std::array<DataHandle, 2> populations;  ///< by parity of the step; one has a buffer, the other
                                            ///< only during a task
    std::vector<StageBox> outboxes;
    BoundaryData boundaries;
    std::vector<AverageBox> boxes_of_blocks;  ///< what `average_boxes` reads
    DataHandle average_boxes;
    std::array<DataHandle, 2> sums;                ///< by slot
    std::array<DataHandle, 2> functionals;         ///< of blocks, by slot; there if requested
    std::array<DataHandle, snapshot_sets> states;  ///< there while a snapshot is
    std::unique_ptr<PullPlan> plan = std::make_unique<PullPlan>();  ///< where `step` points to
    StepArguments step;
    MeasureArguments measure;
    FunctionalArguments functional;
    SnapshotArguments snapshot;
    InitialArguments initial;
  };

  /// Bytes of all that StarPU may hold at a time: the lattices of two steps, their measurements,
  /// and snapshots.
  std::size_t buffer_bytes(Tiling const& tiling) const;
  void check(Tiling const& tiling) const;
  void add_tiles();
  void add_foreign_outboxes();
  TileData data_of(Tile const& tile) const;
  std::vector<DataHandle const*> outboxes_of(std::size_t tile, std::int64_t steps) const;
  /// The outbox of tile `sender` that tile `reader` reads.
  StageBox const& outbox_for(std::size_t reader, std::size_t sender) const;
  /// Receives what the tile needs of other ranks before a step.
  void submit_receives(std::size_t tile, std::int64_t step);
  /// Submits the terms of the functional of the state before a step, while that state is there, if
  /// requested.
  void submit_functional_of(std::size_t tile, std::int64_t step, Placement const& placement);
  /// Where the forces of a tile's groups will stand.
  void add_force_places(TileData const& data, std::int32_t buffer);
  Argument argument_of(TileData const& tile, std::int64_t step);
  /// Allocates memory for the populations of some tiles.
  PopulationStore make_room(std::span<std::size_t const> tiles) const;
  PopulationStore room_for_all() const;
  static std::size_t parity(std::int64_t n) { return static_cast<std::size_t>(n & 1); }

  Tiling const& first_tiling_;
  std::unique_ptr<Tiling const> own_tiling_;  ///< after repartitioning
  LatticeOptions options_;
  bool on_gpus_;
  std::vector<TileData> tiles_;
  RankInboxes foreign_;
  std::size_t messages_per_step_ = 0;
  bool messages_left_out_ = false;
  std::vector<ForcePlace> force_places_;
  std::int64_t no_forces_before_ = 0;  ///< steps up to which the tiles have computed none
  std::map<std::int64_t, std::size_t>
      functional_slots_;         ///< of steps whose functional is requested
  std::size_t functionals_ = 0;  ///< requested so far
  MeasurementBoard board_;
  StepValues values_;  ///< of the step below, if they change in time
  std::int64_t step_of_values_ = -1;
};

}  // namespace tessera

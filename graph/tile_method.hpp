// SPDX-License-Identifier: MIT
// A numerical method on tiles, as the interface for the task graph: the graph decides when and
// where tasks are submitted, the method what they do and on what data.
//
// A step has one stage or several (of a Runge-Kutta scheme, of an iteration). A stage of a tile may
// be several tasks; it reads what the tile's neighbours have left in the stage before, in data of
// the method's own (outboxes: one for all readers, or one for each memory or rank of readers). So a
// tile may take a stage as soon as its neighbours have taken the one before, and no other rule
// holds: StarPU finds the dependencies from the order of submission.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "graph/tasks/submit.hpp"

namespace tessera {

/// A tile, for order, balance and swaps.
struct TileFacts {
  double work = 0;                       ///< of a step, in units of the method's (fluid nodes, say)
  std::size_t kept_bytes = 0;            ///< that a move takes over the bus
  std::int32_t part = 0;                 ///< of the cut: begins in the domain of this number
  std::vector<std::int32_t> neighbours;  ///< tiles that it reads from, ascending
};

/// What a method keeps outside its tiles, in main memory, in a global order that does not show
/// them: for new cuts and checkpoints. Each method has a kind of its own.
class UnitStore {
 public:
  virtual ~UnitStore() = default;
  virtual std::size_t bytes() const = 0;
};

/// Shares of the work in a cut; both sum to 1.
struct NewShares {
  std::vector<double> of_ranks;    ///< processes; one that is alone has all
  std::vector<double> of_domains;  ///< the domains of this one, of what it gets
};

/// Tiles that have been cut and are not in use yet. Each method has a kind of its own.
class NewTiles {
 public:
  virtual ~NewTiles() = default;
};

/// All submitting functions return without waiting for their tasks, whose arguments the method
/// keeps alive. Stages and steps count from 0; "after n stages" means n have been submitted for
/// this tile.
class TileMethod {
 public:
  virtual ~TileMethod() = default;

  virtual std::vector<TileFacts> tiles() const = 0;
  virtual int stages_per_step() const { return 1; }
  /// Whether submit_stage_end() has something to do. A stage then begins where it has ended for all
  /// tiles, so tiles take no sweeps of several steps.
  virtual bool stages_have_ends() const { return false; }

  /// Submits the state before the first stage.
  virtual void submit_begin(std::size_t tile, Placement const& placement) = 0;
  /// Sends what other ranks read of a tile in this stage; they receive it with their own call.
  virtual void submit_sends(std::size_t /*tile*/, std::int64_t /*stage*/) {}
  /// Stage `stage` (over all steps): from the state after `stage` stages to the next. `callback`
  /// belongs to the task whose time counts.
  virtual void submit_stage(std::size_t tile, std::int64_t stage, Placement const& placement,
                            Callback const& callback) = 0;
  /// Submits, after a stage of all tiles, the sums over them that the next stage needs.
  virtual void submit_stage_end(std::int64_t /*stage*/) {}
  /// Tasks and messages in a stage of all tiles, beside the task for each whose time counts.
  virtual std::size_t tasks_beside_steps() const { return 0; }
  /// Data that must lie where the tile is computed, after so many stages; as many for each tile.
  virtual std::vector<DataHandle const*> residents(std::size_t tile, std::int64_t stages) const = 0;
  /// Notes in which domain each tile lies from now on: for outboxes by destination.
  virtual void note_domains(std::span<std::int32_t const> /*domain_of_tile*/) {}

  /// Measures a tile after a step, into the given one of two slots.
  virtual void submit_measurement(std::size_t tile, std::int64_t step, std::size_t slot,
                                  Placement const& placement) = 0;
  /// Submits the task that adds up what has been measured of all tiles.
  virtual void submit_collection(std::int64_t step, std::size_t slot) = 0;
  /// Whether a measurement can be collected only before any tile takes its next step.
  virtual bool measured_last() const { return false; }

  /// Allocates memory for the state of some tiles.
  virtual std::unique_ptr<UnitStore> room_for(std::span<std::size_t const> tiles) const = 0;
  /// Copies the state after so many stages out of a tile, which `store` has room for.
  virtual void submit_unload(std::size_t tile, std::int64_t stages, UnitStore& store,
                             Placement const& placement) = 0;
  virtual void submit_load(std::size_t tile, std::int64_t stages, UnitStore& store,
                           Placement const& placement) = 0;
  /// Discards the state of a tile after so many stages: another one will be loaded.
  virtual void submit_discard(std::size_t tile, std::int64_t stages) = 0;
  /// Continues after another step than the last one: with new tiles, or from a state that is
  /// loaded.
  virtual void begin_after(std::int64_t /*step*/) {}

  /// Whether the method supports repartitioning.
  virtual bool can_cut_anew() const { return false; }
  /// All ranks: tiles whose domains have these shares of the work; called on a thread of its own,
  /// while tasks run. Throws BadInput.
  virtual std::unique_ptr<NewTiles> cut_anew(NewShares const& /*shares*/) const { return {}; }
  /// Throws BadInput if these tiles cannot run.
  virtual void check(NewTiles const& /*tiles*/) const {}
  /// Frees the old tiles, whose tasks have ended, and takes these; their state is still to be
  /// loaded.
  virtual void adopt(std::unique_ptr<NewTiles> /*tiles*/) {}
  /// All ranks, after adopt(): exchanges the state of the tiles that each process had for the
  /// state, after the same stages, of the tiles that it has now.
  virtual std::unique_ptr<UnitStore> handed_over(std::unique_ptr<UnitStore> store) const {
    return store;
  }

  /// Bytes that lie in main memory beside StarPU's buffers, where cores compute.
  virtual std::size_t bytes_beside_buffers() const { return 0; }
};

}  // namespace tessera

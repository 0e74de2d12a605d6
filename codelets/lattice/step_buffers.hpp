// SPDX-License-Identifier: MIT
// The data of one step of a tile, as it is submitted and as the implementations find it: the one
// place that knows their order.
#pragma once

#include <starpu.h>

#include <cstddef>
#include <span>
#include <vector>

#include "codelets/lattice/boundary_plan.hpp"
#include "graph/tasks/submit.hpp"
#include "graph/tasks/vector_data.hpp"
#include "partition/lattice/tile.hpp"

namespace tessera {

/// The buffers of a tile with boundaries other than plain walls.
struct BoundaryHandles {
  DataHandle const& lists;        ///< what view_boundaries() takes
  DataHandle const& entering;     ///< room for a double a link
  DataHandle const& wall_forces;  ///< WallForce [groups]; none if no force is measured
  DataHandle const& memory;       ///< double [links]; none if nothing is remembered
};

struct StepHandles {
  DataHandle const& old_populations;  ///< only the halo is written
  DataHandle const& new_populations;
  DataHandle const& tables;
  std::span<DataHandle const* const> outboxes;  ///< own, for the next step
  /// Outboxes of others, in the order of Segment::box; none if the halo is filled.
  std::span<DataHandle const* const> inboxes;
  BoundaryHandles boundaries;  ///< `lists`: none if there are but plain walls
};

/// What the task that fills a halo works on: 0 RW old populations, 1 R tables; R inboxes.
struct HaloHandles {
  DataHandle const& old_populations;  ///< the halo is written
  DataHandle const& tables;
  std::span<DataHandle const* const> inboxes;  ///< as in StepHandles
};

inline Accesses accesses_of(HaloHandles const& halo) {
  Accesses data;
  data.updates(halo.old_populations).reads(halo.tables);
  for (DataHandle const* const inbox : halo.inboxes) data.reads(*inbox);
  return data;
}

/// The data of such a task while it runs.
class HaloBuffers {
 public:
  explicit HaloBuffers(void** buffers) : buffers_(buffers) {}
  void* old_populations() const { return vector_data<void>(buffers_, 0); }
  std::byte const* tables() const { return vector_data<std::byte>(buffers_, 1); }
  template <class Storage>
  std::vector<Storage const*> inboxes() const {
    constexpr std::size_t first = 2;
    auto const all = static_cast<std::size_t>(starpu_task_get_current()->nbuffers);
    return vectors_data<Storage const>(buffers_, first, all - first);
  }

 private:
  void** buffers_;
};

/// 0 RW old populations, 1 W new populations, 2 R tables; W own outboxes, R other tiles' outboxes;
/// where there are boundaries R lists, SCRATCH entering, [W wall forces], [RW memory].
inline Accesses accesses_of(StepHandles const& step) {
  Accesses data;
  data.updates(step.old_populations).writes(step.new_populations).reads(step.tables);
  for (DataHandle const* const outbox : step.outboxes) data.writes(*outbox);
  for (DataHandle const* const inbox : step.inboxes) data.reads(*inbox);
  BoundaryHandles const& boundaries = step.boundaries;
  if (!boundaries.lists) return data;
  data.reads(boundaries.lists).scratch(boundaries.entering);
  if (boundaries.wall_forces) data.writes(boundaries.wall_forces);
  if (boundaries.memory) data.updates(boundaries.memory);
  return data;
}

/// Whether a tile has boundaries other than plain walls.
constexpr bool any(BoundaryCounts const& counts) { return counts.links > 0 || counts.nodes > 0; }

/// The data of a step in a running task; nullptr for what the tile does not have.
class StepBuffers {
 public:
  StepBuffers(void** buffers, TileCounts const& counts, BoundaryCounts const& boundaries)
      : buffers_(buffers), outboxes_(counts.outboxes) {
    std::size_t next = first_outbox + outboxes_;
    first_inbox_ = next;
    bool const forces = boundaries.groups > 0;
    bool const remembers = boundaries.remembered > 0;
    auto const all = static_cast<std::size_t>(starpu_task_get_current()->nbuffers);
    next = any(boundaries) ? all - 2 - (forces ? 1 : 0) - (remembers ? 1 : 0) : all;
    inboxes_ = next - first_inbox_;
    if (!any(boundaries)) return;
    lists_ = vector_data<std::byte>(buffers, next++);
    entering_ = vector_data<double>(buffers, next++);
    if (forces) wall_forces_ = vector_data<WallForce>(buffers, next++);
    if (remembers) memory_ = vector_data<double>(buffers, next);
  }

  void* old_populations() const { return vector_data<void>(buffers_, 0); }
  void* new_populations() const { return vector_data<void>(buffers_, 1); }
  /// Values of the populations, with the gaps and the halo.
  std::size_t values() const { return STARPU_VECTOR_GET_NX(buffers_[1]); }
  std::byte const* tables() const { return vector_data<std::byte>(buffers_, 2); }
  template <class Storage>
  std::vector<Storage*> outboxes() const {
    return vectors_data<Storage>(buffers_, first_outbox, outboxes_);
  }
  template <class Storage>
  std::vector<Storage const*> inboxes() const {
    return vectors_data<Storage const>(buffers_, first_inbox_, inboxes_);
  }
  std::byte const* lists() const { return lists_; }
  double* entering() const { return entering_; }
  WallForce* wall_forces() const { return wall_forces_; }
  double* memory() const { return memory_; }

 private:
  static constexpr std::size_t first_outbox = 3;

  void** buffers_;
  std::size_t outboxes_ = 0;
  std::size_t first_inbox_ = 0;
  std::size_t inboxes_ = 0;
  std::byte const* lists_ = nullptr;
  double* entering_ = nullptr;
  WallForce* wall_forces_ = nullptr;
  double* memory_ = nullptr;
};

}  // namespace tessera

// SPDX-License-Identifier: MIT
// The task that takes a tile one step on.
#pragma once

#include <starpu.h>

#include "codelets/boundary_terms.hpp"
#include "codelets/cpu_kernels.hpp"
#include "lattice/flow_model.hpp"
#include "partition/tile.hpp"

namespace tessera {

/// Constant arguments of a tile's steps; owned by the graph and alive as long as its tasks.
struct StepArguments {
  TileLayout layout;
  Precision precision = Precision::single_precision;
  FlowModel model;
  FlowParameters parameters;
  BoundaryCounts boundaries;
  BoundaryParameters boundary_parameters;
  CollideStreamKernel kernel = nullptr;  ///< for cores
  PullPlan* plan = nullptr;              ///< for cores: empty until the first step makes it
};

/// collide_stream: fills the halo from the neighbours' outboxes, pulls, collides, fills the own
/// outbox.
///
/// Argument: StepArguments.
/// Buffers:
///   0  RW  old populations; only the halo is written
///   1  W   new populations
///   2  R   tables
/// and, if the tile has neighbours,
///   3  W   own outbox, for the next step
///   4. R   the neighbours' outboxes, in the order of Tile::neighbours
/// and behind these, if there are boundaries other than plain walls,
///       R        what view_boundaries() takes
///       SCRATCH  double [links]
///       W        WallForce [groups], if there are any
///       RW       double [links], if any remembers what has entered
starpu_codelet& collide_stream_codelet();

/// Buffers of a step behind the outboxes.
constexpr std::size_t boundary_buffers(BoundaryCounts const& counts) {
  if (counts.links == 0 && counts.nodes == 0) return 0;
  return 2U + (counts.groups > 0 ? 1 : 0) + (counts.remembered > 0 ? 1 : 0);
}
inline constexpr std::size_t first_inbox = 4;
/// Outboxes that the implementation for GPUs can read.
inline constexpr std::size_t most_inboxes = 60;

/// initialise: a fluid at rest at density 1: all shifted populations zero.
///
/// Argument: none.
/// Buffers: 0 W populations; 1 W own outbox, if the tile has neighbours.
starpu_codelet& initialise_codelet();

}  // namespace tessera

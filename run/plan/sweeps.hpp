// SPDX-License-Identifier: MIT
// Sweeps and slabs for a lattice that does not fit into the memory of its GPUs.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "partition/lattice/slabs.hpp"
#include "partition/lattice/tiling.hpp"
#include "run/plan/tiles_asked.hpp"
#include "run/plan/workers.hpp"

namespace tessera {

struct SweepPlan {
  int steps = 1;               ///< steps that a tile takes while it is in memory
  std::optional<Slabs> slabs;  ///< the tiles of all ranks, if the lattice does not fit
  std::int32_t rooms = 0;      ///< slabs that a GPU holds; 0: StarPU decides
};

/// Bytes that a lattice takes in the memory of GPUs, with the second lattices of the tiles in work,
/// halos, outboxes and tables: the measurement in docs/performance.md, and a tenth more.
std::int64_t bytes_on_gpus(std::int64_t nodes, Precision precision,
                           LatticeKind lattice = LatticeKind::d3q19);

/// Bytes that the slabs of a rank take in the memory of the GPU that needs most.
struct SlabBytes {
  std::int64_t lattice = 0;  ///< populations of a slab: all buffers have this size
  std::int64_t moved = 0;    ///< the part of `lattice` that crosses the bus
  std::int64_t always = 0;   ///< tables, sums, outboxes of all slabs and inboxes, which stay
};

SlabBytes bytes_of_slabs(Tiling const& tiling, Precision precision);

/// Number of slabs that a GPU holds in so many bytes, beside what stays there and a few second
/// lattices.
std::int32_t rooms_in(std::int64_t gpu_bytes, SlabBytes const& slabs);

/// Steps that a slab can take while it is on the GPU, if a GPU holds so many slabs: for k steps k
/// slabs are in use, and two more are in transfer. 0 if there is no room for that.
int most_steps(std::int32_t rooms);

/// All ranks: steps of a sweep as requested; otherwise 1 if the lattice fits, and if it does not,
/// the steps and slabs that take least time, by what crosses the bus and by the number of tasks.
/// Each slab is shared by the GPUs of all ranks.
SweepPlan plan_sweeps(BlockGrid const& grid, BlockGraph const& graph, std::array<bool, 3> periodic,
                      Workers const& workers, TilesAsked const& asked);

}  // namespace tessera

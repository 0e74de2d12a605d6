// SPDX-License-Identifier: MIT
// How many tiles a lattice is cut into.
#pragma once

#include <cstdint>
#include <vector>

#include "partition/cut.hpp"
#include "run/plan/tiles_asked.hpp"
#include "run/plan/workers.hpp"

namespace tessera {

/// Whether each of several GPUs keeps two lattices of its tiles, of so many bytes in all: they must
/// take no more than half of its memory, as tiles of other GPUs may move there.
bool both_lattices_fit(std::int64_t bytes, Workers const& workers);

inline constexpr std::int64_t most_tiles_in_a_row = 8;
/// Number of tiles of each of several GPUs, which are cut in a row (partition/row_cut.hpp), or from
/// the border on where there are other processes (partition/border_cut.hpp): outer tiles, and inner
/// ones that are computed while the halos of the outer ones travel, as long as they are worth a
/// task. Each additional tile costs halos, but allows a finer load balancing. All that a GPU has,
/// what is worth a task, and a usual tile are given in one unit, whatever it is.
std::int64_t tiles_in_a_row(std::int64_t all, std::int64_t worth_a_task, std::int64_t usual);

/// Shares of the work, which sum to 1: of each GPU, followed by that of all cores if they compute.
std::vector<double> planned_shares(Workers const& workers);

/// A part for each of these shares.
std::vector<Part> parts_for(std::vector<double> const& shares, Workers const& workers,
                            std::int32_t blocks, std::int64_t nodes, TilesAsked const& asked);

/// Fluid nodes of a tile on GPUs or on cores that `tessera tune` has found for this machine; 0 if
/// it has not been run.
std::int64_t tuned_nodes_per_tile(bool gpus, Precision precision);
/// Steps submitted ahead that `tessera tune` has found; the usual number if it has not been run.
int tuned_window(bool gpus, Precision precision);
/// Keeps what `tessera tune` has found; returns whether it is kept.
bool keep_tuning(bool gpus, Precision precision, std::int64_t nodes_per_tile, int window);

}  // namespace tessera

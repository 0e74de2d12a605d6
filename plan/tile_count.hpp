// SPDX-License-Identifier: MIT
// How many tiles a lattice is cut into.
#pragma once

#include <cstdint>
#include <vector>

#include "partition/cut.hpp"
#include "plan/tiles_asked.hpp"
#include "plan/workers.hpp"

namespace tessera {

/// Whether each of several GPUs keeps two lattices of its tiles, of so many bytes in all: they must
/// take no more than half of its memory, as tiles of another may come.
bool both_lattices_fit(std::int64_t bytes, Workers const& workers);

/// Shares of the work, which sum to 1: of each GPU, and behind them of all cores if they compute.
std::vector<double> planned_shares(Workers const& workers);

/// A part for each of these shares.
std::vector<Part> parts_for(std::vector<double> const& shares, Workers const& workers,
                            std::int32_t blocks, std::int64_t nodes, TilesAsked const& asked);

/// What `tessera tune` has found for this machine: fluid nodes of a tile on GPUs or on cores; 0 if
/// it has not been run.
std::int64_t tuned_nodes_per_tile(bool gpus, Precision precision);
/// Steps submitted ahead; the usual number if it has not been run.
int tuned_window(bool gpus, Precision precision);
/// Keeps both; returns whether they are kept.
bool keep_tuning(bool gpus, Precision precision, std::int64_t nodes_per_tile, int window);

}  // namespace tessera

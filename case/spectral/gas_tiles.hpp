// SPDX-License-Identifier: MIT
// Cuts the mesh of a gas into tiles for its workers.
#pragma once

#include <optional>

#include "graph/tile_method.hpp"
#include "partition/cut.hpp"
#include "partition/spectral/tiles.hpp"
#include "run/plan/workers.hpp"

namespace tessera {

/// All ranks: cuts into a part for each GPU, followed by one for all cores if they compute, and
/// each part into tiles; parts of several GPUs are cut in a row. `tiles`: number of all tiles, if
/// the user gives it. Throws BadInput for fewer packs than ranks.
TwoLevelCut cut_for(spectral::MeshOfGas const& of, Workers const& workers,
                    std::optional<int> tiles);
/// Cuts for other shares of the work than the first.
TwoLevelCut cut_for(NewShares const& shares, spectral::MeshOfGas const& of, Workers const& workers,
                    std::optional<int> tiles);

/// Whether several GPUs have memory for two sets of traces of each of their tiles
/// (GasOptions::both_traces); half of it must stay free, as tiles of other GPUs may move there.
bool both_traces_fit(spectral::MeshOfGas const& of, Workers const& workers);

}  // namespace tessera

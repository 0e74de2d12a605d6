// SPDX-License-Identifier: MIT
// How a mesh of gas becomes tiles for its workers.
#pragma once

#include <optional>

#include "graph/tile_method.hpp"
#include "partition/cut.hpp"
#include "partition/spectral/tiles.hpp"
#include "run/plan/workers.hpp"

namespace tessera {

/// All ranks: a part for each GPU, and behind them one for all cores if they compute, and these in
/// tiles, of several GPUs in a row. `tiles`: of all, where the user says so. Throws BadInput for
/// fewer packs than ranks.
TwoLevelCut cut_for(spectral::MeshOfGas const& of, Workers const& workers,
                    std::optional<int> tiles);
/// The same for other shares than the first.
TwoLevelCut cut_for(NewShares const& shares, spectral::MeshOfGas const& of, Workers const& workers,
                    std::optional<int> tiles);

/// Several GPUs have room for two sets of traces of each of their tiles (GasOptions::both_traces);
/// half of their memory stays free, as tiles of others may come.
bool both_traces_fit(spectral::MeshOfGas const& of, Workers const& workers);

}  // namespace tessera

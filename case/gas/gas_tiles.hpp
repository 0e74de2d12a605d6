// SPDX-License-Identifier: MIT
// How a mesh of gas becomes tiles for its workers.
#pragma once

#include <optional>

#include "graph/tile_method.hpp"
#include "partition/cut.hpp"
#include "plan/workers.hpp"
#include "spectral/tiles.hpp"

namespace tessera {

/// All ranks: a part for each GPU, and behind them one for all cores if they compute, and these in
/// tiles. `tiles`: of all, where the user says so. Throws BadInput for fewer packs than ranks.
TwoLevelCut cut_for(spectral::MeshOfGas const& of, Workers const& workers,
                    std::optional<int> tiles);
/// The same for other shares than the first.
TwoLevelCut cut_for(NewShares const& shares, spectral::MeshOfGas const& of, Workers const& workers,
                    std::optional<int> tiles);

}  // namespace tessera

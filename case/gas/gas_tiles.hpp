// SPDX-License-Identifier: MIT
// How a mesh of gas becomes tiles for its workers.
#pragma once

#include <optional>
#include <vector>

#include "partition/cut.hpp"
#include "plan/workers.hpp"
#include "spectral/tiles.hpp"

namespace tessera {

/// A part for each GPU, and behind them one for all cores if they compute. `tiles`: of all, where
/// the user says so.
std::vector<Part> parts_of_gas(spectral::MeshOfGas const& of, Workers const& workers,
                               std::optional<int> tiles);

}  // namespace tessera

// SPDX-License-Identifier: MIT
// Copies states out of a tile and into it, pack by pack, and into snapshots.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "graph/tasks/submit.hpp"

namespace tessera::spectral {

/// R state. Copies it to `states`, one for each pack of the tile in its order; on a core.
void submit_copy_out(DataHandle const& state, std::vector<std::span<std::byte>> states,
                     Placement const& placement);
/// W state. Copies it from `states`, one for each pack of the tile in its order.
void submit_copy_in(DataHandle const& state, std::vector<std::span<std::byte>> states,
                    Placement const& placement);

/// R state, W copy, which is as large; on a core.
void submit_snapshot(DataHandle const& state, DataHandle const& copy, Placement const& placement);

}  // namespace tessera::spectral

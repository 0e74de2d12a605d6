// SPDX-License-Identifier: MIT
// States out of a tile and into it, pack by pack, and copies of them for those who look.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "graph/tasks/submit.hpp"

namespace tessera::spectral {

/// R state to where the states of the tile's packs go, in its order; on a core.
void submit_copy_out(DataHandle const& state, std::vector<std::span<std::byte>> states,
                     Placement const& placement);
/// W state from there.
void submit_copy_in(DataHandle const& state, std::vector<std::span<std::byte>> states,
                    Placement const& placement);

/// R state, W copy, which is as large; on a core.
void submit_snapshot(DataHandle const& state, DataHandle const& copy, Placement const& placement);

}  // namespace tessera::spectral

// SPDX-License-Identifier: MIT
// Of how many tiles one may read the outboxes.
#pragma once

#include <span>
#include <string>

#include "lattice/errors.hpp"
#include "spectral/tiles.hpp"

namespace tessera::spectral {

/// What fits in the arguments of a kernel of a GPU.
inline constexpr std::size_t most_inboxes = 60;

/// Throws BadInput if a tile reads from more.
inline void check_inboxes(std::span<ElementTile const> tiles) {
  for (ElementTile const& tile : tiles) {
    if (tile.neighbours.size() <= most_inboxes) continue;
    throw BadInput("a tile has " + std::to_string(tile.neighbours.size()) +
                   " neighbours, at most " + std::to_string(most_inboxes) +
                   " can be: use fewer tiles");
  }
}

}  // namespace tessera::spectral

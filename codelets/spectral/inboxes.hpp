// SPDX-License-Identifier: MIT
// How many outboxes a tile may have and read.
#pragma once

#include <span>
#include <string>

#include "base/errors.hpp"
#include "partition/spectral/tiles.hpp"

namespace tessera::spectral {

/// What fits in the arguments of a kernel of a GPU.
inline constexpr std::size_t most_inboxes = 60;
inline constexpr std::size_t most_outboxes = 30;

/// Throws BadInput if a tile has more.
inline void check_boxes(std::span<ElementTile const> tiles) {
  for (ElementTile const& tile : tiles) {
    std::size_t const inboxes = tile.neighbours.size() + tile.foreign.size();
    if (inboxes > most_inboxes) {
      throw BadInput("a tile has " + std::to_string(inboxes) + " neighbours, at most " +
                     std::to_string(most_inboxes) + " can be: use fewer tiles");
    }
    if (tile.outboxes.size() > most_outboxes) {
      throw BadInput("a tile has neighbours in " + std::to_string(tile.outboxes.size() - 1) +
                     " processes, at most " + std::to_string(most_outboxes - 1) +
                     " can be: use fewer processes");
    }
  }
}

}  // namespace tessera::spectral

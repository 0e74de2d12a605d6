// SPDX-License-Identifier: MIT
// What crosses between tiles, the halo exchange: outgoing populations are packed into an outbox,
// incoming ones are read from the neighbours' outboxes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "codelets/lattice/block_rows.hpp"
#include "partition/lattice/tile.hpp"

namespace tessera {

/// Walks over the runs of a segment, one a direction: visit(position of the first value in the
/// lattice, in the outbox). Each run has segment.count values.
template <class Visit>
TESSERA_HOST_DEVICE void for_each_run(Segment const& segment, Visit&& visit) {
  std::uint32_t at = segment.at;
  for (std::uint32_t left = segment.directions; left != 0; left &= left - 1) {
    visit(segment.origin + lowest_bit(left) * segment.stride, at);
    at += segment.count;
  }
}

/// Copies the populations that leave a tile into its outboxes.
template <class Real>
void pack(TileView const& tile, Real const* populations, Real* const* outboxes) {
  for (std::uint32_t s = 0; s < tile.counts.sends; ++s) {
    Segment const& segment = tile.sends[s];
    Real* const outbox = outboxes[segment.box];
    for_each_run(segment, [&](std::uint32_t node, std::uint32_t at) {
      std::copy_n(populations + node, segment.count, outbox + at);
    });
  }
}

/// Copies the populations that enter a tile from the neighbours' outboxes into its halo.
template <class Real>
void unpack(TileView const& tile, Real const* const* outboxes, Real* populations) {
  for (std::uint32_t s = 0; s < tile.counts.receives; ++s) {
    Segment const& segment = tile.receives[s];
    Real const* const outbox = outboxes[segment.box];
    for_each_run(segment, [&](std::uint32_t node, std::uint32_t at) {
      std::copy_n(outbox + at, segment.count, populations + node);
    });
  }
}

}  // namespace tessera

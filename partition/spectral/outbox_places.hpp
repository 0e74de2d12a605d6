// SPDX-License-Identifier: MIT
// Where each side that leaves its tile stands in the outbox for its reader's rank: by reader, then
// in the order of the tile that it leaves. So who sends and who receives need not tell each other.
#pragma once

#include <cstdint>
#include <vector>

#include "partition/spectral/tiles.hpp"

namespace tessera::spectral {

/// Of each tile of all ranks its packs, in its order.
using PacksOfTile = std::vector<std::vector<std::int32_t>>;

class OutboxPlaces {
 public:
  /// In the tile's outbox of this number, from here on; a side that leaves no tile is in none.
  struct Place {
    std::int32_t outbox = -1;
    std::int64_t at = 0;
  };

  /// As `rank` needs them: what leaves its tiles, and what it reads of others.
  OutboxPlaces(MeshOfGas const& of, TileOfPack const& tile_of_pack, RankOfTile const& rank_of_tile,
               PacksOfTile const& packs_of_tile, std::int32_t rank);

  std::int32_t rank_of(std::int32_t tile) const {
    return rank_of_tile_.empty() ? 0 : rank_of_tile_[static_cast<std::size_t>(tile)];
  }
  bool is_own(std::int32_t tile) const { return rank_of(tile) == rank_; }
  std::int32_t tile_of(std::int32_t element) const;

  Place of_side(std::int32_t element, int side) const {
    return places_[static_cast<std::size_t>(element) * of_.mesh.sides() +
                   static_cast<std::size_t>(side)];
  }
  /// Of a tile, that of its own rank first, even if nobody reads it. Of a tile of another rank:
  /// what this one reads, behind an empty one.
  std::vector<Outbox> const& outboxes(std::int32_t tile) const {
    return outboxes_[static_cast<std::size_t>(tile)];
  }

 private:
  void place(std::int32_t tile, std::vector<std::int32_t> const& packs);

  MeshOfGas const& of_;
  TileOfPack const& tile_of_pack_;
  RankOfTile const& rank_of_tile_;
  std::int32_t rank_;
  std::vector<Place> places_;  ///< of each side of each element
  std::vector<std::vector<Outbox>> outboxes_;
};

}  // namespace tessera::spectral

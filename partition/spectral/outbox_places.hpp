// SPDX-License-Identifier: MIT
// Where each side that leaves its tile stands in the outbox for its reader's rank: by reader, then
// in the order of the tile that it leaves. So sender and receiver agree on the places without a
// message.
#pragma once

#include <cstdint>
#include <vector>

#include "partition/spectral/tiles.hpp"

namespace tessera::spectral {

/// The packs of each tile of all ranks, in the tile's order.
using PacksOfTile = std::vector<std::vector<std::int32_t>>;

class OutboxPlaces {
 public:
  /// A side's values begin here in the tile's outbox of this number; a side that leaves no tile is
  /// in none.
  struct Place {
    std::int32_t outbox = -1;
    std::int64_t at = 0;
  };

  /// The places that `rank` needs: of what leaves its tiles, and of what it reads of other ranks.
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
  /// The outboxes of a tile of this rank, the one for its own rank first, even if no tile reads it.
  /// A tile of another rank has an empty outbox first, then the one that this rank reads.
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

// SPDX-License-Identifier: MIT
#include "partition/spectral/outbox_places.hpp"

#include <algorithm>

namespace tessera::spectral {
namespace {

struct LeavingSide {
  std::int32_t reader;  ///< a tile
  std::int32_t element;
  std::size_t side;
};

}  // namespace

OutboxPlaces::OutboxPlaces(MeshOfGas const& of, TileOfPack const& tile_of_pack,
                           RankOfTile const& rank_of_tile, PacksOfTile const& packs_of_tile,
                           std::int32_t rank)
    : of_(of),
      tile_of_pack_(tile_of_pack),
      rank_of_tile_(rank_of_tile),
      rank_(rank),
      places_(of.mesh.elements() * of.mesh.sides()) {
  outboxes_.reserve(packs_of_tile.size());
  for (std::size_t t = 0; t < packs_of_tile.size(); ++t)
    place(static_cast<std::int32_t>(t), packs_of_tile[t]);
}

std::int32_t OutboxPlaces::tile_of(std::int32_t element) const {
  spectral::Place const place = of_.packs.place_of[static_cast<std::size_t>(element)];
  return tile_of_pack_[static_cast<std::size_t>(place.pack)];
}

void OutboxPlaces::place(std::int32_t tile, std::vector<std::int32_t> const& packs) {
  Mesh const& mesh = of_.mesh;
  std::vector<LeavingSide> sides;
  for (std::int32_t const p : packs) {
    Pack const& pack = of_.packs.packs[static_cast<std::size_t>(p)];
    for (std::int32_t lane = 0; lane < pack.elements; ++lane) {
      std::int32_t const e = pack.element[static_cast<std::size_t>(lane)];
      for (std::size_t side = 0; side < mesh.sides(); ++side) {
        std::int32_t const there = mesh.face(static_cast<std::size_t>(e), side).neighbour;
        if (there < 0) continue;
        std::int32_t const reader = tile_of(there);
        if (reader != tile && (is_own(tile) || is_own(reader))) sides.push_back({reader, e, side});
      }
    }
  }
  std::ranges::stable_sort(sides, {}, &LeavingSide::reader);
  std::vector<Outbox>& outboxes = outboxes_.emplace_back();
  outboxes.push_back({rank_of(tile), 0});
  for (LeavingSide const& side : sides) {
    auto const e = static_cast<std::size_t>(side.element);
    std::int32_t const to = rank_of(side.reader);
    if (to != outboxes.front().rank && to != outboxes.back().rank) outboxes.push_back({to, 0});
    auto const outbox = std::ranges::find(outboxes, to, &Outbox::rank);
    places_[e * mesh.sides() + side.side] = {static_cast<std::int32_t>(outbox - outboxes.begin()),
                                             outbox->numbers};
    outbox->numbers +=
        std::int64_t{variables} * PackShape{mesh.dimension, mesh.degree[e]}.side_points();
  }
}

}  // namespace tessera::spectral

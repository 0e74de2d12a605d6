// SPDX-License-Identifier: MIT
#include "partition/spectral/tiles.hpp"

#include <algorithm>
#include <set>

#include "partition/spectral/element_geometries.hpp"
#include "partition/spectral/outbox_places.hpp"
#include "partition/spectral/side_parts.hpp"
#include "partition/spectral/tile_tables.hpp"

namespace tessera::spectral {
namespace {

std::size_t index(std::integral auto i) { return static_cast<std::size_t>(i); }

template <class N>
class TileMaker {
 public:
  TileMaker(MeshOfGas const& of, PacksOfTile const& packs_of_tile, OutboxPlaces const& outboxes)
      : of_(of), mesh_(of.mesh), geometries_(of.mesh), outboxes_(outboxes) {
    place_packs(packs_of_tile);
    for (std::size_t t = 0; t < packs_of_tile.size(); ++t) {
      auto const number = static_cast<std::int32_t>(t);
      if (!outboxes.is_own(number)) continue;
      if (all_.tiles.empty()) all_.first_tile = number;
      all_.tiles.push_back(make(number, packs_of_tile[t]));
    }
  }
  ElementTiles take() { return std::move(all_); }

 private:
  ElementTile make(std::int32_t number, std::vector<std::int32_t> const& packs) {
    tile_ = {};
    tables_ = {};
    tile_.packs = packs;
    tile_.counts.dimension = mesh_.dimension;
    tile_.counts.packs = static_cast<std::int32_t>(packs.size());
    find_neighbours(number);
    for (std::int32_t const pack : packs) add_pack(number, pack);
    add_groups();
    tile_.tables = tables_.in_one(tile_.counts);
    return std::move(tile_);
  }

  Pack const& pack(std::int32_t number) const { return of_.packs.packs[index(number)]; }
  PackShape shape(int degree) const { return {mesh_.dimension, degree}; }
  std::int32_t tile_of(std::int32_t element) const { return outboxes_.tile_of(element); }

  /// Where each pack's traces begin in its tile.
  void place_packs(PacksOfTile const& packs_of_tile) {
    traces_of_pack_.resize(of_.packs.packs.size());
    for (auto const& packs : packs_of_tile) {
      std::int64_t at = 0;
      for (std::int32_t const p : packs) {
        traces_of_pack_[index(p)] = at;
        at += shape(pack(p).degree).traces_size();
      }
    }
  }

  void find_neighbours(std::int32_t number) {
    std::set<std::int32_t> found;
    for (std::int32_t const p : tile_.packs) {
      for (int lane = 0; lane < pack(p).elements; ++lane) {
        for (std::size_t s = 0; s < mesh_.sides(); ++s) {
          std::int32_t const other = mesh_.face(index(pack(p).element[index(lane)]), s).neighbour;
          if (other >= 0 && tile_of(other) != number) found.insert(tile_of(other));
        }
      }
    }
    senders_.assign(found.begin(), found.end());
    // Tiles are numbered rank by rank, but here those of this rank come first.
    std::ranges::stable_partition(senders_, [&](std::int32_t t) { return outboxes_.is_own(t); });
    for (std::int32_t const sender : senders_) {
      if (outboxes_.is_own(sender)) {
        tile_.neighbours.push_back(sender - all_.first_tile);
      } else {
        tile_.foreign.push_back(foreign_outbox(sender));
      }
    }
    tile_.outboxes = outboxes_.outboxes(number);
    tile_.counts.outboxes = static_cast<std::int32_t>(tile_.outboxes.size());
  }

  /// Number of the outbox of a tile of another rank.
  std::int32_t foreign_outbox(std::int32_t sender) {
    auto const known = std::ranges::find(all_.foreign, sender, &ForeignOutbox::tile);
    auto const number = static_cast<std::int32_t>(known - all_.foreign.begin());
    if (known == all_.foreign.end()) {
      Outbox const& for_us = outboxes_.outboxes(sender).back();
      all_.foreign.push_back({sender, outboxes_.rank_of(sender), for_us.numbers});
    }
    return number;
  }

  void add_pack(std::int32_t number, std::int32_t p) {
    Pack const& from = pack(p);
    PackShape const of = shape(from.degree);
    TilePack& to = tables_.packs.emplace_back();
    to.degree = from.degree;
    to.elements = from.elements;
    to.state = tile_.counts.state_numbers;
    to.traces = tile_.counts.trace_numbers;
    tile_.counts.state_numbers += of.state_size();
    tile_.counts.trace_numbers += of.traces_size();
    tile_.counts.points += std::int64_t{from.elements} * of.points();

    std::vector<ElementGeometry> geometry;
    geometry.reserve(index(from.elements));
    for (int lane = 0; lane < from.elements; ++lane)
      geometry.push_back(geometries_.of(from.element[index(lane)]));
    add_geometry(to, of, geometry);
    SideParts<N> parts(of_, geometries_, outboxes_, number, tables_);
    to.first_leaving = static_cast<std::int32_t>(tables_.leaving.size());
    for (int side = 0; side < of.sides(); ++side) {
      to.first_part[side] = static_cast<std::int32_t>(tables_.parts.size());
      add_links(number, from, side);
      parts.add(from, side);
      add_leaving(number, from, of, side, to.traces);
    }
    for (int side = of.sides(); side < 7; ++side)
      to.first_part[side] = static_cast<std::int32_t>(tables_.parts.size());
    to.leaving = static_cast<std::int32_t>(tables_.leaving.size()) - to.first_leaving;
  }

  void add_geometry(TilePack& to, PackShape of, std::vector<ElementGeometry> const& geometry) {
    bool const affine = std::ranges::all_of(geometry, &ElementGeometry::affine);
    to.affine = affine ? 1 : 0;
    // Lanes behind the last element are padded with the first one.
    auto const lane_of = [&](int lane) -> ElementGeometry const& {
      return geometry[index(lane) < geometry.size() ? index(lane) : 0];
    };
    to.metrics = static_cast<std::int64_t>(tables_.geometry.size());
    for (int d = 0; d < of.dimension; ++d) {
      for (int f = 0; f < (affine ? 1 : of.degree + 2); ++f) {
        for (int c = 0; c < of.dimension; ++c) {
          for (int line = 0; line < (affine ? 1 : of.side_points()); ++line) {
            for (int lane = 0; lane < lanes; ++lane)
              tables_.geometry.push_back(static_cast<N>(metric(lane_of(lane), of, d, f, c, line)));
          }
        }
      }
    }
    to.jacobian = static_cast<std::int64_t>(tables_.geometry.size());
    for (int point = 0; point < (affine ? 1 : of.points()); ++point) {
      for (int lane = 0; lane < lanes; ++lane) {
        auto const& jacobian = lane_of(lane).jacobian;
        tables_.geometry.push_back(
            static_cast<N>(1 / jacobian[jacobian.size() > 1 ? index(point) : 0]));
      }
    }
  }

  void add_links(std::int32_t number, Pack const& from, int side) {
    for (std::int32_t const e : from.element) {
      Link& link = tables_.links.emplace_back();
      Face const& face = mesh_.face(index(e), index(side));
      if (face.neighbour < 0) continue;
      link.turn = face.turn;
      std::int32_t const tile = tile_of(face.neighbour);
      if (tile == number) {
        Place const there = of_.packs.place_of[index(face.neighbour)];
        link.begin = traces_of_pack_[index(there.pack)] +
                     shape(mesh_.degree[index(face.neighbour)]).trace_at(face.side, 0, 0) +
                     there.lane;
        link.stride = lanes;
      } else {
        auto const inbox = std::ranges::find(senders_, tile);
        link.source = 1 + static_cast<std::int32_t>(inbox - senders_.begin());
        link.begin = outboxes_.of_side(face.neighbour, face.side).at;
        link.stride = 1;
      }
    }
  }

  void add_leaving(std::int32_t number, Pack const& from, PackShape of, int side,
                   std::int64_t traces) {
    for (int lane = 0; lane < from.elements; ++lane) {
      std::int32_t const e = from.element[index(lane)];
      Face const& face = mesh_.face(index(e), index(side));
      if (face.neighbour < 0 || tile_of(face.neighbour) == number) continue;
      OutboxPlaces::Place const to = outboxes_.of_side(e, side);
      tables_.leaving.push_back({traces + of.trace_at(side, 0, 0) + lane, to.at,
                                 variables * of.side_points(), to.outbox});
    }
  }

  void add_groups() {
    TileCounts& counts = tile_.counts;
    for (std::size_t i = 0; i < tables_.packs.size(); ++i) {
      if (counts.groups == 0 || counts.group[counts.groups - 1].degree != tables_.packs[i].degree)
        counts.group[counts.groups++] = {tables_.packs[i].degree, static_cast<std::int32_t>(i), 0,
                                         0};
      DegreeGroup& group = counts.group[counts.groups - 1];
      ++group.packs;
      if (tables_.packs[i].affine == 0) group.curved = 1;
    }
  }

  MeshOfGas const& of_;
  Mesh const& mesh_;
  ElementGeometries geometries_;
  OutboxPlaces const& outboxes_;
  std::vector<std::int64_t> traces_of_pack_;
  ElementTiles all_;

  // State of the tile that is being made.
  ElementTile tile_;
  std::vector<std::int32_t> senders_;  ///< tiles of all ranks, in the order of the inboxes
  TileTables<N> tables_;
};

}  // namespace

template <class N>
ElementTiles make_tiles(MeshOfGas const& of, TileOfPack const& tile_of_pack,
                        RankOfTile const& rank_of_tile, std::int32_t rank) {
  PacksOfTile packs_of_tile;
  for (std::size_t p = 0; p < tile_of_pack.size(); ++p) {
    std::size_t const t = index(tile_of_pack[p]);
    if (t >= packs_of_tile.size()) packs_of_tile.resize(t + 1);
    packs_of_tile[t].push_back(static_cast<std::int32_t>(p));
  }
  for (auto& packs : packs_of_tile)
    std::ranges::stable_sort(packs, {},
                             [&](std::int32_t p) { return of.packs.packs[index(p)].degree; });
  OutboxPlaces const outboxes(of, tile_of_pack, rank_of_tile, packs_of_tile, rank);
  return TileMaker<N>(of, packs_of_tile, outboxes).take();
}

template ElementTiles make_tiles<double>(MeshOfGas const&, TileOfPack const&, RankOfTile const&,
                                         std::int32_t);
template ElementTiles make_tiles<float>(MeshOfGas const&, TileOfPack const&, RankOfTile const&,
                                        std::int32_t);

}  // namespace tessera::spectral

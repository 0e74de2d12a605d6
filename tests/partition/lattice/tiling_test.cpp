// SPDX-License-Identifier: MIT
#include "partition/lattice/tiling.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <map>
#include <tuple>
#include <utility>

#include "geometry/generate.hpp"
#include "models/lattice/d3q19.hpp"
#include "partition/lattice/block_graph.hpp"
#include "tests/partition/lattice/random_geometry.hpp"

namespace tessera {
namespace {

/// Number that stands for population q of a voxel.
std::int64_t code(Geometry const& geometry, Int3 voxel, int q) {
  return static_cast<std::int64_t>(linear_index(geometry.shape, voxel)) * D3Q19::size + q + 1;
}

/// The rank and the part that read an outbox.
using Readers = std::pair<std::int32_t, std::int32_t>;
Readers key_of(Outbox const& outbox) { return {outbox.rank, outbox.part}; }

/// One tile with codes for populations, and the outboxes that it fills.
struct CodedTile {
  TileView view;
  std::map<std::uint32_t, Int3> voxel_of_slot;
  std::map<Readers, std::vector<std::int64_t>> outboxes;
  std::vector<std::int64_t> populations;  ///< codes, by position; 0: none is there
};

/// Puts a code at a place, which has to exist; returns whether it was free.
bool put(CodedTile& tile, std::uint32_t at, std::int64_t code) {
  return std::exchange(tile.populations.at(at), code) == 0;
}

CodedTile read_tile(Tile const& tile, Tiling const& tiling, Geometry const& geometry) {
  CodedTile coded{.view = view_of(tile)};
  coded.populations.resize(tile.population_values);
  for (std::size_t b = 0; b < tile.blocks.size(); ++b) {
    Int3 const origin = origin_of(tiling, tile, b);
    for (int r = 0; r < rows_per_block; ++r) {
      Row const& row = coded.view.rows[b * rows_per_block + static_cast<std::size_t>(r)];
      std::uint32_t slot = row.first;
      for (std::uint32_t left = row.mask; left != 0; left &= left - 1, ++slot) {
        Int3 const voxel = origin + Int3{std::countr_zero(left), r % 8, r / 8};
        EXPECT_TRUE(coded.voxel_of_slot.emplace(slot, voxel).second) << "slot " << slot << " twice";
        EXPECT_LT(slot, tile.counts.slots);
        for (int q = 0; q < D3Q19::size; ++q) {
          auto const at = population_at(coded.view.blocks[b], static_cast<std::uint32_t>(q), slot);
          EXPECT_TRUE(put(coded, at, code(geometry, voxel, q))) << "two populations share a place";
        }
      }
    }
  }
  EXPECT_EQ(coded.voxel_of_slot.size(), tile.counts.nodes);
  return coded;
}

void fill_outboxes(CodedTile& tile, Tile const& built) {
  EXPECT_EQ(built.counts.outboxes, built.outboxes.size());
  for (Outbox const& outbox : built.outboxes)
    tile.outboxes[key_of(outbox)].assign(outbox.values, 0);
  for (std::uint32_t s = 0; s < tile.view.counts.sends; ++s) {
    Segment const& send = tile.view.sends[s];
    auto& outbox = tile.outboxes.at(key_of(built.outboxes.at(send.box)));
    std::size_t at = send.at;
    for (int q = 0; q < D3Q19::size; ++q) {
      for (std::uint32_t i = 0; (send.directions >> q & 1U) != 0 && i < send.count; ++i, ++at) {
        ASSERT_LT(at, outbox.size());
        EXPECT_EQ(outbox[at], 0) << "two segments write the same place";
        outbox[at] =
            tile.populations.at(send.origin + static_cast<std::uint32_t>(q) * send.stride + i);
        EXPECT_NE(outbox[at], 0) << "a place without a population is sent";
      }
    }
  }
  for (auto const& [readers, outbox] : tile.outboxes)
    EXPECT_EQ(std::ranges::count(outbox, 0), 0) << "places that nobody writes";
}

/// Tiles by their numbers among those of all ranks.
using CodedTiles = std::map<std::int32_t, CodedTile>;

/// The outbox that a tile finds at this place.
std::vector<std::int64_t> const& inbox(CodedTiles const& tiles, Tiling const& tiling,
                                       Tile const& reader, std::uint16_t box, std::int32_t rank) {
  if (box < reader.neighbours.size()) {
    std::int32_t const n = reader.neighbours[box];
    Tile const& sender = tiling.tiles.at(static_cast<std::size_t>(n));
    Outbox const& outbox = sender.outboxes.at(sender.outbox_for(rank, reader.part));
    return tiles.at(tiling.first_tile + n).outboxes.at(key_of(outbox));
  }
  std::int32_t const number = reader.foreign.at(box - reader.neighbours.size());
  ForeignOutbox const& from = tiling.foreign.at(static_cast<std::size_t>(number));
  EXPECT_NE(from.rank, rank);
  auto const& sent = tiles.at(from.tile).outboxes.at({rank, Outbox::all_parts});
  EXPECT_EQ(from.values, sent.size());
  return sent;
}

void fill_halo(CodedTile& tile, Tile const& built, CodedTiles const& tiles, Tiling const& tiling,
               std::int32_t rank) {
  for (std::uint32_t s = 0; s < tile.view.counts.receives; ++s) {
    Segment const& receive = tile.view.receives[s];
    auto const& outbox = inbox(tiles, tiling, built, receive.box, rank);
    std::size_t at = receive.at;
    for (int q = 0; q < D3Q19::size; ++q) {
      for (std::uint32_t i = 0; (receive.directions >> q & 1U) != 0 && i < receive.count; ++i) {
        std::uint32_t const to =
            receive.origin + static_cast<std::uint32_t>(q) * receive.stride + i;
        EXPECT_LT(to, built.population_values);
        EXPECT_TRUE(put(tile, to, outbox.at(at++)))
            << "two rows of the halo share a place that both use";
      }
    }
  }
}

/// Code of the population q that enters a voxel, found as a kernel finds it, by the table of
/// neighbour blocks; 0 if there is a wall.
std::int64_t incoming(CodedTile const& tile, std::size_t b, Int3 inside, int q) {
  Int3 from = inside - Int3{D3Q19::x(q), D3Q19::y(q), D3Q19::z(q)};
  Int3 d;
  for (Axis a : all_axes) {
    d[a] = from[a] < 0 ? -1 : from[a] >= tile.view.blocks[b].extent[index_of(a)] ? 1 : 0;
  }
  std::int32_t const n =
      tile.view
          .neighbours[b * 27 + static_cast<std::size_t>(d.x + 1 + 3 * (d.y + 1) + 9 * (d.z + 1))];
  if (n < 0) return 0;
  auto const beside = static_cast<std::size_t>(n);
  for (Axis a : all_axes) {
    if (d[a] != 0) from[a] = d[a] > 0 ? 0 : tile.view.blocks[beside].extent[index_of(a)] - 1;
  }
  Row const& row = tile.view.rows[number_of_row(tile.view.blocks[beside], static_cast<int>(from.y),
                                                static_cast<int>(from.z))];
  if ((row.mask >> from.x & 1U) == 0) return 0;
  std::uint32_t const below = row.mask & ((1U << from.x) - 1);
  std::uint32_t const slot = row.first + static_cast<std::uint32_t>(std::popcount(below));
  std::int64_t const found = tile.populations.at(
      population_at(tile.view.blocks[beside], static_cast<std::uint32_t>(q), slot));
  return found == 0 ? -1 : found;
}

/// Expects the tiles of all ranks to be right.
void expect_right(Geometry const& geometry, TwoLevelCut const& cut, BlockGrid const& grid,
                  Layout layout) {
  std::vector<Tiling> tilings;
  std::int32_t const last = cut.rank_of(static_cast<std::int32_t>(cut.part_of_tile.size()) - 1);
  for (std::int32_t rank = 0; rank <= last; ++rank)
    tilings.push_back(build_tiling(grid, cut, std::vector<Layout>(8, layout), rank));
  CodedTiles tiles;
  std::vector<int> owners(geometry.pore.size(), 0);
  for (Tiling const& tiling : tilings) {
    EXPECT_EQ(tiling.nodes, geometry.pore_voxels());
    EXPECT_EQ(tiling.image_shape, geometry.shape);
    std::int32_t number = tiling.first_tile;
    for (Tile const& tile : tiling.tiles) {
      EXPECT_GT(tile.counts.nodes, 0U);
      EXPECT_LE(19 * tile.counts.slots + tile.counts.halo_values, tile.population_values);
      EXPECT_LE(19 * tile.counts.slots, tile.kept_values);
      EXPECT_LE(tile.kept_values, tile.population_values);
      CodedTile coded = read_tile(tile, tiling, geometry);
      for (auto const& [slot, voxel] : coded.voxel_of_slot)
        ++owners[linear_index(geometry.shape, voxel)];
      ASSERT_NO_FATAL_FAILURE(fill_outboxes(coded, tile));
      tiles.emplace(number++, std::move(coded));
    }
  }
  for (std::size_t i = 0; i < owners.size(); ++i) ASSERT_EQ(owners[i], geometry.pore[i]);

  for (std::int32_t rank = 0; rank <= last; ++rank) {
    Tiling const& tiling = tilings[static_cast<std::size_t>(rank)];
    for (std::size_t t = 0; t < tiling.tiles.size(); ++t) {
      Tile const& built = tiling.tiles[t];
      CodedTile& tile = tiles.at(tiling.number_of(t));
      fill_halo(tile, built, tiles, tiling, rank);
      for (std::size_t b = 0; b < built.blocks.size(); ++b) {
        Int3 const origin = origin_of(tiling, built, b);
        auto const& extent = tile.view.blocks[b].extent;
        test::for_each_voxel({extent[0], extent[1], extent[2]}, [&](Int3 inside) {
          if (!geometry.is_pore(origin + inside)) return;
          for (int q = 1; q < D3Q19::size; ++q) {
            auto const source =
                test::follow(geometry, origin + inside, {-D3Q19::x(q), -D3Q19::y(q), -D3Q19::z(q)});
            std::int64_t const expected =
                source && geometry.is_pore(*source) ? code(geometry, *source, q) : 0;
            EXPECT_EQ(incoming(tile, b, inside, q), expected);
          }
        });
      }
    }
  }
}

/// A cut whose tiles are all of part 0. `rank_of_tile`: empty for one rank.
TwoLevelCut cut_of(TileOfBlock const& tile_of_block, std::vector<std::int32_t> rank_of_tile = {}) {
  auto const tiles = static_cast<std::size_t>(*std::ranges::max_element(tile_of_block) + 1);
  return {tile_of_block, std::vector<std::int32_t>(tiles, 0), std::move(rank_of_tile)};
}

std::int64_t outbox_values(Tiling const& tiling) {
  std::int64_t values = 0;
  for (Tile const& tile : tiling.tiles) values += tile.counts.outbox_values;
  return values;
}

TEST(Tiling, EveryNodeIsInOneTileAndFindsEveryPopulationThatEnters) {
  for (Int3 const shape : {Int3{70, 21, 19}, Int3{33, 9, 8}, Int3{40, 17, 10}, Int3{32, 8, 8}}) {
    for (double const porosity : {0.05, 0.4, 1.0}) {
      for (bool const wraps : {true, false}) {
        Geometry const geometry = test::random_geometry(shape, porosity, 17, {wraps, wraps, wraps});
        BlockGrid const grid(geometry);
        for (std::int32_t const tiles : {1, 3, 8}) {
          if (tiles > grid.size()) continue;
          for (Layout const layout : {Layout::apart, Layout::together})
            expect_right(geometry, cut_of(cut_with_metis(block_graph(grid), tiles)), grid, layout);
          TileOfBlock cards(static_cast<std::size_t>(grid.size()));
          for (std::size_t b = 0; b < cards.size(); ++b)
            cards[b] = static_cast<std::int32_t>(b) % tiles;
          expect_right(geometry, cut_of(cards), grid, Layout::together);
        }
      }
    }
  }
}

TEST(Tiling, RanksFindWhatOthersSendThem) {
  for (bool const wraps : {true, false}) {
    Geometry const geometry = test::random_geometry({70, 21, 27}, 0.4, 17, {wraps, wraps, wraps});
    BlockGrid const grid(geometry);
    TileOfBlock const cut = cut_with_metis(block_graph(grid), 8);
    for (Layout const layout : {Layout::apart, Layout::together}) {
      expect_right(geometry, cut_of(cut, {0, 0, 0, 0, 1, 1, 1, 1}), grid, layout);
      expect_right(geometry, cut_of(cut, {0, 1, 1, 1, 2, 2, 3, 3}), grid, layout);
      expect_right(geometry, cut_of(cut, {0, 1, 2, 3, 4, 5, 6, 7}), grid, layout);
    }
  }
}

TEST(Tiling, PartsFindWhatOthersHaveForThem) {
  for (bool const wraps : {true, false}) {
    Geometry const geometry = test::random_geometry({70, 21, 27}, 0.4, 17, {wraps, wraps, wraps});
    BlockGrid const grid(geometry);
    TwoLevelCut cut = cut_of(cut_with_metis(block_graph(grid), 8));
    std::int64_t const shared = outbox_values(build_tiling(grid, cut.tile_of_block));
    for (bool const ranks : {false, true}) {
      if (ranks) cut.rank_of_tile = {0, 0, 0, 0, 0, 1, 1, 1};
      cut.part_of_tile = {0, 0, 1, 1, 2, 0, 0, 1};
      cut.outbox_for_each_part = true;
      expect_right(geometry, cut, grid, Layout::together);
    }
    // Each population that crosses stands in one outbox, whoever reads it.
    cut.rank_of_tile.clear();
    EXPECT_EQ(outbox_values(build_tiling(grid, cut, std::vector<Layout>(8, Layout::apart))),
              shared);
  }
}

TEST(Tiling, EveryReceiveHasItsSend) {
  BlockGrid const grid(overlapping_spheres({70, 45, 37}, 5, 0.35, 7).geometry);
  Tiling const tiling = build_tiling(grid, cut_with_metis(block_graph(grid), 12));
  using Key = std::tuple<std::int32_t, std::uint32_t, std::uint16_t, std::uint32_t>;
  std::vector<Key> sent;
  std::vector<Key> received;
  for (std::size_t t = 0; t < tiling.tiles.size(); ++t) {
    Tile const& tile = tiling.tiles[t];
    TileView const view = view_of(tile);
    for (std::uint32_t s = 0; s < tile.counts.sends; ++s) {
      Segment const& send = view.sends[s];
      sent.emplace_back(static_cast<std::int32_t>(t), send.at, send.count, send.directions);
    }
    EXPECT_TRUE(std::ranges::is_sorted(tile.neighbours));
    for (std::uint32_t r = 0; r < tile.counts.receives; ++r) {
      Segment const& receive = view.receives[r];
      std::int32_t const from = tile.neighbours.at(receive.box);
      EXPECT_NE(from, static_cast<std::int32_t>(t));
      received.emplace_back(from, receive.at, receive.count, receive.directions);
    }
  }
  std::ranges::sort(sent);
  std::ranges::sort(received);
  EXPECT_FALSE(sent.empty());
  EXPECT_EQ(sent, received);
}

TEST(Tiling, BlocksStartAtCacheLines) {
  BlockGrid const grid(test::random_geometry({70, 21, 19}, 0.3, 2));
  Tiling const tiling = build_tiling(grid, cut_with_metis(block_graph(grid), 4));
  for (Tile const& tile : tiling.tiles) {
    TileView const view = view_of(tile);
    for (std::uint32_t b = 0; b < tile.counts.blocks; ++b)
      EXPECT_EQ(view.blocks[b].first % node_alignment, 0U);
  }
}

}  // namespace
}  // namespace tessera

// SPDX-License-Identifier: MIT
#include "partition/lattice/tiling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <functional>
#include <limits>
#include <map>
#include <utility>

#include "base/errors.hpp"
#include "base/settings.hpp"
#include "partition/lattice/halo_places.hpp"
#include "partition/lattice/tile_draft.hpp"

namespace tessera {
namespace {

constexpr std::uint32_t round_up(std::uint32_t value, std::uint32_t unit) {
  return (value + unit - 1) / unit * unit;
}

/// Room for a population of a block. Arrays a multiple of 2 kB apart would share the same few sets
/// of a core's cache.
constexpr std::uint32_t stride_of(std::uint32_t nodes) {
  std::uint32_t const stride = round_up(nodes, node_alignment);
  return stride % 512 == 0 ? stride + node_alignment : stride;
}

TileBlock tile_block(Block const& block, std::uint32_t first, std::uint32_t stride,
                     std::uint32_t rows, std::uint8_t row_pitch) {
  return {first,
          static_cast<std::uint32_t>(block.nodes),
          0,
          stride,
          rows,
          {static_cast<std::uint8_t>(block.extent.x), static_cast<std::uint8_t>(block.extent.y),
           static_cast<std::uint8_t>(block.extent.z)},
          row_pitch};
}

void number_own_nodes(Draft& tile, BlockGrid const& grid) {
  std::uint64_t slot = 0;
  for (std::int32_t b : tile.own_blocks) {
    Block const& block = grid.blocks()[static_cast<std::size_t>(b)];
    std::uint32_t const stride = stride_of(static_cast<std::uint32_t>(block.nodes));
    tile.blocks.push_back(tile_block(block, static_cast<std::uint32_t>(slot), stride,
                                     static_cast<std::uint32_t>(tile.rows.size()), block_edge));
    auto node = static_cast<std::uint32_t>(slot);
    for (std::uint32_t mask : block.rows) {
      tile.rows.push_back({mask, node});
      node += static_cast<std::uint32_t>(std::popcount(mask));
    }
    slot += stride;
    tile.counts.nodes += static_cast<std::uint32_t>(block.nodes);
  }
  // Positions of populations must fit 31 bits, with room for a halo.
  static_assert(most_velocities <= 32, "directions are bits of 32");
  if (slot > std::numeric_limits<std::int32_t>::max() / (most_velocities + 1)) {
    throw BadInput(fmt::format("a tile of {} nodes is too large: use more tiles ({})", slot,
                               setting_name("tiles")));
  }
  tile.counts.slots = static_cast<std::uint32_t>(slot);
  tile.counts.blocks = static_cast<std::uint32_t>(tile.own_blocks.size());
}

/// The rows of a block in the halo that the tile's own blocks touch.
struct TouchedRows {
  std::array<std::int64_t, 2> lower{block_edge, block_edge};  ///< y and z
  std::array<std::int64_t, 2> upper{};                        ///< one past the last

  /// Adds the rows touched by a block from which this one, `other`, lies in direction d.
  void add(Block const& other, Int3 d) {
    std::size_t i = 0;
    for (Axis const a : {Axis::y, Axis::z}) {
      lower[i] = std::min<std::int64_t>(lower[i], d[a] < 0 ? other.extent[a] - 1 : 0);
      upper[i] = std::max<std::int64_t>(upper[i], d[a] > 0 ? 1 : other.extent[a]);
      ++i;
    }
  }
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (std::int64_t z = lower[1]; z < upper[1]; ++z) {
      for (std::int64_t y = lower[0]; y < upper[0]; ++y)
        visit(row_index(static_cast<int>(y), static_cast<int>(z)));
    }
  }
};

/// Gives the halo its blocks and rows, and the populations in it their places.
void number_halo_nodes(Draft& tile, BlockGrid const& grid, Halo const& halo,
                       std::map<std::int32_t, TouchedRows> const& touched,
                       std::map<std::int32_t, std::int32_t>& local) {
  HaloPlaces places;
  std::map<std::pair<std::int32_t, int>, std::uint32_t> place_of;  // by block and row
  std::vector<HaloRow> rows_to_place = rows_in_order(halo);
  tile.halo_rows = rows_to_place;
  std::ranges::stable_sort(rows_to_place, std::greater{},
                           [](HaloRow const& row) { return std::popcount(row.directions); });
  for (HaloRow const& row : rows_to_place) {
    place_of[{row.block, row.row}] =
        places.add(row.directions, static_cast<std::uint32_t>(std::popcount(row.mask)));
  }
  tile.counts.halo_values = places.values();
  for (HaloRow const& row : tile.halo_rows) {
    tile.receives.push_back({place_of.at({row.block, row.row}), halo_stride, 0, row.directions,
                             static_cast<std::uint16_t>(std::popcount(row.mask)), 0});
  }

  for (auto const& [n, rows] : halo.blocks) {
    Block const& block = grid.blocks()[static_cast<std::size_t>(n)];
    TouchedRows const& there = touched.at(n);
    auto const pitch = there.upper[0] - there.lower[0];
    auto const begin = static_cast<std::int64_t>(tile.rows.size());
    local[n] = static_cast<std::int32_t>(tile.blocks.size());
    tile.blocks.push_back(
        tile_block(block, 0, halo_stride,
                   static_cast<std::uint32_t>(begin - there.lower[0] - pitch * there.lower[1]),
                   static_cast<std::uint8_t>(pitch)));
    there.for_each([&](int r) {
      std::uint32_t const mask = rows[static_cast<std::size_t>(r)].mask;
      tile.rows.push_back({mask, mask == 0 ? 0 : place_of.at({n, r})});
    });
  }
  tile.counts.halo_blocks = static_cast<std::uint32_t>(halo.blocks.size());
  tile.counts.rows = static_cast<std::uint32_t>(tile.rows.size());
}

Draft draft_tile(BlockGrid const& grid, TileOfBlock const& tile_of_block,
                 std::vector<std::int32_t> own_blocks) {
  Draft tile;
  tile.own_blocks = std::move(own_blocks);
  number_own_nodes(tile, grid);
  std::map<std::int32_t, std::int32_t> local;
  for (std::size_t i = 0; i < tile.own_blocks.size(); ++i)
    local[tile.own_blocks[i]] = static_cast<std::int32_t>(i);

  Halo halo;
  std::map<std::int32_t, TouchedRows> touched;
  std::int32_t const self = tile_of_block[static_cast<std::size_t>(tile.own_blocks.front())];
  std::vector<std::int32_t> beside;  // global numbers; -1 where nothing comes from
  for (std::int32_t b : tile.own_blocks) {
    for (int k = 0; k < blocks_around; ++k) {
      Int3 const d{k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1};
      std::int32_t n = grid.neighbour(b, d);
      if (n >= 0 && tile_of_block[static_cast<std::size_t>(n)] != self) {
        Block const& other = grid.blocks()[static_cast<std::size_t>(n)];
        if (need_rows(halo, grid.lattice(), grid.blocks()[static_cast<std::size_t>(b)], n, other, d,
                      grid.needs_all(b))) {
          touched[n].add(other, d);
        } else {
          n = -1;
        }
      }
      beside.push_back(n);
    }
  }
  number_halo_nodes(tile, grid, halo, touched, local);
  for (std::int32_t const n : beside) tile.neighbours.push_back(n < 0 ? -1 : local.at(n));
  return tile;
}

/// A core's cache wants 19 arrays of this length to fall on different sets: an odd number of cache
/// lines modulo a page where they are stored in half precision, twice or four times that in others;
/// whole lines in all of them, so that they can be written past the cache.
constexpr std::uint32_t pitch_for(std::uint32_t slots) {
  constexpr std::uint32_t page = 1024;  // floats
  constexpr std::uint32_t remainder = 32 * 13;
  return round_up(slots > remainder ? slots - remainder : 0, page) + remainder;
}

/// What the tiles of a layout have in common, so that their buffers are interchangeable.
struct Room {
  std::uint32_t pitch = 0;     ///< from one population to the next where they stand apart
  std::size_t kept = 0;        ///< values of own nodes
  std::size_t population = 0;  ///< values of own nodes and of the halo, and a gap behind them
};

/// Values of the own nodes of a tile; behind them its halo begins.
std::uint32_t own_values(Draft const& tile, std::uint32_t velocities, std::uint32_t pitch) {
  return velocities * (tile.place == Layout::apart ? pitch : tile.counts.slots);
}

Room room_for(std::vector<Draft> const& tiles, Layout layout, std::uint32_t velocities) {
  auto const most = [&](auto&& of_tile) {
    std::uint32_t values = 0;
    for (Draft const& tile : tiles)
      if (tile.place == layout) values = std::max(values, of_tile(tile));
    return values;
  };
  Room room;
  room.pitch = pitch_for(most([](Draft const& tile) { return tile.counts.slots; }));
  room.kept = most([&](Draft const& tile) { return own_values(tile, velocities, room.pitch); });
  room.population = most([&](Draft const& tile) {
    // Cores read as many values as a group has nodes from a value on
    // (codelets/lattice/pull_plan.hpp).
    return own_values(tile, velocities, room.pitch) + tile.counts.halo_values + node_alignment;
  });
  return room;
}

/// Gives all populations their places.
void lay_out(Draft& tile, std::uint32_t velocities, Room const& room) {
  tile.population_values = room.population;
  tile.kept_values = room.kept;
  std::uint32_t const halo = own_values(tile, velocities, room.pitch) - halo_stride;
  for (std::size_t b = 0; b < tile.blocks.size(); ++b) {
    TileBlock& block = tile.blocks[b];
    if (b >= tile.counts.blocks) {
      block.base = halo;
    } else if (tile.place == Layout::apart) {
      block.stride = room.pitch;
    } else {
      // The arrays of the blocks before fill that many values for each node before this block.
      block.base = (velocities - 1) * block.first;
    }
  }
  for (Segment& receive : tile.receives) receive.origin += halo;
}

Tile finish(Draft&& draft) {
  Tile tile{.counts = draft.counts,
            .tables = std::vector<std::byte>(tables_bytes(draft.counts)),
            .blocks = std::move(draft.own_blocks),
            .neighbours = std::move(draft.neighbour_tiles),
            .foreign = std::move(draft.foreign),
            .outboxes = std::move(draft.outboxes),
            .part = draft.part,
            .population_values = draft.population_values,
            .kept_values = draft.kept_values};
  TileView const view = view_tables(tile.counts, tile.tables.data());
  auto const fill = [](auto const* table, auto const& values) {
    if (!values.empty())
      std::memcpy(const_cast<void*>(static_cast<void const*>(table)), values.data(),
                  values.size() * sizeof(values[0]));
  };
  fill(view.blocks, draft.blocks);
  fill(view.rows, draft.rows);
  fill(view.neighbours, draft.neighbours);
  fill(view.sends, draft.sends);
  fill(view.receives, draft.receives);
  return tile;
}

}  // namespace

Tiling build_tiling(BlockGrid const& grid, TileOfBlock const& tile_of_block, Layout layout) {
  auto const tiles = static_cast<std::size_t>(*std::ranges::max_element(tile_of_block) + 1);
  return build_tiling(grid, {tile_of_block, std::vector<std::int32_t>(tiles, 0), {}}, {layout});
}

Tiling build_tiling(BlockGrid const& grid, TwoLevelCut const& cut,
                    std::vector<Layout> const& layout_of_part, std::int32_t rank) {
  Tiling tiling{.lattice = grid.lattice(),
                .nodes = grid.nodes(),
                .blocks = grid.size(),
                .image_shape = grid.image_shape(),
                .block_origins = {},
                .rank_of_block = rank_of_blocks(cut)};
  auto const tiles = static_cast<std::int32_t>(cut.part_of_tile.size());
  while (tiling.first_tile < tiles && cut.rank_of(tiling.first_tile) != rank) ++tiling.first_tile;
  std::vector<std::vector<std::int32_t>> blocks_of(cut.part_of_tile.size());
  for (std::int32_t b = 0; b < grid.size(); ++b) {
    blocks_of[static_cast<std::size_t>(cut.tile_of_block[static_cast<std::size_t>(b)])].push_back(
        b);
    tiling.block_origins.push_back(grid.origin(b));
  }

  std::vector<Draft> drafts;
  for (std::int32_t t = tiling.first_tile; t < tiles && cut.rank_of(t) == rank; ++t) {
    auto const part = static_cast<std::size_t>(cut.part_of_tile[static_cast<std::size_t>(t)]);
    drafts.push_back(
        draft_tile(grid, cut.tile_of_block, std::move(blocks_of[static_cast<std::size_t>(t)])));
    drafts.back().part = static_cast<std::int32_t>(part);
    drafts.back().place = layout_of_part[part];
  }
  auto const velocities = static_cast<std::uint32_t>(velocities_of(grid.lattice()).size);
  for (Layout const layout : {Layout::apart, Layout::together}) {
    Room const room = room_for(drafts, layout, velocities);
    for (Draft& draft : drafts)
      if (draft.place == layout) lay_out(draft, velocities, room);
  }
  connect(tiling, drafts, grid, cut, rank);
  for (Draft& draft : drafts) tiling.tiles.push_back(finish(std::move(draft)));
  return tiling;
}

}  // namespace tessera

// SPDX-License-Identifier: MIT
#include "partition/tiling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <map>

#include "lattice/errors.hpp"
#include "partition/tile_draft.hpp"

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

TileBlock tile_block(Block const& block, std::uint32_t first, std::uint32_t stride) {
  return {first,
          static_cast<std::uint32_t>(block.nodes),
          0,
          stride,
          {static_cast<std::uint8_t>(block.extent.x), static_cast<std::uint8_t>(block.extent.y),
           static_cast<std::uint8_t>(block.extent.z)},
          0};
}

void number_own_nodes(Draft& tile, BlockGrid const& grid) {
  std::uint64_t slot = 0;
  for (std::int32_t b : tile.own_blocks) {
    Block const& block = grid.blocks()[static_cast<std::size_t>(b)];
    std::uint32_t const stride = stride_of(static_cast<std::uint32_t>(block.nodes));
    tile.blocks.push_back(tile_block(block, static_cast<std::uint32_t>(slot), stride));
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
    throw BadInput(fmt::format("a tile of {} nodes is too large: use more tiles (--tiles)", slot));
  }
  tile.counts.slots = static_cast<std::uint32_t>(slot);
  tile.counts.blocks = static_cast<std::uint32_t>(tile.own_blocks.size());
}

/// Gives the halo rows their places. Rows whose populations differ may share a place: the +x side
/// of a tile needs other populations of its halo than the -x side.
void number_halo_nodes(Draft& tile, BlockGrid const& grid, Halo const& halo,
                       std::map<std::int32_t, std::int32_t>& local) {
  for (auto const& [n, rows] : halo.blocks) {
    Block const& block = grid.blocks()[static_cast<std::size_t>(n)];
    local[n] = static_cast<std::int32_t>(tile.blocks.size());
    tile.blocks.push_back(tile_block(block, tile.counts.slots, 0));
    for (HaloRow const& row : rows) tile.rows.push_back({row.mask, 0});
  }
  tile.counts.halo_blocks = static_cast<std::uint32_t>(halo.blocks.size());

  tile.halo_rows = rows_in_order(halo);
  int const velocities = velocities_of(grid.lattice()).size;
  std::array<std::uint32_t, most_velocities> next{};
  for (HaloRow const& row : tile.halo_rows) {
    auto const count = static_cast<std::uint32_t>(std::popcount(row.mask));
    std::uint32_t place = 0;
    for (int q = 1; q < velocities; ++q) {
      if ((row.directions >> q & 1U) != 0)
        place = std::max(place, next[static_cast<std::size_t>(q)]);
    }
    for (int q = 1; q < velocities; ++q) {
      if ((row.directions >> q & 1U) != 0) next[static_cast<std::size_t>(q)] = place + count;
    }
    std::uint32_t const node = tile.counts.slots + place;
    auto const at = static_cast<std::size_t>(local[row.block]) * rows_per_block +
                    static_cast<std::size_t>(row.row);
    tile.rows[at].first = node;
    tile.receives.push_back({node, 0, 0, row.directions, static_cast<std::uint16_t>(count), 0});
  }
  tile.counts.halo_slots = round_up(*std::ranges::max_element(next), node_alignment);
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
  Velocities const velocities = velocities_of(grid.lattice());
  std::int32_t const self = tile_of_block[static_cast<std::size_t>(tile.own_blocks.front())];
  for (std::int32_t b : tile.own_blocks) {
    for (Int3 const d : block_directions()) {
      std::int32_t const n = grid.neighbour(b, d);
      if (n < 0 || tile_of_block[static_cast<std::size_t>(n)] == self) continue;
      need_rows(halo, velocities, n, grid.blocks()[static_cast<std::size_t>(n)], d,
                grid.needs_all(b));
    }
  }
  number_halo_nodes(tile, grid, halo, local);

  for (std::int32_t b : tile.own_blocks) {
    for (int k = 0; k < blocks_around; ++k) {
      std::int32_t const n = grid.neighbour(b, {k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1});
      auto const found = n < 0 ? local.end() : local.find(n);
      tile.neighbours.push_back(found == local.end() ? -1 : found->second);
    }
  }
  return tile;
}

/// Nodes that every tile of a layout needs room for, own and halo.
std::uint32_t most_slots(std::vector<Draft> const& tiles, Layout layout) {
  std::uint32_t most = 0;
  for (Draft const& tile : tiles) {
    if (tile.place == layout) most = std::max(most, tile.counts.slots + tile.counts.halo_slots);
  }
  return most;
}

/// A core's cache wants 19 arrays of this length to fall on different sets: an odd number of cache
/// lines modulo a page.
constexpr std::uint32_t pitch_for(std::uint32_t slots) {
  constexpr std::uint32_t page = 1024;  // floats
  constexpr std::uint32_t remainder = 16 * 27;
  return round_up(slots > remainder ? slots - remainder : 0, page) + remainder;
}

/// The same without halos.
std::uint32_t most_own_slots(std::vector<Draft> const& tiles, Layout layout) {
  std::uint32_t most = 0;
  for (Draft const& tile : tiles) {
    if (tile.place == layout) most = std::max(most, tile.counts.slots);
  }
  return most;
}

/// Gives all populations their places; `pitch`: from one to the next where they stand apart;
/// `kept`: how much of that lasts, where the halo stands behind all blocks.
void lay_out(Draft& tile, std::uint32_t velocities, std::uint32_t pitch, std::uint32_t kept) {
  tile.population_values = std::size_t{velocities} * pitch;
  tile.kept_values = std::size_t{velocities} * kept;
  for (std::size_t b = 0; b < tile.blocks.size(); ++b) {
    TileBlock& block = tile.blocks[b];
    if (tile.place == Layout::apart) {
      block.stride = pitch;
      continue;
    }
    // The arrays of the blocks before fill that many values for each node before this block.
    block.base = (velocities - 1) * block.first;
    if (b >= tile.counts.blocks)
      block.stride = tile.counts.halo_slots;  // all halo blocks share one
  }
  for (Segment& receive : tile.receives) {
    TileBlock const& halo = tile.blocks.back();
    receive.stride = halo.stride;
    receive.origin += halo.base;
  }
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
  std::uint32_t const apart = pitch_for(most_slots(drafts, Layout::apart));
  std::uint32_t const together = most_slots(drafts, Layout::together);
  std::uint32_t const kept_together = most_own_slots(drafts, Layout::together);
  auto const velocities = static_cast<std::uint32_t>(velocities_of(grid.lattice()).size);
  for (Draft& draft : drafts) {
    if (draft.place == Layout::apart) {
      lay_out(draft, velocities, apart, apart);  // there is halo between
    } else {
      lay_out(draft, velocities, together, kept_together);
    }
  }
  connect(tiling, drafts, grid, cut, rank);
  for (Draft& draft : drafts) tiling.tiles.push_back(finish(std::move(draft)));
  return tiling;
}

}  // namespace tessera

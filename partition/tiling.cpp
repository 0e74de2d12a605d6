// SPDX-License-Identifier: MIT
#include "partition/tiling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <iterator>
#include <limits>
#include <map>
#include <set>

#include "lattice/errors.hpp"

namespace tessera {
namespace {

constexpr std::uint32_t round_up(std::uint32_t value, std::uint32_t unit) {
  return (value + unit - 1) / unit * unit;
}

/// What a tile needs of one row of another tile's block.
struct HaloRow {
  std::int32_t block = 0;  ///< global number
  int row = 0;
  std::uint32_t mask = 0;  ///< nodes
  std::uint32_t directions = 0;
};

/// The halo of one tile: the foreign blocks around it, and of their rows what is needed.
struct Halo {
  std::map<std::int32_t, std::array<HaloRow, rows_per_block>> blocks;
};

/// Adds the rows of `other` (global number n) whose populations enter a block from its neighbour in
/// direction d.
void need_rows(Halo& halo, Velocities const& velocities, std::int32_t n, Block const& other, Int3 d,
               bool all) {
  std::uint32_t directions = 0;
  for (int q = 1; q < velocities.size; ++q) {
    if (crosses(velocities.c[static_cast<std::size_t>(q)], Int3{-d.x, -d.y, -d.z}))
      directions |= 1U << q;
  }
  if (directions == 0) return;  // as D3Q19 through the corners of a block
  if (all) directions = (1U << velocities.size) - 2;
  auto& rows = halo.blocks[n];
  auto const layer = [](std::int64_t toward, std::int64_t extent) {
    return std::pair{toward < 0 ? extent - 1 : 0, toward > 0 ? 1 : extent};
  };
  auto const [x0, x1] = layer(d.x, other.extent.x);
  auto const [y0, y1] = layer(d.y, other.extent.y);
  auto const [z0, z1] = layer(d.z, other.extent.z);
  auto const columns =
      static_cast<std::uint32_t>(((std::uint64_t{1} << x1) - 1) & ~((std::uint64_t{1} << x0) - 1));
  for (std::int64_t z = z0; z < z1; ++z) {
    for (std::int64_t y = y0; y < y1; ++y) {
      int const r = row_index(static_cast<int>(y), static_cast<int>(z));
      std::uint32_t const fluid = other.rows[static_cast<std::size_t>(r)];
      if ((fluid & columns) == 0) continue;
      HaloRow& row = rows[static_cast<std::size_t>(r)];
      row.block = n;
      row.row = r;
      row.mask |= fluid & columns;
      row.directions |= directions;
      // A segment is a run of consecutive nodes: where both ends of a row are needed, all of it
      // travels.
      std::uint32_t const first = row.mask & (~row.mask + 1);
      std::uint32_t const below = first - 1;
      std::uint32_t const last = std::bit_floor(row.mask);
      row.mask = fluid & ~below & (last | (last - 1));
    }
  }
}

/// The rows of a halo in the order in which they travel.
std::vector<HaloRow> rows_in_order(Halo const& halo) {
  std::vector<HaloRow> all;
  for (auto const& [n, rows] : halo.blocks) {
    std::ranges::copy_if(rows, std::back_inserter(all),
                         [](HaloRow const& row) { return row.mask != 0; });
  }
  std::ranges::stable_sort(all, {}, &HaloRow::directions);
  return all;
}

/// A tile while it is built.
struct Draft {
  TileCounts counts;
  std::vector<TileBlock> blocks;
  std::vector<Row> rows;
  std::vector<std::int32_t> neighbours;
  std::vector<Segment> sends;
  std::vector<Segment> receives;
  std::vector<HaloRow> halo_rows;  ///< with receives, one each, until their senders are known
  std::vector<std::int32_t> own_blocks;
  std::vector<std::int32_t> neighbour_tiles;
  std::vector<std::int32_t> foreign;
  std::vector<Outbox> outboxes;
  std::int32_t part = 0;
  Layout place = Layout::apart;
  std::size_t population_values = 0;
  std::size_t kept_values = 0;
};

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

/// Fills the outboxes of one rank's tiles, and finds what the others have sent there. Both sides of
/// a border go through the readers in the order of their tiles, and through their halo rows in
/// theirs: so what is where needs no message.
class Connection {
 public:
  Connection(Tiling& tiling, std::vector<Draft>& own, BlockGrid const& grid, TwoLevelCut const& cut,
             std::int32_t rank)
      : tiling_(tiling),
        own_(own),
        grid_(grid),
        cut_(cut),
        rank_(rank),
        place_in_tile_(static_cast<std::size_t>(grid.size())) {
    for (Draft const& tile : own_) {
      for (std::size_t i = 0; i < tile.own_blocks.size(); ++i)
        place_in_tile_[static_cast<std::size_t>(tile.own_blocks[i])] = static_cast<std::int32_t>(i);
    }
  }

  void make() {
    for (Draft& reader : own_) {
      name_senders(reader);
      for (std::size_t i = 0; i < reader.halo_rows.size(); ++i)
        receive(reader, reader.halo_rows[i], reader.receives[i]);
      reader.counts.receives = static_cast<std::uint32_t>(reader.receives.size());
    }
    for (auto const& [reader, halo] : foreign_readers()) {
      for (HaloRow const& row : rows_in_order(halo)) {
        Segment receive{.directions = row.directions,
                        .count = static_cast<std::uint16_t>(std::popcount(row.mask))};
        send(row, cut_.rank_of(reader), receive);
      }
    }
    for (Draft& tile : own_) {
      tile.counts.sends = static_cast<std::uint32_t>(tile.sends.size());
      tile.counts.outboxes = static_cast<std::uint32_t>(tile.outboxes.size());
      for (Outbox const& outbox : tile.outboxes) tile.counts.outbox_values += outbox.values;
    }
  }

 private:
  std::int32_t tile_of(std::int32_t block) const {
    return cut_.tile_of_block[static_cast<std::size_t>(block)];
  }
  bool is_own(std::int32_t tile) const { return cut_.rank_of(tile) == rank_; }

  static std::uint32_t values_of(Segment const& segment) {
    return segment.count * static_cast<std::uint32_t>(std::popcount(segment.directions));
  }

  /// The tiles that a reader reads from: own ones, and those of other ranks by their outboxes.
  void name_senders(Draft& reader) {
    std::set<std::int32_t> senders;
    for (HaloRow const& row : reader.halo_rows) senders.insert(tile_of(row.block));
    for (std::int32_t const sender : senders) {
      if (is_own(sender)) {
        reader.neighbour_tiles.push_back(sender - tiling_.first_tile);
      } else {
        reader.foreign.push_back(foreign_outbox(sender));
      }
    }
  }

  /// Its number; a new one has nothing in it yet.
  std::int32_t foreign_outbox(std::int32_t sender) {
    auto const [at, is_new] =
        foreign_.try_emplace(sender, static_cast<std::int32_t>(tiling_.foreign.size()));
    if (is_new) tiling_.foreign.push_back({sender, cut_.rank_of(sender), 0});
    return at->second;
  }

  /// Tells a reader where it finds a row, and the sender, if it is one of ours, to put it there.
  void receive(Draft& reader, HaloRow const& row, Segment& receive) {
    std::int32_t const sender = tile_of(row.block);
    auto const position = [](std::vector<std::int32_t> const& list, std::int32_t number) {
      return static_cast<std::uint16_t>(std::ranges::find(list, number) - list.begin());
    };
    if (is_own(sender)) {
      receive.box = position(reader.neighbour_tiles, sender - tiling_.first_tile);
      receive.at = send(row, rank_, receive);
    } else {
      std::int32_t const number = foreign_outbox(sender);
      receive.box = static_cast<std::uint16_t>(reader.neighbour_tiles.size() +
                                               position(reader.foreign, number));
      std::uint32_t& values = tiling_.foreign[static_cast<std::size_t>(number)].values;
      receive.at = values;
      values += values_of(receive);
    }
  }

  /// Has a tile of ours send a row to a rank; returns where in its outbox.
  std::uint32_t send(HaloRow const& row, std::int32_t to, Segment const& receive) {
    Draft& sender = own_[static_cast<std::size_t>(tile_of(row.block) - tiling_.first_tile)];
    auto outbox = std::ranges::find(sender.outboxes, to, &Outbox::rank);
    if (outbox == sender.outboxes.end()) {
      sender.outboxes.push_back({.rank = to});
      outbox = sender.outboxes.end() - 1;
    }
    auto const place =
        static_cast<std::size_t>(place_in_tile_[static_cast<std::size_t>(row.block)]);
    TileBlock const& block = sender.blocks[place];
    Row const own = sender.rows[place * rows_per_block + static_cast<std::size_t>(row.row)];
    std::uint32_t const before = own.mask & ((row.mask & (~row.mask + 1)) - 1);
    Segment segment = receive;
    segment.at = outbox->values;
    segment.origin =
        population_at(block, 0, own.first + static_cast<std::uint32_t>(std::popcount(before)));
    segment.stride = block.stride;
    segment.box = static_cast<std::uint16_t>(outbox - sender.outboxes.begin());
    sender.sends.push_back(segment);
    outbox->values += values_of(segment);
    return segment.at;
  }

  /// What tiles of other ranks need of our blocks.
  std::map<std::int32_t, Halo> foreign_readers() const {
    std::map<std::int32_t, Halo> readers;
    if (cut_.rank_of_tile.empty()) return readers;
    Velocities const velocities = velocities_of(grid_.lattice());
    for (Draft const& tile : own_) {
      for (std::int32_t const b : tile.own_blocks) {
        for (Int3 const d : block_directions()) {
          std::int32_t const reader = grid_.neighbour(b, {-d.x, -d.y, -d.z});
          if (reader < 0 || is_own(tile_of(reader))) continue;
          need_rows(readers[tile_of(reader)], velocities, b,
                    grid_.blocks()[static_cast<std::size_t>(b)], d, grid_.needs_all(reader));
        }
      }
    }
    return readers;
  }

  Tiling& tiling_;
  std::vector<Draft>& own_;
  BlockGrid const& grid_;
  TwoLevelCut const& cut_;
  std::int32_t rank_;
  std::vector<std::int32_t> place_in_tile_;       ///< of our blocks
  std::map<std::int32_t, std::int32_t> foreign_;  ///< numbers of foreign outboxes by tile
};

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
                .image_shape = grid.image_shape()};
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
  Connection(tiling, drafts, grid, cut, rank).make();
  for (Draft& draft : drafts) tiling.tiles.push_back(finish(std::move(draft)));
  return tiling;
}

}  // namespace tessera

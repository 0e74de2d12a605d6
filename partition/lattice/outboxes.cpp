// SPDX-License-Identifier: MIT
// Who needs what of whom, and where it stands in the outboxes.
#include <algorithm>
#include <bit>
#include <iterator>
#include <map>
#include <set>

#include "partition/lattice/tile_draft.hpp"

namespace tessera {

bool need_rows(Halo& halo, LatticeKind lattice, Block const& block, std::int32_t n,
               Block const& other, Int3 d, bool all) {
  // Where walls are between all of their nodes, nothing crosses and nobody need wait.
  if (!all && crossing_links(lattice, other, block, Int3{-d.x, -d.y, -d.z}) == 0) return false;
  Velocities const velocities = velocities_of(lattice);
  std::uint32_t directions = 0;
  for (int q = 1; q < velocities.size; ++q) {
    if (crosses(velocities.c[static_cast<std::size_t>(q)], Int3{-d.x, -d.y, -d.z}))
      directions |= 1U << q;
  }
  if (directions == 0) return false;  // as D3Q19 through the corners of a block
  if (all) directions = (1U << velocities.size) - 2;
  auto const layer = [](std::int64_t toward, std::int64_t extent) {
    return std::pair{toward < 0 ? extent - 1 : 0, toward > 0 ? 1 : extent};
  };
  auto const [x0, x1] = layer(d.x, other.extent.x);
  auto const [y0, y1] = layer(d.y, other.extent.y);
  auto const [z0, z1] = layer(d.z, other.extent.z);
  auto const columns =
      static_cast<std::uint32_t>(((std::uint64_t{1} << x1) - 1) & ~((std::uint64_t{1} << x0) - 1));
  bool any = false;
  for (std::int64_t z = z0; z < z1; ++z) {
    for (std::int64_t y = y0; y < y1; ++y) {
      int const r = row_index(static_cast<int>(y), static_cast<int>(z));
      std::uint32_t const fluid = other.rows[static_cast<std::size_t>(r)];
      if ((fluid & columns) == 0) continue;
      any = true;
      HaloRow& row = halo.blocks[n][static_cast<std::size_t>(r)];
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
  return any;
}

std::vector<HaloRow> rows_in_order(Halo const& halo) {
  std::vector<HaloRow> all;
  for (auto const& [n, rows] : halo.blocks) {
    std::ranges::copy_if(rows, std::back_inserter(all),
                         [](HaloRow const& row) { return row.mask != 0; });
  }
  std::ranges::stable_sort(all, {}, &HaloRow::directions);
  return all;
}

namespace {

/// See connect().
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
        send(row, cut_.rank_of(reader), Outbox::all_parts, receive);
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
      receive.at =
          send(row, rank_, cut_.outbox_for_each_part ? reader.part : Outbox::all_parts, receive);
    } else {
      std::int32_t const number = foreign_outbox(sender);
      receive.box = static_cast<std::uint16_t>(reader.neighbour_tiles.size() +
                                               position(reader.foreign, number));
      std::uint32_t& values = tiling_.foreign[static_cast<std::size_t>(number)].values;
      receive.at = values;
      values += values_of(receive);
    }
  }

  /// Has a tile of ours send a row to a part of a rank; returns where in its outbox.
  std::uint32_t send(HaloRow const& row, std::int32_t rank, std::int32_t part,
                     Segment const& receive) {
    Draft& sender = own_[static_cast<std::size_t>(tile_of(row.block) - tiling_.first_tile)];
    auto outbox = std::ranges::find_if(sender.outboxes,
                                       [&](Outbox const& box) { return box.is_for(rank, part); });
    if (outbox == sender.outboxes.end()) {
      sender.outboxes.push_back({.rank = rank, .part = part});
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
    for (Draft const& tile : own_) {
      for (std::int32_t const b : tile.own_blocks) {
        for (Int3 const d : block_directions()) {
          std::int32_t const reader = grid_.neighbour(b, {-d.x, -d.y, -d.z});
          if (reader < 0 || is_own(tile_of(reader))) continue;
          need_rows(readers[tile_of(reader)], grid_.lattice(),
                    grid_.blocks()[static_cast<std::size_t>(reader)], b,
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

}  // namespace

void connect(Tiling& tiling, std::vector<Draft>& own, BlockGrid const& grid, TwoLevelCut const& cut,
             std::int32_t rank) {
  Connection(tiling, own, grid, cut, rank).make();
}

}  // namespace tessera

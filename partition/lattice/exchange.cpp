// SPDX-License-Identifier: MIT
#include "partition/lattice/exchange.hpp"

#include <bit>
#include <map>
#include <tuple>

#include "partition/lattice/tile_draft.hpp"

namespace tessera {
namespace {

/// A tile in a copy of the box, seen from the copy of the sender.
struct Reader {
  std::int32_t tile = 0;
  Int3 box;

  auto key() const { return std::tuple(tile, box.z, box.y, box.x); }
  bool operator<(Reader const& other) const { return key() < other.key(); }
};

Int3 blocks_of(Int3 image_shape) {
  Int3 blocks;
  for (Axis const a : all_axes) blocks[a] = (image_shape[a] + block_shape[a] - 1) / block_shape[a];
  return blocks;
}

/// By how many boxes a position lies outside of the box.
Int3 box_of(Int3 at, Int3 blocks) {
  Int3 box;
  for (Axis const a : all_axes) box[a] = at[a] < 0 ? -1 : at[a] >= blocks[a] ? 1 : 0;
  return box;
}

/// By sender: the values that a halo takes.
std::map<std::int32_t, std::int64_t> values_in(Halo const& halo, TileOfBlock const& tile_of_block) {
  std::map<std::int32_t, std::int64_t> values;
  for (auto const& [block, rows] : halo.blocks) {
    std::int64_t& of_sender = values[tile_of_block[static_cast<std::size_t>(block)]];
    for (HaloRow const& row : rows)
      of_sender += std::int64_t{std::popcount(row.mask)} * std::popcount(row.directions);
  }
  return values;
}

}  // namespace

std::vector<Exchange> exchanges(BlockGrid const& grid, TileOfBlock const& tile_of_block) {
  Int3 const blocks = blocks_of(grid.image_shape());
  std::map<Reader, Halo> halos;
  for (std::int32_t b = 0; b < grid.size(); ++b) {
    Block const& block = grid.blocks()[static_cast<std::size_t>(b)];
    for (Int3 const d : block_directions()) {
      Int3 const back{-d.x, -d.y, -d.z};
      std::int32_t const reader = grid.neighbour(b, back);
      if (reader < 0) continue;
      Reader const at{tile_of_block[static_cast<std::size_t>(reader)],
                      box_of(block.at + back, blocks)};
      if (at.tile == tile_of_block[static_cast<std::size_t>(b)] && at.box == Int3{0, 0, 0})
        continue;
      need_rows(halos[at], grid.lattice(), grid.blocks()[static_cast<std::size_t>(reader)], b,
                block, d, grid.needs_all(reader));
    }
  }
  std::vector<Exchange> all;
  for (auto const& [reader, halo] : halos) {
    Int3 const box{-reader.box.x, -reader.box.y, -reader.box.z};
    for (auto const& [sender, values] : values_in(halo, tile_of_block)) {
      if (values > 0) all.push_back({sender, reader.tile, box, values});
    }
  }
  return all;
}

}  // namespace tessera

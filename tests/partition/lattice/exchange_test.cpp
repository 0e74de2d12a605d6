// SPDX-License-Identifier: MIT
#include "partition/lattice/exchange.hpp"

#include <gtest/gtest.h>

#include <map>
#include <tuple>

#include "geometry/generate.hpp"
#include "partition/lattice/block_graph.hpp"
#include "partition/lattice/tiling.hpp"

namespace tessera {
namespace {

Geometry long_rock() { return overlapping_spheres({96, 48, 40}, 5, 0.4, 3).geometry; }

/// Copies of a box, one behind the other along x.
Geometry row_of(Geometry const& box, std::int64_t copies) {
  Geometry row = uniform_box({copies * box.shape.x, box.shape.y, box.shape.z}, 0);
  for (std::int64_t z = 0; z < box.shape.z; ++z) {
    for (std::int64_t y = 0; y < box.shape.y; ++y) {
      for (std::int64_t x = 0; x < row.shape.x; ++x) {
        row.pore[linear_index(row.shape, {x, y, z})] =
            box.pore[linear_index(box.shape, {x % box.shape.x, y, z})];
      }
    }
  }
  row.periodic = box.periodic;
  return row;
}

TEST(Exchange, OfATileIsAsLargeAsItsOutboxes) {
  Geometry box = long_rock();
  box.periodic = {false, false, false};
  BlockGrid const grid(box);
  TileOfBlock const cut = cut_with_metis(block_graph(grid), 7);
  Tiling const tiling = build_tiling(grid, cut);
  std::vector<std::int64_t> values(tiling.tiles.size(), 0);
  for (Exchange const& e : exchanges(grid, cut)) {
    EXPECT_EQ(e.box, (Int3{0, 0, 0}));
    values[static_cast<std::size_t>(e.from)] += e.values;
  }
  for (std::size_t t = 0; t < values.size(); ++t)
    EXPECT_EQ(values[t], tiling.tiles[t].counts.outbox_values) << "tile " << t;
}

TEST(Exchange, AcrossAPeriodicBorderIsThatOfARowOfBoxes) {
  Geometry const box = long_rock();
  BlockGrid const grid(box);
  TileOfBlock const cut = cut_with_metis(block_graph(grid), 5);
  Geometry const row = row_of(box, 3);
  BlockGrid const row_grid(row);
  TileOfBlock row_cut;
  for (Block const& block : row_grid.blocks()) {
    std::int64_t const blocks_in_box = box.shape.x / block_shape.x;
    Int3 const at{block.at.x % blocks_in_box, block.at.y, block.at.z};
    for (std::size_t b = 0; b < cut.size(); ++b) {
      if (grid.blocks()[b].at == at)
        row_cut.push_back(cut[b] + 5 * static_cast<std::int32_t>(block.at.x / blocks_in_box));
    }
  }
  using Key = std::tuple<std::int32_t, std::int32_t, std::int64_t, std::int64_t, std::int64_t>;
  std::map<Key, std::int64_t> of_box;
  std::map<Key, std::int64_t> of_row;
  for (Exchange const& e : exchanges(grid, cut))
    of_box[{e.from, e.to, e.box.x, e.box.y, e.box.z}] = e.values;
  for (Exchange const& e : exchanges(row_grid, row_cut)) {
    if (e.to / 5 != 1) continue;  // the middle box reads
    EXPECT_EQ(e.box.x, 0);
    of_row[{e.from % 5, e.to % 5, e.from / 5 - 1, e.box.y, e.box.z}] = e.values;
  }
  EXPECT_EQ(of_row, of_box);
  EXPECT_GT(of_box.size(), 20U);
}

}  // namespace
}  // namespace tessera

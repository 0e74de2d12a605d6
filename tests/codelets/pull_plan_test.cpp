// SPDX-License-Identifier: MIT
// The plan names for each population of each node the place that counting bits gives, or none.
#include "codelets/pull_plan.hpp"

#include <gtest/gtest.h>

#include <map>

#include "codelets/block_rows.hpp"
#include "partition/tiling.hpp"
#include "tests/partition/random_geometry.hpp"

namespace tessera {
namespace {

/// By position of a node's population 0 and velocity: where it pulls from.
using Sources = std::map<std::pair<std::uint32_t, int>, std::uint32_t>;

Sources by_counting_bits(TileView const& tile) {
  Sources sources;
  for (std::uint32_t b = 0; b < tile.counts.blocks; ++b) {
    TileBlock const& block = tile.blocks[b];
    StagedRow rows[staged_rows];
    for_each_staged_row(tile, b, 0, 1, [&](int i, StagedRow const& row) { rows[i] = row; });
    for (int z = 0; z < block.extent[2]; ++z) {
      for (int y = 0; y < block.extent[1]; ++y) {
        StagedRow const& row = rows[staged_index(y, z)];
        std::uint32_t node = row.origin;
        for (std::uint32_t left = row.mask; left != 0; left &= left - 1) {
          for (int q = 1; q < D3Q19::size; ++q) {
            std::uint32_t const source = streamed_from<D3Q19>(
                q, rows, static_cast<int>(lowest_bit(left)), y, z, block.extent[0]);
            if (source != no_node) sources[{node, q}] = source;
          }
          ++node;
        }
      }
    }
  }
  return sources;
}

Sources by_plan(TileView const& tile, PullPlan const& plan) {
  Sources sources;
  auto group = plan.groups.begin();
  std::size_t piece = 0;
  for (std::uint32_t b = 0; b < tile.counts.blocks; ++b) {
    TileBlock const& block = tile.blocks[b];
    for (std::uint32_t n = 0; n < block.nodes; n += group_nodes, ++group) {
      for (int cx = -1; cx <= 1; ++cx) {
        for (int k = 0; k < group->layers[static_cast<unsigned>(cx + 1)]; ++k) {
          for (int q = 1; q < D3Q19::size; ++q) {
            if (D3Q19::x(q) != cx) continue;
            for (std::uint32_t lane = 0; lane < group_nodes; ++lane) {
              if ((plan.masks[piece] >> lane & 1U) == 0) continue;
              EXPECT_LT(n + lane, block.nodes);
              auto const added =
                  sources.insert({{population_at(block, 0, block.first + n + lane), q},
                                  static_cast<std::uint32_t>(plan.positions[piece]) + lane});
              EXPECT_TRUE(added.second) << "named twice";
            }
            ++piece;
          }
        }
      }
    }
  }
  EXPECT_EQ(group, plan.groups.end());
  EXPECT_EQ(piece, plan.positions.size());
  EXPECT_EQ(piece, plan.masks.size());
  return sources;
}

TEST(PullPlan, NamesWhatCountingBitsFinds) {
  for (double const porosity : {0.1, 0.5, 1.0}) {
    Geometry const box = test::random_geometry({70, 20, 12}, porosity, 3, {true, false, true});
    BlockGrid const grid(box);
    TileOfBlock const cut = cut_with_metis(block_graph(grid), 3);
    for (Layout const layout : {Layout::apart, Layout::together}) {
      Tiling const tiling = build_tiling(grid, cut, layout);
      for (Tile const& tile : tiling.tiles) {
        TileView const view = view_of(tile);
        EXPECT_EQ(by_plan(view, plan_pull(LatticeKind::d3q19, view)), by_counting_bits(view));
      }
    }
  }
}

}  // namespace
}  // namespace tessera

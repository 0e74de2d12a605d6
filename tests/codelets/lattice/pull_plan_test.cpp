// SPDX-License-Identifier: MIT
// The plan names for each population of each node the place that counting bits gives, or none.
#include "codelets/lattice/pull_plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <vector>

#include "codelets/lattice/block_rows.hpp"
#include "partition/lattice/block_graph.hpp"
#include "partition/lattice/tiling.hpp"
#include "tests/partition/lattice/random_geometry.hpp"

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

TEST(PullPlan, NamesPiecesAllLanesOfWhichAreInTheTile) {
  for (double const porosity : {0.1, 1.0}) {
    Geometry const box = test::random_geometry({70, 20, 12}, porosity, 3, {true, false, true});
    BlockGrid const grid(box);
    TileOfBlock const cut = cut_with_metis(block_graph(grid), 3);
    for (Layout const layout : {Layout::apart, Layout::together}) {
      Tiling const tiling = build_tiling(grid, cut, layout);
      for (Tile const& tile : tiling.tiles) {
        PullPlan const plan = plan_pull(LatticeKind::d3q19, view_of(tile));
        auto const [first, last] = std::ranges::minmax(plan.positions);
        EXPECT_GE(first, 0);
        EXPECT_LE(static_cast<std::size_t>(last) + group_nodes, tile.population_values);
      }
    }
  }
}

using Lines = std::set<std::int32_t>;

/// For each group the lines that its loads span and that are not near.
std::vector<Lines> far_lines_by_counting_bits(TileView const& tile) {
  Sources const sources = by_counting_bits(tile);
  std::vector<Lines> far;
  for (std::uint32_t b = 0; b < tile.counts.blocks; ++b) {
    TileBlock const& block = tile.blocks[b];
    for (std::uint32_t n = 0; n < block.nodes; ++n) {
      std::uint32_t const lane = n % group_nodes;
      if (lane == 0) far.emplace_back();
      for (std::uint32_t q = 1; q < D3Q19::size; ++q) {
        auto const source =
            sources.find({population_at(block, 0, block.first + n), static_cast<int>(q)});
        if (source == sources.end()) continue;
        std::int64_t const begin = std::int64_t{source->second} - lane;
        if (is_near(begin, population_at(block, q, block.first + n - lane))) continue;
        for (std::int64_t i = std::max<std::int64_t>(begin, 0); i < begin + group_nodes; ++i)
          far.back().insert(static_cast<std::int32_t>(i - i % line_values));
      }
    }
  }
  return far;
}

TEST(PullPlan, NamesTheFarLinesOfAGroupBeforeItsTurnAndNoOthers) {
  // Blocks of a layer along z and more than what is near; three tiles, so that there are halos.
  Geometry const box = test::random_geometry({70, 40, 36}, 0.3, 3, {true, false, true});
  BlockGrid const grid(box);
  TileOfBlock const cut = cut_with_metis(block_graph(grid), 3);
  for (Layout const layout : {Layout::apart, Layout::together}) {
    Tiling const tiling = build_tiling(grid, cut, layout);
    for (Tile const& tile : tiling.tiles) {
      TileView const view = view_of(tile);
      PullPlan const plan = plan_pull(LatticeKind::d3q19, view);
      std::vector<Lines> const needed = far_lines_by_counting_bits(view);
      ASSERT_EQ(plan.groups.size(), needed.size());
      EXPECT_GT(plan.lines.size(), needed.size());

      Lines fetched;
      auto line = plan.lines.begin();
      for (std::size_t g = 0; g < needed.size(); ++g) {
        auto const soon =
            std::span(needed).subspan(g, std::min(groups_ahead + 1, needed.size() - g));
        for (unsigned i = plan.groups[g].lines; i != 0; --i, ++line) {
          fetched.insert(*line);
          EXPECT_TRUE(
              std::ranges::any_of(soon, [&](Lines const& lines) { return lines.contains(*line); }));
        }
        // The first ones have those of many groups to fetch, more than a group can count.
        if (g >= 2) {
          EXPECT_TRUE(std::ranges::includes(fetched, soon.back()));
        }
        EXPECT_TRUE(std::ranges::includes(fetched, needed[g]));
      }
      EXPECT_EQ(line, plan.lines.end());
    }
  }
}

}  // namespace
}  // namespace tessera

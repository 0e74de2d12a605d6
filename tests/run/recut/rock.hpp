// SPDX-License-Identifier: MIT
// What several processes find of the rock that they cut anew, beside one.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "graph/runtime/runtime.hpp"
#include "partition/lattice/block_graph.hpp"
#include "tests/methods/lattice/boxes.hpp"
#include "tests/methods/lattice/fields.hpp"
#include "tests/run/recut/ranks.hpp"

namespace tessera::test {

inline Tiling tiling_in_shares(BlockGrid const& grid, std::vector<double> const& shares, int tiles,
                               CutOfPart const& cut_part = cut_compactly) {
  return build_tiling(grid, cut_in_shares(block_graph(grid), shares, tiles, cut_part),
                      {Layout::apart}, Ranks::rank());
}

/// On the first rank what one process finds is what all have found.
inline void expect_same(Fields const& of_all, Fields const& of_one, std::string const& what) {
  if (!Ranks::is_root()) return;
  EXPECT_EQ(differing_voxels(of_all, of_one), 0) << what;
  EXPECT_TRUE(same_bits(of_all.last_but_one, of_one.last_but_one)) << what;
  EXPECT_TRUE(same_bits(of_all.last, of_one.last)) << what;
}

inline Fields of_one(int count, FlowOptions const& options) {
  return by_the_first([&] {
    Runtime const runtime("", 1);
    return fields_after(count, metis_tiling(rock(), 3), options);
  });
}

}  // namespace tessera::test

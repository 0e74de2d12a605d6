// SPDX-License-Identifier: MIT
// Cuts over all processes, for tests, and what the first process finds by itself.
#pragma once

#include <numeric>
#include <span>
#include <vector>

#include "base/ranks/ranks.hpp"
#include "run/plan/rank_cut.hpp"

namespace tessera::test {

/// All ranks: in these shares, which are those of as many ranks as there are, and so many tiles
/// each.
inline TwoLevelCut cut_in_shares(BlockGraph const& graph, std::vector<double> shares, int tiles,
                                 CutOfPart const& cut_part = cut_compactly) {
  shares.resize(static_cast<std::size_t>(Ranks::count()));
  double const sum = std::accumulate(shares.begin(), shares.end(), 0.0);
  for (double& share : shares) share /= sum;
  return cut_over_ranks(
      graph, "blocks", shares,
      [&](std::span<std::int32_t const>) {
        return std::vector<Part>{{1, tiles}};
      },
      cut_part);
}

/// All ranks: `find()` of the first one, alone; of the others nothing.
template <class Find>
auto by_the_first(Find&& find) -> decltype(find()) {
  decltype(find()) found{};
  if (Ranks::is_root()) {
    Ranks::ByItself const by_itself;
    found = find();
  }
  Ranks::broadcast_number(0);
  return found;
}

}  // namespace tessera::test

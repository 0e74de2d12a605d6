// SPDX-License-Identifier: MIT
#include "graph/step_order.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace tessera {
namespace {

using Levels = std::vector<std::vector<std::int32_t>>;

/// The tiles that hang together with `start`, by their distance to it.
Levels levels_from(Tiling const& tiling, std::int32_t start) {
  std::vector<bool> seen(tiling.tiles.size(), false);
  seen[static_cast<std::size_t>(start)] = true;
  Levels levels{{start}};
  for (;;) {
    std::vector<std::int32_t> next;
    for (std::int32_t const tile : levels.back()) {
      for (std::int32_t const n : tiling.tiles[static_cast<std::size_t>(tile)].neighbours) {
        if (seen[static_cast<std::size_t>(n)]) continue;
        seen[static_cast<std::size_t>(n)] = true;
        next.push_back(n);
      }
    }
    if (next.empty()) return levels;
    std::ranges::sort(next);
    levels.push_back(std::move(next));
  }
}

/// Levels from a tile at the rim: the farthest from the farthest from ... until it gets no farther.
/// Many levels hold few tiles each, and few tiles are in use at a time.
Levels longest_levels(Tiling const& tiling, std::int32_t start) {
  Levels longest = levels_from(tiling, start);
  for (;;) {
    std::int32_t const farthest =
        *std::ranges::min_element(longest.back(), {}, [&](std::int32_t t) {
          return tiling.tiles[static_cast<std::size_t>(t)].neighbours.size();
        });
    Levels levels = levels_from(tiling, farthest);
    if (levels.size() <= longest.size()) return longest;
    longest = std::move(levels);
  }
}

}  // namespace

StepOrder StepOrder::plain(Tiling const& tiling) {
  StepOrder order;
  std::vector<std::int32_t> tiles(tiling.tiles.size());
  std::iota(tiles.begin(), tiles.end(), 0);
  order.levels_.push_back(std::move(tiles));
  return order;
}

StepOrder StepOrder::by_levels(Tiling const& tiling) {
  StepOrder order;
  std::vector<bool> done(tiling.tiles.size(), false);
  for (std::size_t t = 0; t < done.size(); ++t) {
    if (done[t]) continue;
    for (auto& level : longest_levels(tiling, static_cast<std::int32_t>(t))) {
      for (std::int32_t const tile : level) done[static_cast<std::size_t>(tile)] = true;
      order.levels_.push_back(std::move(level));
    }
  }
  return order;
}

std::vector<std::vector<TileStep>> StepOrder::sweep(std::int32_t steps, bool backwards) const {
  auto const levels = static_cast<std::int32_t>(levels_.size());
  std::vector<std::vector<TileStep>> waves;
  for (std::int32_t w = 0; w < levels + 2 * (steps - 1); ++w) {
    std::vector<TileStep> wave;
    // The newcomers first: they may have to be fetched.
    for (std::int32_t s = 0; s < steps; ++s) {
      std::int32_t const level = w - 2 * s;
      if (level < 0 || level >= levels) continue;
      for (std::int32_t const tile :
           levels_[static_cast<std::size_t>(backwards ? levels - 1 - level : level)])
        wave.push_back({tile, s});
    }
    if (!wave.empty()) waves.push_back(std::move(wave));
  }
  return waves;
}

}  // namespace tessera

// SPDX-License-Identifier: MIT
#include "graph/step_order.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace tessera {
namespace {

using Levels = std::vector<std::vector<std::int32_t>>;

/// Tiles that are connected with `start`, by their distance from it.
Levels levels_from(Neighbours const& neighbours, std::int32_t start) {
  std::vector<bool> seen(neighbours.size(), false);
  seen[static_cast<std::size_t>(start)] = true;
  Levels levels{{start}};
  for (;;) {
    std::vector<std::int32_t> next;
    for (std::int32_t const tile : levels.back()) {
      for (std::int32_t const n : neighbours[static_cast<std::size_t>(tile)]) {
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
Levels longest_levels(Neighbours const& neighbours, std::int32_t start) {
  Levels longest = levels_from(neighbours, start);
  for (;;) {
    std::int32_t const farthest = *std::ranges::min_element(
        longest.back(), {},
        [&](std::int32_t t) { return neighbours[static_cast<std::size_t>(t)].size(); });
    Levels levels = levels_from(neighbours, farthest);
    if (levels.size() <= longest.size()) return longest;
    longest = std::move(levels);
  }
}

}  // namespace

StepOrder StepOrder::plain(std::size_t tiles) {
  StepOrder order;
  std::vector<std::int32_t> all(tiles);
  std::iota(all.begin(), all.end(), 0);
  order.levels_.push_back(std::move(all));
  return order;
}

StepOrder StepOrder::by_levels(Neighbours const& neighbours) {
  StepOrder order;
  std::vector<bool> done(neighbours.size(), false);
  for (std::size_t t = 0; t < done.size(); ++t) {
    if (done[t]) continue;
    for (auto& level : longest_levels(neighbours, static_cast<std::int32_t>(t))) {
      for (std::int32_t const tile : level) done[static_cast<std::size_t>(tile)] = true;
      order.levels_.push_back(std::move(level));
    }
  }
  return order;
}

StepOrder StepOrder::in_levels(TileLevels const& levels) {
  StepOrder order;
  order.ring_ = levels.ring;
  order.levels_.resize(static_cast<std::size_t>(levels.count));
  for (std::size_t t = 0; t < levels.of_tile.size(); ++t) {
    order.levels_[static_cast<std::size_t>(levels.of_tile[t])].push_back(
        static_cast<std::int32_t>(t));
  }
  return order;
}

std::int32_t StepOrder::level_at(std::int32_t place) const {
  auto const n = static_cast<std::int32_t>(levels_.size());
  return (begin_ + (backwards_ ? n - place % n : place)) % n;
}

Sweep StepOrder::next_sweep(std::int32_t steps) {
  auto const n = static_cast<std::int32_t>(levels_.size());
  // A wave that came back to its own steps would need a third visit.
  if (ring_ && steps >= n) throw std::invalid_argument("a ring takes fewer steps than levels");
  std::int32_t const places = ring_ ? n + steps - 1 : n;
  auto const visits_at = [&](std::int32_t place) {
    std::int32_t const first = std::max(place - n + 1, 0);
    std::int32_t const last = ring_ ? std::min(place, steps - 1) : steps - 1;
    std::vector<Visit> visits;
    for (std::int32_t const tile : levels_[static_cast<std::size_t>(level_at(place))])
      visits.push_back({tile, first, last, place + first});
    return visits;
  };
  Sweep sweep;
  std::int32_t const waves = places + steps - 1;
  sweep.waves.resize(static_cast<std::size_t>(waves));
  for (std::int32_t place = 0; place < places; ++place) {
    auto const visits = visits_at(place);
    sweep.visits.insert(sweep.visits.end(), visits.begin(), visits.end());
    // Within a wave the highest level comes first: the one below waits for it.
    for (Visit const& visit : visits_at(places - 1 - place)) {
      for (std::int32_t s = visit.first; s <= visit.last; ++s) {
        std::int32_t const wave = visit.wave + s - visit.first;
        sweep.waves[static_cast<std::size_t>(wave)].push_back({visit.tile, s});
      }
    }
  }
  begin_ = level_at(places - 1);
  backwards_ = !backwards_;
  return sweep;
}

}  // namespace tessera

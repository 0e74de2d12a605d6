// SPDX-License-Identifier: MIT
#include "graph/balance.hpp"

#include <algorithm>
#include <limits>

namespace tessera {
namespace {

/// What a domain has to do in a step.
struct Duty {
  double work = 0;
  double largest = 0;  ///< tile
};

double seconds(Duty const& duty, DomainSpeed const& speed) {
  if (duty.work == 0) return 0;
  if (speed.work_per_second <= 0) return 0;
  // A tile is one worker's, and one worker has a part of the speed.
  double const alone = duty.largest * static_cast<double>(speed.workers) / speed.work_per_second;
  return std::max(duty.work / speed.work_per_second, alone);
}

std::vector<Duty> duties(std::vector<TileLoad> const& tiles, std::size_t domains) {
  std::vector<Duty> result(domains);
  for (TileLoad const& tile : tiles) {
    Duty& duty = result[static_cast<std::size_t>(tile.domain)];
    duty.work += tile.work;
    duty.largest = std::max(duty.largest, tile.work);
  }
  return result;
}

/// Of a tile's neighbours those in a domain: a tile among its own sends nothing over a bus.
std::int64_t neighbours_in(TileLoad const& tile, std::vector<TileLoad> const& tiles,
                           std::int32_t domain) {
  return std::ranges::count_if(tile.neighbours, [&](std::int32_t n) {
    return tiles[static_cast<std::size_t>(n)].domain == domain;
  });
}

struct Candidate {
  Move move;
  double step_s = std::numeric_limits<double>::max();  ///< of the two domains, afterwards
  std::int64_t friends = 0;                            ///< neighbours there, less those here
};

/// The best move out of a domain.
Candidate best_move(std::vector<TileLoad> const& tiles, std::vector<DomainSpeed> const& speeds,
                    std::int32_t from) {
  std::vector<Duty> const now = duties(tiles, speeds.size());
  Candidate best;
  for (std::size_t t = 0; t < tiles.size(); ++t) {
    TileLoad const& tile = tiles[t];
    if (tile.domain != from) continue;
    for (std::size_t d = 0; d < speeds.size(); ++d) {
      auto const to = static_cast<std::int32_t>(d);
      if (to == from || speeds[d].work_per_second <= 0) continue;
      Duty given = now[static_cast<std::size_t>(from)];
      given.work -= tile.work;
      given.largest = std::min(given.largest, given.work);
      Duty taken = now[d];
      taken.work += tile.work;
      taken.largest = std::max(taken.largest, tile.work);
      Candidate const candidate{{static_cast<std::int32_t>(t), to},
                                std::max(seconds(given, speeds[static_cast<std::size_t>(from)]),
                                         seconds(taken, speeds[d])),
                                neighbours_in(tile, tiles, to) - neighbours_in(tile, tiles, from)};
      bool const as_good = candidate.step_s < best.step_s * 1.001;
      if (candidate.step_s < best.step_s * 0.999 || (as_good && candidate.friends > best.friends))
        best = candidate;
    }
  }
  return best;
}

}  // namespace

double step_seconds(std::vector<TileLoad> const& tiles, std::vector<DomainSpeed> const& speeds) {
  std::vector<Duty> const all = duties(tiles, speeds.size());
  double longest = 0;
  for (std::size_t d = 0; d < all.size(); ++d)
    longest = std::max(longest, seconds(all[d], speeds[d]));
  return longest;
}

double imbalance(std::vector<TileLoad> const& tiles, std::vector<DomainSpeed> const& speeds) {
  std::vector<Duty> const all = duties(tiles, speeds.size());
  double longest = 0;
  double sum = 0;
  int busy = 0;
  for (std::size_t d = 0; d < all.size(); ++d) {
    double const time = seconds(all[d], speeds[d]);
    if (time <= 0) continue;
    longest = std::max(longest, time);
    sum += time;
    ++busy;
  }
  return busy == 0 ? 0 : longest * busy / sum - 1;
}

std::vector<Move> balancing_moves(std::vector<TileLoad> tiles,
                                  std::vector<DomainSpeed> const& speeds,
                                  BalanceRules const& rules) {
  std::vector<Move> moves;
  while (moves.size() < tiles.size()) {
    std::vector<Duty> const now = duties(tiles, speeds.size());
    std::size_t slowest = 0;
    for (std::size_t d = 1; d < now.size(); ++d) {
      if (seconds(now[d], speeds[d]) > seconds(now[slowest], speeds[slowest])) slowest = d;
    }
    double const before = seconds(now[slowest], speeds[slowest]);
    Candidate const best = best_move(tiles, speeds, static_cast<std::int32_t>(slowest));
    double const gain = before - best.step_s;
    if (gain <= rules.least_gain * before) break;
    TileLoad& tile = tiles[static_cast<std::size_t>(best.move.tile)];
    if (gain * rules.horizon < static_cast<double>(tile.bytes) / rules.bus_bytes_per_s) break;
    tile.domain = best.move.to;
    moves.push_back(best.move);
  }
  return moves;
}

bool pays_back(Theft const& theft, BalanceRules const& rules) {
  double const gain = theft.victim_s - theft.own_s;
  double const move_s = theft.bytes / rules.bus_bytes_per_s;
  return gain > rules.least_gain * theft.victim_s && gain * rules.horizon >= move_s &&
         theft.lost_s >= move_s;
}

}  // namespace tessera

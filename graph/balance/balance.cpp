// SPDX-License-Identifier: MIT
#include "graph/balance/balance.hpp"

#include <algorithm>
#include <limits>

namespace tessera {
namespace {

/// Seconds that one worker of the domain takes for the tile.
double tile_seconds(TileLoad const& tile, DomainSpeed const& speed) {
  if (speed.work_per_second <= 0) return 0;
  return std::max(tile.work * static_cast<double>(speed.workers) / speed.work_per_second,
                  speed.least_task_s);
}

/// What a domain has to do in a step.
class Duty {
 public:
  void take(double seconds) {
    sum_ += seconds;
    second_ = std::max(second_, std::min(seconds, longest_));
    longest_ = std::max(longest_, seconds);
  }
  /// Gives a taken tile away. Only one may be given: the third longest is not known.
  void give(double seconds) {
    sum_ -= seconds;
    if (seconds == longest_) longest_ = second_;
  }
  /// Seconds of a step: no less than the longest tile, as a tile is computed by one worker.
  double seconds(DomainSpeed const& speed) const {
    return std::max(sum_ / static_cast<double>(speed.workers), longest_);
  }

 private:
  double sum_ = 0;  ///< seconds of all tiles, on one worker
  double longest_ = 0;
  double second_ = 0;  ///< second longest tile
};

std::vector<Duty> duties(std::vector<TileLoad> const& tiles,
                         std::vector<DomainSpeed> const& speeds) {
  std::vector<Duty> result(speeds.size());
  for (TileLoad const& tile : tiles) {
    auto const d = static_cast<std::size_t>(tile.domain);
    result[d].take(tile_seconds(tile, speeds[d]));
  }
  return result;
}

/// How many of a tile's neighbours are in a domain: to these it sends nothing over a bus.
std::int64_t neighbours_in(TileLoad const& tile, std::vector<TileLoad> const& tiles,
                           std::int32_t domain) {
  return std::ranges::count_if(tile.neighbours, [&](std::int32_t n) {
    return tiles[static_cast<std::size_t>(n)].domain == domain;
  });
}

struct Candidate {
  Move move;
  /// Seconds of a step in the slower of the two domains, after the move.
  double step_s = std::numeric_limits<double>::max();
  std::int64_t friends = 0;  ///< neighbours in the new domain, less those in the old one
};

/// The best move out of a domain.
Candidate best_move(std::vector<TileLoad> const& tiles, std::vector<DomainSpeed> const& speeds,
                    std::vector<Duty> const& now, std::size_t from) {
  Candidate best;
  for (std::size_t t = 0; t < tiles.size(); ++t) {
    TileLoad const& tile = tiles[t];
    if (tile.domain != static_cast<std::int32_t>(from)) continue;
    Duty given = now[from];
    given.give(tile_seconds(tile, speeds[from]));
    for (std::size_t to = 0; to < speeds.size(); ++to) {
      if (to == from || speeds[to].work_per_second <= 0) continue;
      Duty taken = now[to];
      taken.take(tile_seconds(tile, speeds[to]));
      auto const domain = static_cast<std::int32_t>(to);
      Candidate const candidate{
          {static_cast<std::int32_t>(t), domain},
          std::max(given.seconds(speeds[from]), taken.seconds(speeds[to])),
          neighbours_in(tile, tiles, domain) - neighbours_in(tile, tiles, tile.domain)};
      bool const as_good = candidate.step_s < best.step_s * 1.001;
      if (candidate.step_s < best.step_s * 0.999 || (as_good && candidate.friends > best.friends))
        best = candidate;
    }
  }
  return best;
}

}  // namespace

double speed_together(std::vector<double> const& speeds) {
  double sum = 0;
  std::size_t measured = 0;
  for (double const speed : speeds) {
    sum += speed;
    if (speed > 0) ++measured;
  }
  if (measured == 0) return 0;
  return sum * static_cast<double>(speeds.size()) / static_cast<double>(measured);
}

std::vector<DomainLoad> domain_loads(std::vector<TileLoad> const& tiles,
                                     std::vector<DomainSpeed> const& speeds) {
  std::vector<DomainLoad> loads(speeds.size());
  for (TileLoad const& tile : tiles) {
    DomainLoad& load = loads[static_cast<std::size_t>(tile.domain)];
    ++load.tiles;
    load.work += tile.work;
    load.bytes += static_cast<double>(tile.bytes);
  }
  std::vector<Duty> const all = duties(tiles, speeds);
  for (std::size_t d = 0; d < loads.size(); ++d) {
    loads[d].seconds = all[d].seconds(speeds[d]);
    loads[d].speed = speeds[d];
  }
  return loads;
}

double step_seconds(std::vector<DomainLoad> const& loads) {
  double longest = 0;
  for (DomainLoad const& domain : loads) longest = std::max(longest, domain.seconds);
  return longest;
}

double step_seconds(std::vector<TileLoad> const& tiles, std::vector<DomainSpeed> const& speeds) {
  return step_seconds(domain_loads(tiles, speeds));
}

double imbalance(std::vector<DomainLoad> const& loads) {
  double sum = 0;
  int busy = 0;
  for (DomainLoad const& domain : loads) {
    if (domain.seconds <= 0) continue;
    sum += domain.seconds;
    ++busy;
  }
  return busy == 0 ? 0 : step_seconds(loads) * busy / sum - 1;
}

double imbalance(std::vector<TileLoad> const& tiles, std::vector<DomainSpeed> const& speeds) {
  return imbalance(domain_loads(tiles, speeds));
}

std::vector<Move> balancing_moves(std::vector<TileLoad> tiles,
                                  std::vector<DomainSpeed> const& speeds,
                                  BalanceRules const& rules) {
  double const at_first = step_seconds(tiles, speeds);
  double bytes = 0;
  double best_profit = 0;
  std::size_t moves_that_pay = 0;
  std::vector<Move> moves;
  while (moves.size() < tiles.size()) {
    std::vector<Duty> const now = duties(tiles, speeds);
    std::size_t slowest = 0;
    for (std::size_t d = 1; d < now.size(); ++d) {
      if (now[d].seconds(speeds[d]) > now[slowest].seconds(speeds[slowest])) slowest = d;
    }
    Candidate const best = best_move(tiles, speeds, now, slowest);
    if (best.step_s >= now[slowest].seconds(speeds[slowest])) break;
    TileLoad& tile = tiles[static_cast<std::size_t>(best.move.tile)];
    tile.domain = best.move.to;
    moves.push_back(best.move);
    // Many small moves may gain what none of them gains alone.
    bytes += static_cast<double>(tile.bytes);
    double const gain = at_first - step_seconds(tiles, speeds);
    double const profit = gain * rules.horizon - bytes / rules.bus_bytes_per_s;
    if (gain > rules.least_gain * at_first && profit > best_profit) {
      best_profit = profit;
      moves_that_pay = moves.size();
    }
  }
  moves.resize(moves_that_pay);
  return moves;
}

}  // namespace tessera

// SPDX-License-Identifier: MIT
// Which tiles to move when the speeds of the domains are not what the cut took them to be. Numbers
// in, moves out: no StarPU here.
//
// A step takes as long as the slowest domain. A move pays once, by bytes over the bus, and gains in
// each step that the tile serves afterwards; so it is made if it has paid for itself after some
// hundred steps. A tile never moves to a domain where it alone would delay all others, such as a
// GPU's large tile to a core.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tessera {

struct TileLoad {
  double work = 0;  ///< of a step, in fluid nodes
  std::size_t bytes = 0;
  std::int32_t domain = 0;
  std::vector<std::int32_t> neighbours;  ///< tiles
};

struct DomainSpeed {
  double work_per_second = 0;  ///< of all its workers
  std::size_t workers = 1;     ///< that tiles are spread over
  double least_task_s = 0;     ///< that a tile takes, however small
};

/// What a domain has to do in a step.
struct DomainLoad {
  std::int32_t rank = 0;  ///< the process that it belongs to
  std::int64_t tiles = 0;
  double work = 0;
  double bytes = 0;    ///< that its tiles keep
  double seconds = 0;  ///< that its tiles, as they are, take it
  DomainSpeed speed;
};
std::vector<DomainLoad> domain_loads(std::vector<TileLoad> const& tiles,
                                     std::vector<DomainSpeed> const& speeds);

struct BalanceRules {
  double least_gain = 0.01;       ///< of a step's time, by all moves: less may be noise
  double horizon = 500;           ///< steps after which a move must have paid for itself
  double bus_bytes_per_s = 20e9;  ///< what a move costs
};

struct Move {
  std::int32_t tile = 0;
  std::int32_t to = 0;
};

/// The speed of several workers together. Workers of speed 0 have not been measured; the mean of
/// the measured ones is taken for them.
double speed_together(std::vector<double> const& speeds);

/// Seconds of a step: the time of the slowest domain.
double step_seconds(std::vector<DomainLoad> const& loads);
double step_seconds(std::vector<TileLoad> const& tiles, std::vector<DomainSpeed> const& speeds);

/// Time of the slowest domain over the mean, less 1, of the domains that have tiles.
double imbalance(std::vector<DomainLoad> const& loads);
double imbalance(std::vector<TileLoad> const& tiles, std::vector<DomainSpeed> const& speeds);

/// Moves that shorten a step, one after the other. A domain of speed 0 neither loses nor gets
/// tiles.
std::vector<Move> balancing_moves(std::vector<TileLoad> tiles,
                                  std::vector<DomainSpeed> const& speeds,
                                  BalanceRules const& rules = {});

}  // namespace tessera

// SPDX-License-Identifier: MIT
// The tiles of a repeated rock that one rank has, and what they exchange.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <vector>

namespace simulate {

using Triple = std::array<int, 3>;

/// A rock as `tessera bench tiles` writes it.
struct Rock {
  struct Tile {
    int gpu = 0;  ///< of the rock's
    double nodes = 0;
    double bytes = 0;  ///< of populations
  };
  struct Exchange {
    int from = 0, to = 0;
    Triple box{};
    double bytes = 0;
  };
  int gpus = 1;
  std::vector<Tile> tiles;
  std::vector<Exchange> exchanges;
};

/// Lengths `scale` times as long: volumes grow with the cube, surfaces with the square.
Rock read_rock(nlohmann::json const& json, double scale);

/// How copies of the rock become parts of ranks: each rank has a box of copies or, of a rock cut
/// for more GPUs than a rank has, some of its parts.
struct Arrangement {
  Triple boxes{1, 1, 1};  ///< in all
  Triple boxes_of_rank{1, 1, 1};
  int gpus_of_rank = 1;
};

struct Outbox {
  int rank = 0;
  std::size_t bytes = 0;
};

struct Tile {
  std::int64_t number = 0;  ///< among those of all ranks
  int gpu = 0;              ///< of the rank's
  double nodes = 0;
  std::size_t bytes = 0;
  double crossing = 0;                  ///< bytes that leave it or come to it in a step
  std::vector<Outbox> outboxes;         ///< the one for tiles of the own rank first
  std::vector<std::size_t> neighbours;  ///< of the share, whose outboxes it reads
  std::vector<std::size_t> foreign;     ///< of Share::foreign, likewise
};

struct ForeignOutbox {
  std::int64_t tile = 0;
  int rank = 0;
  std::size_t bytes = 0;
};

struct Share {
  std::vector<Tile> tiles;
  std::vector<ForeignOutbox> foreign;
};

Share share_of(Rock const& rock, Arrangement const& arrangement, int rank);

}  // namespace simulate

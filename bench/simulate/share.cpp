// SPDX-License-Identifier: MIT
#include "bench/simulate/share.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace simulate {
namespace {

std::int64_t linear(Triple at, Triple of) {
  return (std::int64_t{at[2]} * of[1] + at[1]) * of[0] + at[0];
}

Triple triple(std::int64_t number, Triple of) {
  return {int(number % of[0]), int(number / of[0] % of[1]), int(number / of[0] / of[1])};
}

/// The copy `steps` boxes away, around the ends.
Triple away(Triple box, Triple steps, int sign, Triple of) {
  Triple other;
  for (std::size_t a = 0; a < 3; ++a)
    other[a] = ((box[a] + sign * steps[a]) % of[a] + of[a]) % of[a];
  return other;
}

/// Where the tiles of all copies live.
class Places {
 public:
  Places(Rock const& rock, Arrangement const& arrangement)
      : rock_(rock), arrangement_(arrangement) {
    for (std::size_t a = 0; a < 3; ++a)
      ranks_[a] = arrangement.boxes[a] / arrangement.boxes_of_rank[a];
  }

  int rank_of(Triple box, int tile) const {
    Triple node;
    for (std::size_t a = 0; a < 3; ++a) node[a] = box[a] / arrangement_.boxes_of_rank[a];
    int const ranks_of_box = std::max(1, rock_.gpus / arrangement_.gpus_of_rank);
    return int(linear(node, ranks_)) * ranks_of_box + gpu(tile) / arrangement_.gpus_of_rank;
  }
  int gpu_of(Triple box, int tile) const {
    Triple inside;
    for (std::size_t a = 0; a < 3; ++a) inside[a] = box[a] % arrangement_.boxes_of_rank[a];
    int const before = int(linear(inside, arrangement_.boxes_of_rank)) * rock_.gpus;
    return (before + gpu(tile)) % arrangement_.gpus_of_rank;
  }
  std::int64_t number_of(Triple box, int tile) const {
    return linear(box, arrangement_.boxes) * std::int64_t(rock_.tiles.size()) + tile;
  }

 private:
  int gpu(int tile) const { return rock_.tiles[std::size_t(tile)].gpu; }

  Rock const& rock_;
  Arrangement const& arrangement_;
  Triple ranks_{};
};

}  // namespace

Rock read_rock(nlohmann::json const& json, double scale) {
  Rock rock;
  rock.gpus = json.at("gpus");
  for (auto const& tile : json.at("tiles")) {
    rock.tiles.push_back({tile.at("gpu"), double(tile.at("nodes")) * std::pow(scale, 3),
                          double(tile.at("population_bytes")) * std::pow(scale, 3)});
  }
  for (auto const& e : json.at("exchanges")) {
    rock.exchanges.push_back({e.at("from"), e.at("to"), e.at("box"),
                              std::round(double(e.at("bytes")) * std::pow(scale, 2))});
  }
  return rock;
}

Share share_of(Rock const& rock, Arrangement const& arrangement, int rank) {
  Places const places(rock, arrangement);
  Triple const boxes = arrangement.boxes;
  struct Origin {
    Triple box;
    int tile;
    int gpu;
  };
  std::vector<Origin> own;
  for (std::int64_t b = 0; b < std::int64_t{boxes[0]} * boxes[1] * boxes[2]; ++b) {
    Triple const box = triple(b, boxes);
    for (int t = 0; t < int(rock.tiles.size()); ++t)
      if (places.rank_of(box, t) == rank) own.push_back({box, t, places.gpu_of(box, t)});
  }
  std::ranges::stable_sort(own, {}, &Origin::gpu);
  std::map<std::int64_t, std::size_t> place;
  for (std::size_t i = 0; i < own.size(); ++i) place[places.number_of(own[i].box, own[i].tile)] = i;

  Share share;
  std::map<std::int64_t, std::size_t> foreign;
  for (Origin const& at : own) {
    Rock::Tile const& shape = rock.tiles[std::size_t(at.tile)];
    Tile tile{.number = places.number_of(at.box, at.tile),
              .gpu = at.gpu,
              .nodes = shape.nodes,
              .bytes = std::size_t(shape.bytes)};
    std::map<int, double> leaves;  // by rank
    std::set<std::size_t> neighbours, foreigners;
    for (Rock::Exchange const& e : rock.exchanges) {
      if (e.from == at.tile) {
        Triple const box = away(at.box, e.box, -1, boxes);
        if (places.number_of(box, e.to) != tile.number) {
          leaves[places.rank_of(box, e.to)] += e.bytes;
          tile.crossing += e.bytes;
        }
      }
      if (e.to != at.tile) continue;
      Triple const box = away(at.box, e.box, 1, boxes);
      std::int64_t const sender = places.number_of(box, e.from);
      if (sender == tile.number) continue;  // a box that meets itself
      tile.crossing += e.bytes;
      int const from = places.rank_of(box, e.from);
      if (from == rank) {
        neighbours.insert(place.at(sender));
        continue;
      }
      auto const [known, is_new] = foreign.try_emplace(sender, share.foreign.size());
      if (is_new) share.foreign.push_back({sender, from, 0});
      share.foreign[known->second].bytes += std::size_t(e.bytes);
      foreigners.insert(known->second);
    }
    if (auto const inside = leaves.find(rank); inside != leaves.end()) {
      tile.outboxes.push_back({rank, std::size_t(inside->second)});
      leaves.erase(inside);
    }
    for (auto const& [to, bytes] : leaves) tile.outboxes.push_back({to, std::size_t(bytes)});
    tile.neighbours.assign(neighbours.begin(), neighbours.end());
    tile.foreign.assign(foreigners.begin(), foreigners.end());
    share.tiles.push_back(std::move(tile));
  }
  return share;
}

}  // namespace simulate

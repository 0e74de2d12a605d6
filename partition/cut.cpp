// SPDX-License-Identifier: MIT
#include "partition/cut.hpp"

#include <fmt/format.h>
#include <metis.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "base/errors.hpp"
#include "partition/metis_errors.hpp"
#include "partition/sub_graph.hpp"

namespace tessera {
namespace {

static_assert(sizeof(idx_t) == sizeof(std::int32_t), "Debian's METIS has 32-bit indices");

/// METIS leaves a part empty now and then when parts hold few blocks; a tile without a node serves
/// nobody.
void renumber_without_gaps(TileOfBlock& cut, std::int32_t tiles) {
  std::vector<std::int32_t> number(static_cast<std::size_t>(tiles), 0);
  for (std::int32_t tile : cut) number[static_cast<std::size_t>(tile)] = 1;
  std::exclusive_scan(number.begin(), number.end(), number.begin(), 0);
  for (std::int32_t& tile : cut) tile = number[static_cast<std::size_t>(tile)];
}

/// METIS adds weights up in 32 bits and does not notice an overflow, only cuts badly.
std::vector<idx_t> scaled_to_fit(std::vector<std::int32_t> const& weights) {
  constexpr std::int64_t most = 1 << 30;
  std::int64_t const sum = std::accumulate(weights.begin(), weights.end(), std::int64_t{0});
  std::int64_t const divisor = sum / most + 1;
  std::vector<idx_t> scaled;
  scaled.reserve(weights.size());
  for (std::int32_t const w : weights) {
    scaled.push_back(static_cast<idx_t>((w + divisor - 1) / divisor));
  }
  return scaled;
}

/// By how many thousandths a part may exceed its target: ten blocks, but 0.3 % at least and 1 % at
/// most, or a block where parts are small. All buffers are as large as the largest tile's. Asked
/// for less than blocks allow, METIS tears its parts to pieces.
idx_t tolerated_imbalance(std::size_t blocks, std::int32_t tiles) {
  std::size_t const thousand = 1000 * static_cast<std::size_t>(tiles);
  auto const block = static_cast<idx_t>(thousand / blocks);
  auto const ten_blocks = static_cast<idx_t>(10 * thousand / blocks);
  return std::max<idx_t>(std::clamp<idx_t>(ten_blocks, 3, 10), block + 1);
}

/// METIS' own numbers: a part may be empty.
TileOfBlock metis_parts(BlockGraph const& graph, std::int32_t tiles,
                        std::vector<float> const& target_weights) {
  auto blocks = static_cast<idx_t>(graph.work.size());
  TileOfBlock cut(graph.work.size(), 0);
  if (tiles <= 1) return cut;

  idx_t options[METIS_NOPTIONS];
  check_metis(METIS_SetDefaultOptions(options), "METIS_SetDefaultOptions");
  options[METIS_OPTION_SEED] = 1;
  options[METIS_OPTION_UFACTOR] = tolerated_imbalance(graph.work.size(), tiles);
  options[METIS_OPTION_NCUTS] = 4;
  std::vector<idx_t> work = scaled_to_fit(graph.work);
  std::vector<idx_t> cost = scaled_to_fit(graph.cost);
  // METIS takes its input as pointers to non-const and does not write to it.
  auto const in = [](std::vector<std::int32_t> const& v) { return const_cast<idx_t*>(v.data()); };
  std::vector<real_t> shares(target_weights.begin(), target_weights.end());
  idx_t constraints = 1;
  idx_t cut_weight = 0;
  check_metis(METIS_PartGraphKway(&blocks, &constraints, in(graph.first_edge), in(graph.neighbour),
                                  work.data(), nullptr, cost.data(), &tiles,
                                  shares.empty() ? nullptr : shares.data(), nullptr, options,
                                  &cut_weight, cut.data()),
              "METIS_PartGraphKway");
  return cut;
}

/// Whether a block has neighbours that are not of its part.
bool meets_others(BlockGraph const& graph, std::vector<std::int32_t> const& part_of_block,
                  std::int32_t block) {
  auto const b = static_cast<std::size_t>(block);
  return std::any_of(graph.neighbour.begin() + graph.first_edge[b],
                     graph.neighbour.begin() + graph.first_edge[b + 1], [&](std::int32_t n) {
                       return part_of_block[static_cast<std::size_t>(n)] != part_of_block[b];
                     });
}

}  // namespace

TileOfBlock cut_with_metis(BlockGraph const& graph, std::int32_t tiles,
                           std::vector<float> const& target_weights) {
  TileOfBlock cut = metis_parts(graph, tiles, target_weights);
  renumber_without_gaps(cut, tiles);
  return cut;
}

TileOfBlock cut_compactly(BlockGraph const& part, std::int32_t tiles) {
  return cut_with_metis(part, tiles);
}

std::vector<std::int32_t> rank_of_blocks(TwoLevelCut const& cut) {
  std::vector<std::int32_t> ranks;
  if (cut.rank_of_tile.empty()) return ranks;
  ranks.reserve(cut.tile_of_block.size());
  for (std::int32_t const tile : cut.tile_of_block) ranks.push_back(cut.rank_of(tile));
  return ranks;
}

TwoLevelCut cut_in_two_levels(BlockGraph const& graph, std::vector<Part> const& parts,
                              CutOfPart const& cut_part) {
  double const sum = std::accumulate(parts.begin(), parts.end(), 0.0,
                                     [](double total, Part const& p) { return total + p.share; });
  std::vector<float> shares;
  shares.reserve(parts.size());
  for (Part const& part : parts) shares.push_back(static_cast<float>(part.share / sum));
  TileOfBlock const part_of_block =
      metis_parts(graph, static_cast<std::int32_t>(parts.size()), shares);

  TwoLevelCut cut;
  cut.tile_of_block.resize(part_of_block.size());
  std::int32_t tiles = 0;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    SubGraph const part = sub_graph(graph, part_of_block, static_cast<std::int32_t>(p));
    if (part.blocks.empty()) continue;
    auto const blocks = static_cast<std::int32_t>(part.blocks.size());
    tiles = number_tiles(part, cut_part(part.graph, std::min(parts[p].tiles, blocks)), tiles,
                         cut.tile_of_block);
    cut.part_of_tile.resize(static_cast<std::size_t>(tiles), static_cast<std::int32_t>(p));
  }
  return cut;
}

std::vector<std::int32_t> cut_for_ranks(BlockGraph const& graph, std::vector<float> const& shares,
                                        std::string_view blocks) {
  auto const ranks = static_cast<std::int32_t>(shares.size());
  std::vector<std::int32_t> rank_of_block = metis_parts(graph, ranks, shares);
  for (std::int32_t rank = 0; rank < ranks; ++rank) {
    if (std::ranges::find(rank_of_block, rank) == rank_of_block.end()) {
      throw BadInput(
          fmt::format("{} {} are too few for {} processes", rank_of_block.size(), blocks, ranks));
    }
  }
  return rank_of_block;
}

TwoLevelCut cut_of_rank(BlockGraph const& graph, std::vector<std::int32_t> const& rank_of_block,
                        std::int32_t rank, std::vector<Part> const& parts,
                        CutOfPart const& cut_part) {
  SubGraph own = sub_graph(graph, rank_of_block, rank);
  for (std::size_t i = 0; i < own.blocks.size(); ++i) {
    if (meets_others(graph, rank_of_block, own.blocks[i])) own.graph.outer[i] = true;
  }
  TwoLevelCut cut = cut_in_two_levels(own.graph, parts, cut_part);
  TileOfBlock tiles(rank_of_block.size(), -1);
  for (std::size_t i = 0; i < own.blocks.size(); ++i)
    tiles[static_cast<std::size_t>(own.blocks[i])] = cut.tile_of_block[i];
  cut.tile_of_block = std::move(tiles);
  return cut;
}

TileOfBlock cut_in_order(BlockGraph const& graph, std::vector<std::int32_t> const& order,
                         std::vector<double> const& shares) {
  auto const total =
      static_cast<double>(std::accumulate(graph.work.begin(), graph.work.end(), std::int64_t{0}));
  double const all = std::accumulate(shares.begin(), shares.end(), 0.0);
  TileOfBlock cut(graph.work.size());
  std::int64_t before = 0;
  std::size_t tile = 0;
  double end = shares[0] / all * total;
  for (std::int32_t const block : order) {
    auto const b = static_cast<std::size_t>(block);
    double const middle = static_cast<double>(before) + 0.5 * graph.work[b];
    while (middle > end && tile + 1 < shares.size()) end += shares[++tile] / all * total;
    cut[b] = static_cast<std::int32_t>(tile);
    before += graph.work[b];
  }
  return cut;
}

TileOfBlock cut_along_curve(BlockGraph const& graph, std::int32_t tiles,
                            std::vector<float> const& target_weights) {
  std::vector<std::int32_t> order(graph.work.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(
      order, {}, [&](std::int32_t b) { return graph.curve_position[static_cast<std::size_t>(b)]; });
  std::vector<double> shares(target_weights.begin(), target_weights.end());
  if (shares.empty()) shares.assign(static_cast<std::size_t>(tiles), 1);
  TileOfBlock cut = cut_in_order(graph, order, shares);
  renumber_without_gaps(cut, tiles);
  return cut;
}

CutQuality quality(BlockGraph const& graph, TileOfBlock const& cut) {
  std::int32_t const tiles = cut.empty() ? 0 : *std::ranges::max_element(cut) + 1;
  return quality(graph, {cut, std::vector<std::int32_t>(static_cast<std::size_t>(tiles), 0), {}});
}

CutQuality quality(BlockGraph const& graph, TwoLevelCut const& cut) {
  CutQuality result;
  std::size_t const tiles = cut.part_of_tile.size();
  result.tiles = static_cast<std::int32_t>(tiles);
  std::vector<std::int64_t> work(tiles, 0);
  for (std::size_t b = 0; b < cut.tile_of_block.size(); ++b) {
    work[static_cast<std::size_t>(cut.tile_of_block[b])] += graph.work[b];
    for (auto e = static_cast<std::size_t>(graph.first_edge[b]);
         e < static_cast<std::size_t>(graph.first_edge[b + 1]); ++e) {
      // Each edge stands at both of its ends with the links of both ways: half of it counts here.
      if (cut.tile_of_block[static_cast<std::size_t>(graph.neighbour[e])] != cut.tile_of_block[b]) {
        result.cut_links += graph.links[e] / 2;
        result.cost += graph.cost[e] / 2;
      }
    }
  }
  struct PartWork {
    std::int64_t most = 0, sum = 0, tiles = 0;
  };
  std::map<std::pair<std::int32_t, std::int32_t>, PartWork> parts;  // by rank
  for (std::size_t t = 0; t < tiles; ++t) {
    PartWork& part = parts[{cut.rank_of(static_cast<std::int32_t>(t)), cut.part_of_tile[t]}];
    part.most = std::max(part.most, work[t]);
    part.sum += work[t];
    ++part.tiles;
  }
  for (auto const& [number, part] : parts) {
    if (part.sum == 0) continue;
    result.imbalance =
        std::max(result.imbalance,
                 static_cast<double>(part.most * part.tiles) / static_cast<double>(part.sum) - 1);
  }
  return result;
}

std::string metis_version() {
  return fmt::format("{}.{}.{}", METIS_VER_MAJOR, METIS_VER_MINOR, METIS_VER_SUBMINOR);
}

}  // namespace tessera

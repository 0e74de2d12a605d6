// SPDX-License-Identifier: MIT
#include "case/spectral/gas_tiles.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "base/ranks/ranks.hpp"
#include "methods/spectral/pack_graph.hpp"
#include "run/plan/rank_cut.hpp"
#include "run/plan/tile_count.hpp"

namespace tessera {
namespace {

/// Number of tiles for cores: about 50 000 points each, some milliseconds a stage. Each worker gets
/// at least a few, as long as they are worth a task.
std::int64_t tiles_for_cores(std::int64_t points, unsigned cores) {
  constexpr std::int64_t usual = 50'000;
  constexpr std::int64_t fewest = 3'000;
  return std::max((points + usual - 1) / usual,
                  std::min<std::int64_t>(std::int64_t{4} * cores, points / fewest));
}

/// Number of tiles for a single GPU: about 2 million points each, 200 us a stage, enough to hide a
/// task's costs. The more tiles, the less memory their traces take.
std::int64_t tiles_for_a_gpu(std::int64_t points) {
  constexpr std::int64_t usual_points = 2'000'000;
  return std::clamp<std::int64_t>(points / usual_points, 1, 32);
}

/// Number of tiles for each of several GPUs, where 60 us are worth a task: up to eight of 3.5
/// million points.
std::int64_t tiles_for_each_gpu(std::int64_t points) {
  return tiles_in_a_row(points, 500'000, 3'500'000);
}

/// Parts of a cut, with their numbers of tiles, for packs that have `points` points in all.
std::vector<Part> parts_for(std::vector<double> const& shares, double packs, double points,
                            Workers const& workers, std::optional<int> tiles,
                            std::int64_t (*tiles_of_gpu)(std::int64_t points) = tiles_for_a_gpu) {
  std::vector<Part> parts;
  for (std::size_t p = 0; p < shares.size(); ++p) {
    double const share = shares[p];
    auto const of_part = static_cast<std::int64_t>(share * points);
    std::int64_t count =
        p < workers.gpus ? tiles_of_gpu(of_part) : tiles_for_cores(of_part, workers.cores);
    if (tiles) count = std::llround(share * *tiles);
    auto const most = std::max<std::int64_t>(1, static_cast<std::int64_t>(share * packs));
    parts.push_back({share, static_cast<std::int32_t>(std::clamp<std::int64_t>(count, 1, most))});
  }
  return parts;
}

std::int64_t points_of(spectral::MeshOfGas const& of, std::span<std::int32_t const> packs) {
  std::int64_t points = 0;
  for (std::int32_t const p : packs) {
    spectral::Pack const& pack = of.packs.packs[static_cast<std::size_t>(p)];
    points +=
        std::int64_t{pack.elements} * spectral::PackShape{of.mesh.dimension, pack.degree}.points();
  }
  return points;
}

}  // namespace

TwoLevelCut cut_for(spectral::MeshOfGas const& of, Workers const& workers,
                    std::optional<int> tiles) {
  return cut_for({planned_shares_of_ranks(workers), planned_shares(workers)}, of, workers, tiles);
}

TwoLevelCut cut_for(NewShares const& shares, spectral::MeshOfGas const& of, Workers const& workers,
                    std::optional<int> tiles) {
  if (Ranks::alone()) {
    auto const cut = workers.several_gpus() ? spectral::cut_packs_in_a_row : spectral::cut_packs;
    return cut(of, parts_for(shares.of_domains, static_cast<double>(of.packs.packs.size()),
                             static_cast<double>(of.mesh.points()), workers, tiles,
                             both_traces_fit(of, workers) ? tiles_for_each_gpu : tiles_for_a_gpu));
  }
  if (tiles)
    tiles = tiles_of_share(*tiles, shares.of_ranks[static_cast<std::size_t>(Ranks::rank())]);
  return cut_over_ranks(spectral::pack_graph(of), "packs of 8 elements", shares.of_ranks,
                        [&](std::span<std::int32_t const> packs) {
                          return parts_for(shares.of_domains, static_cast<double>(packs.size()),
                                           static_cast<double>(points_of(of, packs)), workers,
                                           tiles);
                        });
}

bool both_traces_fit(spectral::MeshOfGas const& of, Workers const& workers) {
  if (!workers.several_gpus()) return false;
  double numbers = 0;
  for (spectral::Pack const& pack : of.packs.packs) {
    spectral::PackShape const shape{of.mesh.dimension, pack.degree};
    numbers += 2 * (shape.state_size() + shape.traces_size()) + shape.metrics_size(false) +
               shape.jacobian_size(false);
  }
  double const bytes = numbers * sizeof(double) / workers.gpus;
  return workers.gpu_bytes == 0 || 2 * bytes <= static_cast<double>(workers.gpu_bytes);
}

}  // namespace tessera

// SPDX-License-Identifier: MIT
#include "run/plan/tile_count.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "graph/runtime/runtime.hpp"
#include "run/plan/kept_figures.hpp"

namespace tessera {
namespace {

/// For cores, tiles of about 300 000 nodes: some milliseconds. At least a few for each worker, as
/// long as they are worth a task; never more than there are blocks to hand out.
std::int32_t choose_tiles(std::int64_t nodes, std::int32_t blocks, unsigned cores,
                          TilesAsked const& asked) {
  constexpr std::int64_t usual = 300'000;
  constexpr std::int64_t fewest = 10'000;
  std::int64_t const preferred = asked.nodes_per_tile > 0 ? asked.nodes_per_tile : usual;
  std::int64_t const by_size = (nodes + preferred - 1) / preferred;
  std::int64_t const by_workers = std::min<std::int64_t>(std::int64_t{4} * cores, nodes / fewest);
  return static_cast<std::int32_t>(
      std::clamp<std::int64_t>(std::max(by_size, by_workers), 1, blocks));
}

/// Beside GPUs each tile of the cores costs the GPUs' threads transfers. So there are no more than
/// it takes to keep all cores busy to the end of a step, and none is smaller than 100 000 nodes,
/// one to two milliseconds.
std::int32_t choose_tiles_beside_gpus(std::int64_t nodes, std::int32_t blocks, unsigned cores) {
  constexpr std::int64_t fewest = 100'000;
  std::int64_t const tiles = std::min<std::int64_t>(nodes / fewest, std::int64_t{8} * cores);
  return static_cast<std::int32_t>(
      std::clamp<std::int64_t>(std::max<std::int64_t>(tiles, cores), 1, blocks));
}

constexpr std::int32_t most_tiles_per_gpu = 32;
constexpr std::int64_t usual_bytes = 300'000'000;

/// So many tiles on a GPU, or more, that there is room for their lattices and the second ones of
/// those in work. If there is none for all lattices, nor for slabs of them (run/plan/sweeps.hpp),
/// both of those in work must be there: StarPU waits for ever for memory that nobody can give back.
std::int64_t with_room(std::int64_t tiles, std::int64_t bytes, Workers const& workers) {
  if (workers.gpu_bytes == 0) return tiles;
  constexpr std::int64_t in_work = 5;
  auto const room = static_cast<std::int64_t>(workers.gpu_bytes) * 9 / 10;
  while (tiles < most_tiles_per_gpu && bytes * (tiles + in_work) / tiles > room) ++tiles;
  return bytes > room ? std::max(tiles, (2 * in_work * bytes + room - 1) / room) : tiles;
}

/// For a single GPU, tiles of about 300 MB, 4 million nodes in single precision: 180 us, enough to
/// hide a task's costs. The more tiles, the less memory the second lattices take, of which only
/// those in work exist, two tiles' worth: beyond 32 that gains little, and below four or six tiles
/// of 150 MB, which hide it too, are better: an even number, as two are in work at a time.
std::int32_t choose_tiles_for_one_gpu(std::int64_t bytes, Workers const& workers) {
  constexpr std::int64_t small_bytes = usual_bytes / 2, few = 4, enough = 6;
  std::int64_t tiles = bytes / usual_bytes;
  if (bytes >= few * small_bytes)
    tiles = std::max(tiles, std::min(bytes / (2 * small_bytes) * 2, enough));
  tiles = std::clamp<std::int64_t>(tiles, 1, most_tiles_per_gpu);
  return static_cast<std::int32_t>(with_room(tiles, bytes, workers));
}

/// For two lattices of all tiles of a GPU; half of its memory stays free, as tiles of another may
/// come.
bool has_room_for_both(std::int64_t bytes, Workers const& workers) {
  return workers.gpu_bytes == 0 || 4 * bytes <= static_cast<std::int64_t>(workers.gpu_bytes);
}

/// For each of several: up to eight of 300 MB.
std::int32_t choose_tiles_for_each_gpu(std::int64_t bytes, Workers const& workers) {
  constexpr std::int64_t fewest_bytes = 50'000'000;
  return static_cast<std::int32_t>(has_room_for_both(bytes, workers)
                                       ? tiles_in_a_row(bytes, fewest_bytes, usual_bytes)
                                       : with_room(most_tiles_in_a_row, bytes, workers));
}

std::int32_t choose_tiles_per_gpu(std::int64_t nodes, Workers const& workers,
                                  TilesAsked const& asked) {
  if (asked.nodes_per_tile > 0) {
    return static_cast<std::int32_t>(
        std::clamp<std::int64_t>(nodes / asked.nodes_per_tile, 1, most_tiles_per_gpu));
  }
  std::int64_t const bytes = nodes * velocities_of(asked.model.lattice).size *
                             static_cast<std::int64_t>(bytes_of(asked.precision));
  return workers.gpus_exchange() ? choose_tiles_for_each_gpu(bytes, workers)
                                 : choose_tiles_for_one_gpu(bytes, workers);
}

std::string key_of(char const* figure, bool gpus, Precision precision) {
  std::string const device = gpus ? Runtime::gpu_name() : "cores";
  return figure_key(device + ": " + figure, precision);
}
constexpr char const* tile_key = "nodes of a tile";
constexpr char const* window_key = "window";

}  // namespace

std::int64_t tiles_in_a_row(std::int64_t all, std::int64_t worth_a_task, std::int64_t usual) {
  constexpr std::int64_t to_hide = 4;
  std::int64_t const fewest = std::clamp<std::int64_t>(all / worth_a_task, 1, to_hide);
  return std::clamp(all / usual, fewest, most_tiles_in_a_row);
}

bool both_lattices_fit(std::int64_t bytes, Workers const& workers) {
  return workers.several_gpus() && has_room_for_both(bytes, workers);
}

std::vector<double> planned_shares(Workers const& workers) {
  if (workers.gpus == 0) return {1};
  std::vector<double> shares(workers.gpus, (1 - workers.cores_share) / workers.gpus);
  if (workers.cores_share > 0) shares.push_back(workers.cores_share);
  return shares;
}

std::vector<Part> parts_for(std::vector<double> const& shares, Workers const& workers,
                            std::int32_t blocks, std::int64_t nodes, TilesAsked const& asked) {
  auto const first_of_cores = shares.begin() + static_cast<std::ptrdiff_t>(workers.gpus);
  double const of_all_gpus = std::accumulate(shares.begin(), first_of_cores, 0.0);
  auto const nodes_of = [&](double share) {
    return static_cast<std::int64_t>(share * static_cast<double>(nodes));
  };
  std::vector<Part> parts;
  for (auto share = shares.begin(); share != first_of_cores; ++share) {
    // Tiles of all GPUs shall be equally large, so that their buffers are interchangeable.
    double const equal = of_all_gpus / workers.gpus;
    std::int32_t const tiles = asked.tiles > 0
                                   ? std::max(1, asked.tiles / static_cast<int>(workers.gpus))
                                   : choose_tiles_per_gpu(nodes_of(equal), workers, asked);
    parts.push_back(
        {*share, std::max(1, static_cast<std::int32_t>(std::lround(tiles * *share / equal)))});
  }
  for (auto share = first_of_cores; share != shares.end(); ++share) {
    std::int64_t const own_nodes = nodes_of(*share);
    std::int32_t const tiles =
        workers.gpus > 0  ? choose_tiles_beside_gpus(own_nodes, blocks, workers.cores)
        : asked.tiles > 0 ? std::min(asked.tiles, blocks)
                          : choose_tiles(own_nodes, blocks, workers.cores, asked);
    parts.push_back({*share, tiles});
  }
  return parts;
}

std::int64_t tuned_nodes_per_tile(bool gpus, Precision precision) {
  double const kept = kept_figure(key_of(tile_key, gpus, precision)).value_or(0);
  return kept >= 1 && kept <= 1e15 ? static_cast<std::int64_t>(kept) : 0;
}

int tuned_window(bool gpus, Precision precision) {
  double const kept = kept_figure(key_of(window_key, gpus, precision)).value_or(0);
  return kept >= 1 && kept <= 64 ? static_cast<int>(kept) : TilesAsked{}.window;
}

bool keep_tuning(bool gpus, Precision precision, std::int64_t nodes_per_tile, int window) {
  return keep_figure(key_of(tile_key, gpus, precision), static_cast<double>(nodes_per_tile)) &&
         keep_figure(key_of(window_key, gpus, precision), window);
}

}  // namespace tessera

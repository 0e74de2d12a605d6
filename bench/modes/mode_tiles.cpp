// SPDX-License-Identifier: MIT
#include "bench/modes/mode_tiles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/errors.hpp"
#include "base/storage.hpp"
#include "geometry/generate.hpp"
#include "interfaces/cli/values.hpp"
#include "io/atomic_file.hpp"
#include "io/images/labels.hpp"
#include "partition/lattice/exchange.hpp"
#include "partition/lattice/tiling.hpp"

namespace tessera {
namespace {

Geometry repeated(Geometry box, Int3 times) {
  if (times == Int3{1, 1, 1}) return box;
  Int3 const shape{box.shape.x * times.x, box.shape.y * times.y, box.shape.z * times.z};
  Geometry all = uniform_box(shape, 0);
  for (std::int64_t z = 0; z < shape.z; ++z) {
    for (std::int64_t y = 0; y < shape.y; ++y) {
      auto const row = box.pore.begin() + static_cast<std::ptrdiff_t>(linear_index(
                                              box.shape, {0, y % box.shape.y, z % box.shape.z}));
      for (std::int64_t x = 0; x < shape.x; x += box.shape.x) {
        std::copy_n(row, box.shape.x,
                    all.pore.begin() + static_cast<std::ptrdiff_t>(linear_index(shape, {x, y, z})));
      }
    }
  }
  return all;
}

Geometry rock_of(TilesOptions const& options) {
  Geometry rock;
  if (options.image.path.empty()) {
    Int3 const shape = parse_shape("size", options.size);
    rock = overlapping_spheres(shape, options.radius, options.porosity, 7).geometry;
  } else {
    ImageRequest const request = options.image.request(options.labels);
    rock = label_pores(request.read(), request.rule);
  }
  rock = repeated(std::move(rock), parse_shape("repeat", options.repeat));
  rock.periodic = {true, true, true};
  return rock;
}

nlohmann::ordered_json json_of(Int3 v) { return {v.x, v.y, v.z}; }

/// The tiles of a rank, with the numbers of their GPUs among those of all.
void add_tiles(nlohmann::ordered_json& json, BlockGrid const& grid, TwoLevelCut const& cut,
               Cluster const& cluster, std::int32_t rank, std::size_t bytes) {
  std::vector<Layout> const layouts(static_cast<std::size_t>(cluster.gpus_of_rank()),
                                    Layout::together);
  for (Tile const& tile : build_tiling(grid, cut, layouts, rank).tiles) {
    json.push_back({{"gpu", rank * cluster.gpus_of_rank() + tile.part},
                    {"nodes", tile.counts.nodes},
                    {"blocks", tile.counts.blocks},
                    {"population_bytes", tile.population_values * bytes},
                    {"tables_bytes", tile.tables.size()}});
  }
}

}  // namespace

int bench_tiles(TilesOptions const& options) {
  Cluster const& cluster = options.cluster;
  if (cluster.ranks < 1 || cluster.gpus < 1 || cluster.gpus % cluster.ranks != 0) {
    throw BadInput(fmt::format("--ranks {} --gpus {}: expected as many GPUs for each process",
                               cluster.ranks, cluster.gpus));
  }
  if (options.tiles != 0 && options.tiles < cluster.gpus) {
    throw BadInput(fmt::format("--tiles {} --gpus {}: expected a tile for each GPU at least",
                               options.tiles, cluster.gpus));
  }
  check_writable(options.json);
  Geometry const rock = rock_of(options);
  BlockGrid const grid(rock);
  TilesAsked asked;
  asked.precision = parse_precision(options.precision);
  asked.tiles = options.tiles;
  TwoLevelCut const cut = cut_for_cluster(grid, cluster, asked);

  nlohmann::ordered_json json{
      {"rock", options.image.path.empty() ? "overlapping spheres" : options.image.path},
      {"shape", json_of(rock.shape)},
      {"porosity", rock.porosity()},
      {"precision", options.precision},
      {"gpus", cluster.gpus},
      {"nodes", grid.nodes()}};
  std::size_t const bytes = bytes_of(asked.precision);
  for (std::int32_t rank = 0; rank < cluster.ranks; ++rank)
    add_tiles(json["tiles"], grid, cut, cluster, rank, bytes);
  std::int64_t exchanged = 0;
  for (Exchange const& e : exchanges(grid, cut.tile_of_block)) {
    std::int64_t const of_step = e.values * static_cast<std::int64_t>(bytes);
    json["exchanges"].push_back(
        {{"from", e.from}, {"to", e.to}, {"box", json_of(e.box)}, {"bytes", of_step}});
    exchanged += of_step;
  }
  write_whole_file(options.json, json.dump(1) + "\n");
  fmt::print("{} nodes, {} tiles on {} GPUs, {:.1f} MB exchanged in a step: {}\n", grid.nodes(),
             cut.part_of_tile.size(), cluster.gpus, 1e-6 * static_cast<double>(exchanged),
             options.json);
  return 0;
}

}  // namespace tessera

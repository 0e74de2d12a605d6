// SPDX-License-Identifier: MIT
// What a good cut is worth: the same tiles by METIS and by three plainer ways.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <nlohmann/json.hpp>
#include <numbers>
#include <random>
#include <utility>
#include <vector>

#include "bench/modes/hybrid_modes.hpp"
#include "bench/repeat.hpp"
#include "bench/tiling_flow.hpp"
#include "geometry/generate.hpp"
#include "interfaces/cli/values.hpp"
#include "io/atomic_file.hpp"
#include "partition/lattice/block_graph.hpp"
#include "partition/lattice/slabs.hpp"

namespace tessera {
namespace {

/// Overlapping spheres, the denser the lower: the porosity rises along z. Periodic along x and y.
Geometry graded_spheres(std::int64_t size, double radius, double lowest, double highest) {
  auto const edge = static_cast<double>(size);
  // Spheres wrap along z too: into a margin that is cut off afterwards.
  auto const margin = static_cast<std::int64_t>(std::ceil(radius));
  auto const height = static_cast<double>(size + 2 * margin);
  Geometry rock = uniform_box({size, size, size + 2 * margin}, 1);
  // Overlapping spheres of volume V, n of them in a unit volume, leave the porosity exp(-n V).
  double const sphere = 4.0 / 3.0 * std::numbers::pi * std::pow(radius, 3);
  auto const density = [&](double z) {
    double const share = std::clamp((z - static_cast<double>(margin)) / edge, 0.0, 1.0);
    return -std::log(lowest + share * (highest - lowest)) / sphere;
  };
  std::mt19937_64 generator(7);
  auto const fraction = [&] { return static_cast<double>(generator() >> 11) * 0x1p-53; };
  // As many as there would be if all of it were as dense as the lowest layer; of these each stays
  // with the probability that its place asks for.
  auto const tries = std::lround(density(0) * edge * edge * height);
  for (std::int64_t i = 0; i < tries; ++i) {
    Point const centre{fraction() * edge, fraction() * edge, fraction() * height};
    if (fraction() * density(0) < density(centre[2])) carve_sphere(rock, centre, radius);
  }
  auto const layer = size * size;
  rock.pore.erase(rock.pore.begin(), rock.pore.begin() + margin * layer);
  rock.pore.resize(static_cast<std::size_t>(size * layer));
  rock.shape.z = size;
  rock.periodic = {true, true, false};
  return rock;
}

/// Blocks along an axis.
std::int64_t blocks_along(Int3 shape, Axis a) {
  return (shape[a] + block_shape[a] - 1) / block_shape[a];
}

/// How many boxes along each axis, so that there are `tiles` of them: as equal as whole blocks let
/// them be, and then with the smallest surface.
Int3 boxes_of(Int3 shape, std::int32_t tiles) {
  Int3 best{tiles, 1, 1};
  std::pair smallest{std::numeric_limits<std::int64_t>::max(), 0.0};
  for (std::int64_t nz = 1; nz <= tiles; ++nz) {
    for (std::int64_t ny = 1; ny * nz <= tiles; ++ny) {
      Int3 const boxes{tiles / (ny * nz), ny, nz};
      if (volume(boxes) != tiles) continue;
      std::pair cost{std::int64_t{1}, 0.0};  // blocks of the largest; surface
      for (Axis const a : all_axes) {
        cost.first *= (blocks_along(shape, a) + boxes[a] - 1) / boxes[a];
        cost.second += static_cast<double>(boxes[a]) / static_cast<double>(shape[a]);
      }
      if (cost >= smallest) continue;
      smallest = cost;
      best = boxes;
    }
  }
  return best;
}

/// Boxes of as many blocks as possible alike, whatever pores they hold; one without any is none.
TileOfBlock cut_into_boxes(BlockGrid const& grid, std::int32_t tiles) {
  Int3 const shape = grid.image_shape();
  Int3 const boxes = boxes_of(shape, tiles);
  TileOfBlock cut;
  std::vector<std::int32_t> number(static_cast<std::size_t>(tiles), -1);
  std::int32_t used = 0;
  for (Block const& block : grid.blocks()) {
    Int3 box;
    for (Axis const a : all_axes) box[a] = block.at[a] * boxes[a] / blocks_along(shape, a);
    std::int32_t& tile = number[linear_index(boxes, box)];
    if (tile < 0) tile = used++;
    cut.push_back(tile);
  }
  return cut;
}

struct CutCase {
  char const* name;
  Tiling tiling;
  std::vector<double> fixed_mflups;
  std::vector<double> dynamic_mflups;

  double imbalance() const {
    std::int64_t most = 0;
    for (Tile const& tile : tiling.tiles) most = std::max<std::int64_t>(most, tile.counts.nodes);
    return static_cast<double>(most) * static_cast<double>(tiling.tiles.size()) /
               static_cast<double>(tiling.nodes) -
           1;
  }
  std::size_t halo_bytes(Precision precision) const {
    std::size_t values = 0;
    for (Tile const& tile : tiling.tiles) values += tile.counts.outbox_values;
    return values * bytes_of(precision);
  }
};

/// As many as the program takes, and so many that cubes can be made of them.
std::int32_t tiles_for(BlockGrid const& grid, unsigned cores) {
  constexpr std::int64_t preferred = 300'000;  // nodes: some milliseconds
  std::int64_t const wanted = std::max(grid.nodes() / preferred, std::int64_t{4} * cores);
  return static_cast<std::int32_t>(std::min<std::int64_t>((wanted + 7) / 8 * 8, grid.size()));
}

/// `asked_for` tiles; 0: chosen.
std::vector<CutCase> cuts_of(Geometry const& rock, unsigned cores, int asked_for) {
  BlockGrid const grid(rock);
  BlockGraph const graph = block_graph(grid);
  std::int32_t const tiles =
      asked_for > 0 ? std::min(asked_for, grid.size()) : tiles_for(grid, cores);
  TileOfBlock const one_part(static_cast<std::size_t>(grid.size()), 0);
  std::vector<CutCase> cases;
  auto const add = [&](char const* name, TileOfBlock const& cut) {
    cases.push_back({name, build_tiling(grid, cut), {}, {}});
  };
  add("METIS", cut_with_metis(graph, tiles));
  add("Z-order", cut_along_curve(graph, tiles));
  add("slabs", cut_into_slabs(grid, one_part, Axis::z, tiles).tile_of_block);
  add("boxes", cut_into_boxes(grid, tiles));
  return cases;
}

struct CutRock {
  char const* name;
  Geometry geometry;
};

std::vector<CutRock> rocks_of(HybridOptions const& options) {
  Int3 const shape{options.size, options.size, options.size};
  double const radius = bench_radius(options.size);
  std::vector<CutRock> rocks;
  rocks.push_back({"spheres", overlapping_spheres(shape, radius, options.porosity, 7).geometry});
  rocks.push_back({"dense", uniform_box(shape, 1)});
  rocks.back().geometry.periodic = {true, true, true};
  rocks.push_back({"graded", graded_spheres(options.size, radius, 0.05, 0.5)});
  return rocks;
}

}  // namespace

int bench_cuts(HybridOptions const& options) {
  unsigned const cores = cores_or_all(options.workers, 0);
  Precision const precision = parse_precision(options.precision);
  fmt::print("{} cores, {}; MFLUPS and ms a step: medians of {}\n", cores, options.precision,
             options.repeats);
  nlohmann::ordered_json json{{"cores", cores}, {"precision", options.precision}};
  for (CutRock const& rock : rocks_of(options)) {
    std::vector<CutCase> cases = cuts_of(rock.geometry, cores, options.tiles);
    auto const nodes = static_cast<double>(cases.front().tiling.nodes);
    fmt::print("\n{}: porosity {:.3f}, {} nodes\n", rock.name, rock.geometry.porosity(), nodes);
    fmt::print("cut      tiles  imbalance  halo kB    static  ms a step   dynamic  ms a step\n");
    std::fflush(stdout);
    for (int r = 0; r < options.repeats; ++r) {  // by turns: the machine's moods meet all alike
      for (CutCase& c : cases) {
        auto const measure = [&](Balance balance) {
          return measure_tiling({&c.tiling, precision, cores, balance}, options.seconds).mflups;
        };
        c.fixed_mflups.push_back(measure(Balance::fixed));
        c.dynamic_mflups.push_back(measure(Balance::dynamic));
      }
    }
    nlohmann::ordered_json rows;
    for (CutCase const& c : cases) {
      double const fixed = median(c.fixed_mflups), dynamic = median(c.dynamic_mflups);
      auto const halo = static_cast<double>(c.halo_bytes(precision));
      fmt::print("{:8} {:5} {:8.1f} % {:8.0f} {:9.1f} {:10.2f} {:9.1f} {:10.2f}\n", c.name,
                 c.tiling.tiles.size(), 100 * c.imbalance(), 1e-3 * halo, fixed,
                 1e-3 * nodes / fixed, dynamic, 1e-3 * nodes / dynamic);
      rows.push_back({{"cut", c.name},
                      {"tiles", c.tiling.tiles.size()},
                      {"imbalance", c.imbalance()},
                      {"halo_bytes_per_step", c.halo_bytes(precision)},
                      {"static_mflups", c.fixed_mflups},
                      {"dynamic_mflups", c.dynamic_mflups},
                      {"static_ms_per_step", 1e-3 * nodes / fixed},
                      {"dynamic_ms_per_step", 1e-3 * nodes / dynamic}});
    }
    std::fflush(stdout);
    json["rocks"].push_back({{"rock", rock.name},
                             {"porosity", rock.geometry.porosity()},
                             {"nodes", cases.front().tiling.nodes},
                             {"cuts", rows}});
  }
  if (!options.json.empty()) write_whole_file(options.json, json.dump(2) + "\n");
  return 0;
}

}  // namespace tessera

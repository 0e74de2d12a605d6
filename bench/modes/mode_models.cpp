// SPDX-License-Identifier: MIT
// What each velocity set and collision operator costs: the same rock, as the task graph runs it,
// beside the bytes of its populations at the speed of a copy, and beside TRT (with equal rates:
// BGK) on the same set.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "base/machine/copy_bandwidth.hpp"
#include "bench/hybrid_bench.hpp"
#include "geometry/generate.hpp"
#include "interfaces/cli/values.hpp"
#include "io/atomic_file.hpp"
#include "models/lattice/known_models.hpp"
#include "models/lattice/model_names.hpp"

namespace tessera {
namespace {

/// A square of random discs, one layer thick.
Geometry discs(std::int64_t edge, double radius, double porosity) {
  Geometry plane = uniform_box({edge, edge, 1}, 1);
  plane.periodic = {true, true, true};
  auto pore = static_cast<double>(volume(plane.shape));
  double const enough = porosity * pore;
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> place(0, static_cast<double>(edge));
  while (pore > enough) {
    double const x = place(random), y = place(random);
    pore -= static_cast<double>(carve_sphere(plane, {x, y, 0.5}, radius));
  }
  return plane;
}

/// About as many voxels for each set.
Geometry rock_for(LatticeKind lattice, HybridOptions const& options) {
  auto const n = options.size;
  double const radius = bench_radius(n);
  if (velocities_of(lattice).dimensions == 3)
    return overlapping_spheres({n, n, n}, radius, options.porosity, 7).geometry;
  auto const edge = std::lround(std::pow(static_cast<double>(n), 1.5));
  constexpr double open = 0.6;  // in the plane, pores are cut off at a third already
  return discs(std::min(longest_generated_side, edge), radius, std::max(options.porosity, open));
}

struct Measured {
  FlowModel model;
  Rates rates;
};

/// The models of one set, one after the other.
std::vector<Measured> measure_models_on(LatticeKind lattice, Workers const& workers,
                                        HybridOptions const& options) {
  Geometry const rock = rock_for(lattice, options);
  HybridCase hybrid = hybrid_case(rock, parse_precision(options.precision), workers);
  hybrid.may_be_cut_anew = false;
  hybrid.model.lattice = lattice;
  auto const tiles = std::make_shared<FlowTiles const>(plan_tiles(hybrid));
  std::vector<Measured> rows;
  for (FlowModel const& model : models_on(lattice)) {
    hybrid.model = model;
    HybridFlow flow(hybrid, tiles);
    flow.run(0.5 * options.seconds);  // warm
    Measured row{model, {}};
    for (int r = 0; r < options.repeats; ++r) row.rates.mflups.push_back(flow.run(options.seconds));
    rows.push_back(std::move(row));
  }
  return rows;
}

/// MFLUPS of TRT with the second-order equilibrium; 0 if there is none.
double two_rates_speed(std::vector<Measured> const& rows) {
  for (Measured const& row : rows) {
    if (row.model ==
        FlowModel{row.model.lattice, CollisionOperator::trt, EquilibriumForm::second_order})
      return row.rates.middle();
  }
  return 0;
}

}  // namespace

int bench_models(HybridOptions const& options) {
  Workers const workers = gpus_or_cores(options.workers);
  unsigned const gpus = workers.gpus;
  auto const value = static_cast<double>(bytes_of(parse_precision(options.precision)));
  double const copy = gpus > 0 ? gpus * copy_on_gpu() : copy_on_cores(workers.cores);
  fmt::print("{} GPUs, {} cores, {}; copy {:.0f} GB/s; MFLUPS: median (slowest, fastest) of {}\n",
             gpus, gpus > 0 ? 0 : workers.cores, options.precision, copy, options.repeats);
  fmt::print("{:7} {:16} {:14} {:>33} {:>8} {:>8}\n", "lattice", "collision", "equilibrium",
             "MFLUPS", "of copy", "of TRT");
  nlohmann::ordered_json json{{"gpus", gpus}, {"precision", options.precision}, {"copy_gbs", copy}};
  for (auto const& [name, lattice] : lattice_names) {
    std::vector<Measured> const rows = measure_models_on(lattice, workers, options);
    double const bytes = 2 * velocities_of(lattice).size * value;
    double const two_rates = two_rates_speed(rows);
    for (auto const& [model, rates] : rows) {
      auto const collision = fmt::format("{}{}", name_in(collision_names, model.collision),
                                         model.smagorinsky ? " + LES" : "");
      std::string_view const equilibrium = name_in(equilibrium_names, model.equilibrium);
      double const of_copy = rates.middle() * bytes * 1e-3 / copy;
      fmt::print("{:7} {:16} {:14} {:>33} {:6.1f} %", name, collision, equilibrium, rates.text(),
                 100 * of_copy);
      fmt::print("{}\n",
                 two_rates > 0 ? fmt::format(" {:6.1f} %", 100 * rates.middle() / two_rates) : "");
      std::fflush(stdout);
      json["models"].push_back({{"lattice", name},
                                {"collision", collision},
                                {"equilibrium", equilibrium},
                                {"mflups", rates.mflups},
                                {"of_copy", of_copy}});
    }
  }
  if (!options.json.empty()) write_whole_file(options.json, json.dump(2) + "\n");
  return 0;
}

}  // namespace tessera

// SPDX-License-Identifier: MIT
// What it costs to fill halos in tasks of their own: the same rock and the same cut both ways.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "bench/hybrid_bench.hpp"
#include "codelets/lattice/collide_stream.hpp"
#include "interfaces/cli/values.hpp"
#include "io/atomic_file.hpp"

namespace tessera {
namespace {

/// One way to fill halos, and how fast the flow was.
struct Filling {
  HaloExchange halo;
  Rates rates = {};
};

std::vector<Filling> fillings(std::string const& only) {
  if (!only.empty()) return {{parse_name("halo", only, halo_exchange_names)}};
  return {{HaloExchange::fused}, {HaloExchange::task}};
}

}  // namespace

int bench_halo(HybridOptions const& options) {
  auto const gpus = static_cast<unsigned>(choose_gpus(options.workers.gpus));
  // Beside GPUs no cores unless they are asked for.
  unsigned const cores =
      gpus > 0 && options.workers.cores < 0 ? 0 : cores_or_all(options.workers, gpus);
  HybridBench bench(options, options.size);
  Workers workers{.cores = std::max(cores, 1U), .gpus = gpus};
  if (gpus > 0 && cores > 0) {
    HybridBench small(options, enough_for_cores(options.size));
    workers.cores_share = measure_parts(bench, small, gpus, cores, options).cores_share();
  }
  HybridCase hybrid = hybrid_case(bench.rock(), parse_precision(options.precision), workers);
  hybrid.tiles = options.tiles;
  hybrid.may_be_cut_anew = false;  // both on the same tiles
  auto const tiles = std::make_shared<FlowTiles const>(plan_tiles(hybrid));
  std::vector<Filling> all = fillings(options.halo);
  for (int r = 0; r < options.repeats; ++r) {  // by turns: the machine's moods meet both
    for (Filling& filling : all) {
      hybrid.halo = filling.halo;
      HybridFlow flow(hybrid, tiles);
      flow.run(0.5 * options.seconds);  // warm
      filling.rates.mflups.push_back(flow.run(options.seconds));
    }
  }

  Tiling const& tiling = tiles->tiling;
  double best = 0;
  for (Filling const& filling : all) best = std::max(best, filling.rates.middle());
  fmt::print("{} GPUs, {} cores, {} nodes, {} tiles, {}; MFLUPS: median (slowest, fastest) of {}\n",
             gpus, cores, tiling.nodes, tiling.tiles.size(), options.precision, options.repeats);
  fmt::print("{:6} {:>33} {:>8} {:>13}\n", "halo", "MFLUPS", "of best", "us per step");
  nlohmann::ordered_json json{
      {"gpus", gpus}, {"cores", cores}, {"nodes", tiling.nodes}, {"tiles", tiling.tiles.size()}};
  for (Filling const& filling : all) {
    fmt::print("{:6} {:>33} {:6.1f} % {:13.1f}\n", name_in(halo_exchange_names, filling.halo),
               filling.rates.text(), 100 * filling.rates.middle() / best,
               static_cast<double>(tiling.nodes) / filling.rates.middle());
    json["ways"].push_back(
        {{"halo", name_in(halo_exchange_names, filling.halo)}, {"mflups", filling.rates.mflups}});
  }
  if (!options.json.empty()) write_whole_file(options.json, json.dump(2) + "\n");
  return 0;
}

}  // namespace tessera

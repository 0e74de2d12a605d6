// SPDX-License-Identifier: MIT
// Who decides where a tile is computed, and how well: the same rock and the same cut under each
// balance and scheduling policy.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/errors.hpp"
#include "bench/hybrid_bench.hpp"
#include "interfaces/cli/values.hpp"
#include "io/atomic_file.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

/// A folder for StarPU while it lives. Performance models begin empty there, so that what they
/// learn is of this machine as it is now, and are thrown away; the figures of the buses are the
/// usual ones.
class FreshModels {
 public:
  FreshModels() : home_(fs::temp_directory_path() / fmt::format("tessera-policies-{}", getpid())) {
    fs::path const sampling = fs::path(".starpu") / "sampling";
    fs::create_directories(home_ / sampling);
    for (char const* const variable : {"STARPU_HOME", "HOME"}) {
      char const* const usual = std::getenv(variable);
      if (usual == nullptr) continue;
      std::error_code none_there;
      fs::copy(fs::path(usual) / sampling / "bus", home_ / sampling / "bus", none_there);
      break;
    }
    setenv("STARPU_HOME", home_.c_str(), 1);
  }
  ~FreshModels() {
    std::error_code ignored;
    fs::remove_all(home_, ignored);
  }
  FreshModels(FreshModels const&) = delete;
  FreshModels& operator=(FreshModels const&) = delete;

 private:
  fs::path home_;
};

/// One way to decide, and how fast it was.
struct Way {
  Balance balance;
  char const* scheduler;
  Rates rates = {};
};

std::vector<Way> ways() {
  return {{Balance::fixed, "lws"}, {Balance::dynamic, "lws"}, {Balance::free, "eager"},
          {Balance::free, "lws"},  {Balance::free, "dmda"},   {Balance::free, "dmdar"},
          {Balance::free, "dmdas"}};
}

}  // namespace

int bench_policies(HybridOptions const& options) {
  FreshModels const fresh;
  auto const gpus = static_cast<unsigned>(choose_gpus(options.workers.gpus));
  unsigned const cores = cores_or_all(options.workers, gpus);
  HybridBench bench(options, options.size);
  Workers workers{.cores = std::max(cores, 1U), .gpus = gpus};
  double sum = 0;
  if (gpus > 0 && cores > 0) {
    HybridBench small(options, enough_for_cores(options.size));
    Parts const parts = measure_parts(bench, small, gpus, cores, options);
    workers.cores_share = parts.cores_share();
    sum = parts.sum();
  }

  HybridCase hybrid = hybrid_case(bench.rock(), parse_precision(options.precision), workers);
  hybrid.tiles = options.tiles;
  hybrid.may_be_cut_anew = false;  // all on the same tiles
  auto const tiles = std::make_shared<FlowTiles const>(plan_tiles(hybrid));
  Tiling const& tiling = tiles->tiling;
  std::vector<Way> all = ways();
  for (int r = 0; r < options.repeats; ++r) {  // by turns: the machine's moods meet all
    for (Way& way : all) {
      hybrid.balance = way.balance;
      hybrid.scheduler = way.scheduler;
      HybridFlow flow(hybrid, tiles);
      flow.run(0.5 * options.seconds);  // warm: plans, performance models, speeds
      way.rates.mflups.push_back(flow.run(options.seconds));
    }
  }

  double best = 0;
  for (Way const& way : all) best = std::max(best, way.rates.middle());
  fmt::print("{} GPUs, {} cores, {} nodes, {} tiles, {}; MFLUPS: median (slowest, fastest) of {}\n",
             gpus, gpus > 0 && workers.cores_share == 0 ? 0 : workers.cores, tiling.nodes,
             tiling.tiles.size(), options.precision, options.repeats);
  fmt::print("{:8} {:9} {:>33} {:>8}{}\n", "balance", "scheduler", "MFLUPS", "of best",
             sum > 0 ? "   of sum" : "");
  nlohmann::ordered_json json{
      {"gpus", gpus}, {"nodes", tiling.nodes}, {"tiles", tiling.tiles.size()}};
  if (sum > 0) json["sum_mflups"] = sum;
  for (Way const& way : all) {
    fmt::print("{:8} {:9} {:>33} {:6.1f} %", name_in(balance_names, way.balance), way.scheduler,
               way.rates.text(), 100 * way.rates.middle() / best);
    fmt::print("{}\n", sum > 0 ? fmt::format(" {:6.1f} %", 100 * way.rates.middle() / sum) : "");
    json["ways"].push_back({{"balance", name_in(balance_names, way.balance)},
                            {"scheduler", way.scheduler},
                            {"mflups", way.rates.mflups}});
  }
  if (!options.json.empty()) write_whole_file(options.json, json.dump(2) + "\n");
  return 0;
}

}  // namespace tessera

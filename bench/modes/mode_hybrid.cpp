// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "base/errors.hpp"
#include "bench/hybrid_bench.hpp"
#include "interfaces/cli/values.hpp"
#include "io/atomic_file.hpp"

namespace tessera {
namespace {

/// Million updates a second if the slower side sets the pace.
double model(double share, double cores, double gpus) {
  return 1 / std::max(share / cores, (1 - share) / gpus);
}

}  // namespace

int bench_hybrid(HybridOptions const& options) {
  auto const gpus = static_cast<unsigned>(choose_gpus(options.workers.gpus));
  if (gpus == 0) throw EnvironmentError("there is no GPU that cores could help");
  unsigned const cores = cores_or_all(options.workers, gpus);
  if (cores == 0) throw BadInput("--cores: expected cores enough to help");
  HybridBench bench(options, options.size);
  HybridBench small(options, enough_for_cores(options.size));
  nlohmann::ordered_json json;

  Parts const parts = measure_parts(bench, small, gpus, cores, options);
  double const sum = parts.sum();
  double const ideal = parts.cores_share();
  Rates const both = bench.measure({cores, gpus, ideal}, Balance::dynamic, options.repeats);
  fmt::print(
      "together, dynamic {}: {:.1f} % of the sum, {:.1f} % of the GPUs alone; {} moves, "
      "{} cuts anew, imbalance {:.1f} %\n",
      both.text(), 100 * both.middle() / sum, 100 * both.middle() / parts.gpus.middle(), both.moves,
      both.cuts, 100 * both.imbalance);
  WorkerPlan const plan =
      plan_workers({.cores_if_they_help = true}, gpus, bench.nodes(),
                   {parts.cores.middle() * 1e6, parts.gpus.middle() * 1e6 / gpus});
  print_uses(both.uses);
  fmt::print("the program's choice: {}\n", plan.reason);
  json["nodes"] = bench.nodes();
  json["gpus_mflups"] = parts.gpus.mflups;
  json["cores_mflups"] = parts.cores.mflups;
  json["both_mflups"] = both.mflups;
  json["share_of_sum"] = both.middle() / sum;

  // The sweep of the literature, on the small rock.
  double const small_gpus =
      small.measure({.cores = 1, .gpus = gpus}, Balance::fixed, options.repeats).middle();
  fmt::print("\n{} nodes\nshare of cores     model    static  of model\n", small.nodes());
  for (double const share : {0.0, 0.5 * ideal, ideal, 1.5 * ideal, 0.1, 0.25, 0.5, 0.75, 1.0}) {
    Workers const workers =
        share < 1 ? Workers{share > 0 ? cores : 1, gpus, share} : Workers{.cores = cores};
    double const rate = small.measure(workers, Balance::fixed, 1).middle();
    double const expected = model(share, parts.cores.middle(), small_gpus);
    fmt::print("{:13.2f}% {:9.1f} {:9.1f} {:8.1f}%\n", 100 * share, expected, rate,
               100 * rate / expected);
    std::fflush(stdout);
    json["sweep"].push_back({{"share", share}, {"model_mflups", expected}, {"mflups", rate}});
  }
  if (!options.json.empty()) write_whole_file(options.json, json.dump(2) + "\n");
  return 0;
}

}  // namespace tessera

// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <vector>

#include "app/hybrid_flow.hpp"
#include "app/options.hpp"
#include "bench/hybrid_modes.hpp"
#include "bench/repeat.hpp"
#include "io/atomic_file.hpp"
#include "io/generate.hpp"
#include "lattice/errors.hpp"

namespace tessera {
namespace {

/// What the workers of a domain did in the last repeat.
struct DomainUse {
  std::string name;
  std::size_t workers = 0;
  double mflups = 0;        ///< that they computed
  double busy = 0;          ///< part of the time, of a worker
  double transferring = 0;  ///< likewise: tasks waiting for their data
  double tasks_a_step = 0;
};

/// Rates of one choice of workers, sorted.
struct Rates {
  std::vector<double> mflups;
  std::vector<DomainUse> uses;
  std::int64_t moves = 0;
  std::int64_t cuts = 0;
  double imbalance = 0;

  double middle() const { return median(mflups); }
  std::string text() const {
    return fmt::format("{:9.1f} ({:9.1f}, {:9.1f})", middle(), *std::ranges::min_element(mflups),
                       *std::ranges::max_element(mflups));
  }
};

/// Between two readings of the clock, some seconds and steps apart.
std::vector<DomainUse> uses_of(std::vector<Domain> const& domains,
                               std::vector<WorkClock::Use> const& before,
                               std::vector<WorkClock::Use> const& after, double seconds,
                               double steps) {
  std::vector<DomainUse> uses;
  for (Domain const& domain : domains) {
    DomainUse use{.name = domain.is_gpu() ? "GPU" : "cores", .workers = domain.workers.size()};
    double const worker_seconds = seconds * static_cast<double>(domain.workers.size());
    for (int const worker : domain.workers) {
      auto const w = static_cast<std::size_t>(worker);
      use.mflups += static_cast<double>(after[w].work - before[w].work) / seconds * 1e-6;
      use.busy += (after[w].busy_s - before[w].busy_s) / worker_seconds;
      use.transferring += (after[w].transferring_s - before[w].transferring_s) / worker_seconds;
      use.tasks_a_step += static_cast<double>(after[w].tasks - before[w].tasks) / steps;
    }
    uses.push_back(use);
  }
  return uses;
}

void print_uses(std::vector<DomainUse> const& uses) {
  fmt::print("  {:<6} {:>8} {:>10} {:>8} {:>14} {:>12}\n", "domain", "workers", "MFLUPS", "busy %",
             "transferring %", "tasks a step");
  for (DomainUse const& use : uses) {
    fmt::print("  {:<6} {:>8} {:>10.1f} {:>8.1f} {:>14.1f} {:>12.1f}\n", use.name, use.workers,
               use.mflups, 100 * use.busy, 100 * use.transferring, use.tasks_a_step);
  }
}

class HybridBench {
 public:
  HybridBench(HybridOptions const& options, std::int64_t size)
      : options_(options),
        rock_(overlapping_spheres({size, size, size}, 14, options.porosity, 7).geometry) {}

  Rates measure(Workers const& workers, Balance balance, int repeats) {
    HybridFlow flow({&rock_, parse_precision(options_.precision), workers, balance});
    nodes_ = flow.nodes();
    flow.run(0.5 * options_.seconds);  // warm; the balance finds its place
    Rates rates;
    std::vector<WorkClock::Use> before;
    for (int r = 0; r < repeats; ++r) {
      before = flow.graph().worker_uses();
      rates.mflups.push_back(flow.run(options_.seconds));
    }
    double const steps = rates.mflups.back() * 1e6 / static_cast<double>(nodes_) * options_.seconds;
    rates.uses =
        uses_of(domains_of(workers), before, flow.graph().worker_uses(), options_.seconds, steps);
    print_uses(rates.uses);
    BalanceReport const& report = flow.graph().balance_report();
    rates.moves = report.moves;
    rates.cuts = report.cuts;
    auto const& looks = report.history.entries();
    if (!looks.empty()) rates.imbalance = looks.back().imbalance;
    return rates;
  }
  std::int64_t nodes() const { return nodes_; }

 private:
  HybridOptions const& options_;
  Geometry rock_;
  std::int64_t nodes_ = 0;
};

/// Million updates a second if the slower side sets the pace.
double model(double share, double cores, double gpus) {
  return 1 / std::max(share / cores, (1 - share) / gpus);
}

}  // namespace

int bench_hybrid(HybridOptions const& options) {
  auto const gpus = static_cast<unsigned>(choose_gpus(options.workers.gpus));
  if (gpus == 0) throw EnvironmentError("there is no GPU that cores could help");
  unsigned const cores = options.workers.cores < 0 ? cores_beside(gpus, cores_present())
                                                   : static_cast<unsigned>(options.workers.cores);
  if (cores == 0) throw BadInput("--cores: expected cores enough to help");
  // Cores need no more than this to be at their speed, and it does not take minutes.
  constexpr std::int64_t enough_for_cores = 256;
  HybridBench bench(options, options.size);
  HybridBench small(options, std::min(options.size, enough_for_cores));
  nlohmann::ordered_json json;

  Rates const gpu_alone =
      bench.measure({.cores = 1, .gpus = gpus}, Balance::dynamic, options.repeats);
  fmt::print("{} nodes, {}; MFLUPS: median (slowest, fastest) of {}\n", bench.nodes(),
             options.precision, options.repeats);
  fmt::print("{} GPU{} alone {}\n", gpus, gpus > 1 ? "s" : "", gpu_alone.text());
  std::fflush(stdout);
  Rates const cores_alone = small.measure({.cores = cores}, Balance::dynamic, options.repeats);
  double const sum = gpu_alone.middle() + cores_alone.middle();
  double const ideal = cores_alone.middle() / sum;
  fmt::print("{} cores alone {}\nsum {:.1f}, cores' share {:.2f} %\n", cores, cores_alone.text(),
             sum, 100 * ideal);
  std::fflush(stdout);

  Rates const both = bench.measure({cores, gpus, ideal}, Balance::dynamic, options.repeats);
  fmt::print(
      "together, dynamic {}: {:.1f} % of the sum, {:.1f} % of the GPUs alone; {} moves, "
      "{} cuts anew, imbalance {:.1f} %\n",
      both.text(), 100 * both.middle() / sum, 100 * both.middle() / gpu_alone.middle(), both.moves,
      both.cuts, 100 * both.imbalance);
  WorkerPlan const plan = plan_workers(
      {}, gpus, bench.nodes(), {cores_alone.middle() * 1e6, gpu_alone.middle() * 1e6 / gpus});
  fmt::print("the program's choice: {}\n", plan.reason);
  json["nodes"] = bench.nodes();
  json["gpus_mflups"] = gpu_alone.mflups;
  json["cores_mflups"] = cores_alone.mflups;
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
    double const expected = model(share, cores_alone.middle(), small_gpus);
    fmt::print("{:13.2f}% {:9.1f} {:9.1f} {:8.1f}%\n", 100 * share, expected, rate,
               100 * rate / expected);
    std::fflush(stdout);
    json["sweep"].push_back({{"share", share}, {"model_mflups", expected}, {"mflups", rate}});
  }
  if (!options.json.empty()) write_whole_file(options.json, json.dump(2) + "\n");
  return 0;
}

}  // namespace tessera

// SPDX-License-Identifier: MIT
#include "bench/hybrid_bench.hpp"

#include <cstdio>

#include "base/errors.hpp"
#include "geometry/generate.hpp"
#include "interfaces/cli/values.hpp"

namespace tessera {
namespace {

/// Between two readings of the clock, so many seconds and steps apart.
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

}  // namespace

Workers gpus_or_cores(WorkersAsked const& asked) {
  auto const gpus = static_cast<unsigned>(choose_gpus(asked.gpus));
  if (gpus > 0 && asked.cores >= 0) {
    throw BadInput(
        fmt::format("--cores {}: expected no cores beside --gpus {}", asked.cores, gpus));
  }
  return {.cores = gpus > 0 ? 1 : cores_or_all(asked, 0), .gpus = gpus};
}

void print_uses(std::vector<DomainUse> const& uses) {
  fmt::print("  {:<6} {:>8} {:>10} {:>8} {:>14} {:>12}\n", "domain", "workers", "MFLUPS", "busy %",
             "transferring %", "tasks a step");
  for (DomainUse const& use : uses) {
    fmt::print("  {:<6} {:>8} {:>10.1f} {:>8.1f} {:>14.1f} {:>12.1f}\n", use.name, use.workers,
               use.mflups, 100 * use.busy, 100 * use.transferring, use.tasks_a_step);
  }
}

HybridBench::HybridBench(HybridOptions const& options, std::int64_t size)
    : options_(options),
      rock_(overlapping_spheres({size, size, size}, bench_radius(size), options.porosity, 7)
                .geometry) {}

Rates HybridBench::measure(Workers const& workers, Balance balance, int repeats) {
  HybridCase hybrid = hybrid_case(rock_, parse_precision(options_.precision), workers);
  hybrid.balance = balance;
  HybridFlow flow(hybrid);
  nodes_ = flow.nodes();
  flow.run(0.5 * options_.seconds);  // warm; the balance finds its place
  Rates rates;
  std::vector<WorkClock::Use> before;
  std::int64_t steps_before = 0;
  for (int r = 0; r < repeats; ++r) {
    before = flow.graph().worker_uses();
    steps_before = flow.graph().steps();
    rates.mflups.push_back(flow.run(options_.seconds));
  }
  auto const steps = static_cast<double>(flow.graph().steps() - steps_before);
  double const seconds = steps * static_cast<double>(nodes_) / (rates.mflups.back() * 1e6);
  rates.uses = uses_of(domains_of(workers), before, flow.graph().worker_uses(), seconds, steps);
  BalanceReport const& report = flow.graph().balance_report();
  rates.moves = report.moves;
  rates.cuts = report.cuts;
  auto const& looks = report.history.entries();
  if (!looks.empty()) rates.imbalance = looks.back().imbalance;
  return rates;
}

Parts measure_parts(HybridBench& bench, HybridBench& small, unsigned gpus, unsigned cores,
                    HybridOptions const& options) {
  Parts parts;
  parts.gpus = bench.measure({.cores = 1, .gpus = gpus}, Balance::dynamic, options.repeats);
  fmt::print("{} nodes, {}; MFLUPS: median (slowest, fastest) of {}\n", bench.nodes(),
             options.precision, options.repeats);
  fmt::print("{} GPU{} alone {}\n", gpus, gpus > 1 ? "s" : "", parts.gpus.text());
  std::fflush(stdout);
  parts.cores = small.measure({.cores = cores}, Balance::dynamic, options.repeats);
  fmt::print("{} cores alone {}\nsum {:.1f}, cores' share {:.2f} %\n", cores, parts.cores.text(),
             parts.sum(), 100 * parts.cores_share());
  std::fflush(stdout);
  return parts;
}

}  // namespace tessera

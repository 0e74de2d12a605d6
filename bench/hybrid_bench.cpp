// SPDX-License-Identifier: MIT
#include "bench/hybrid_bench.hpp"

#include <cstdio>

#include "app/options.hpp"
#include "io/generate.hpp"

namespace tessera {

HybridBench::HybridBench(HybridOptions const& options, std::int64_t size)
    : options_(options),
      rock_(overlapping_spheres({size, size, size}, bench_radius(size), options.porosity, 7)
                .geometry) {}

Rates HybridBench::measure(Workers const& workers, Balance balance, int repeats) {
  HybridFlow flow({&rock_, parse_precision(options_.precision), workers, balance});
  nodes_ = flow.nodes();
  flow.run(0.5 * options_.seconds);  // warm; the balance finds its place
  Rates rates;
  for (int r = 0; r < repeats; ++r) rates.mflups.push_back(flow.run(options_.seconds));
  BalanceReport const& report = flow.graph().balance_report();
  rates.moves = report.moves;
  if (!report.looks.empty()) rates.imbalance = report.looks.back().imbalance;
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

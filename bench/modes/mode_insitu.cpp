// SPDX-License-Identifier: MIT
// What it costs the flow to be looked at, without ParaView: every so many steps density and
// velocity of all nodes are copied out, and a stand-in for the analysis reads every byte of them.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <vector>

#include "base/errors.hpp"
#include "base/machine/seconds_since.hpp"
#include "bench/bus.hpp"
#include "bench/hybrid_bench.hpp"
#include "insitu/analysis_thread.hpp"
#include "interfaces/cli/values.hpp"
#include "io/atomic_file.hpp"
#include "models/lattice/d3q19.hpp"
#include "run/plan/hybrid_flow.hpp"

namespace tessera {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::int64_t steps_between = 100;
/// In a run, at least: the first finds memory to be allocated.
constexpr double fewest_looks = 5;

/// Reads snapshots on a thread of its own, as the analysis of ParaView does
/// (run/insitu/in_situ.hpp).
class StandIn {
 public:
  StandIn(FlowGraph& graph, std::int64_t nodes) : graph_(graph), nodes_(nodes) {}

  void look() {
    std::size_t const set = *thread_.claim();
    graph_.submit_snapshots(set);
    thread_.start([this, set] {
      auto const start = Clock::now();
      std::int64_t nodes = 0;
      double sum = 0;
      graph_.visit_snapshots(set, [&](Int3, std::int32_t, NodeState const& state) {
        ++nodes;
        sum += static_cast<double>(state.density_shift + state.velocity[0] + state.velocity[1] +
                                   state.velocity[2]);
      });
      thread_.release(set);
      if (nodes != nodes_ || !(std::abs(sum) < static_cast<double>(nodes)))
        throw EnvironmentError("bench insitu: the snapshot is not that of the flow");
      seconds_ += seconds_since(start);
      ++looks_;
    });
  }

  /// Seconds of a look, most of which the flow goes on.
  double seconds_a_look() {
    thread_.wait();
    return seconds_ / static_cast<double>(looks_);
  }
  std::int64_t waited() const { return thread_.waited(); }

 private:
  FlowGraph& graph_;
  std::int64_t nodes_;
  double seconds_ = 0;
  std::int64_t looks_ = 0;
  AnalysisThread thread_{WhenBehind::wait};  // the last: it uses the others
};

/// Rates without and with looks, by turns.
struct Looked {
  Rates without;
  Rates with;
  std::vector<double> costs;  ///< of each pair: part of the time without
  double seconds_a_look = 0;
  std::int64_t looks = 0;
  std::int64_t waited = 0;
};

Looked measure_looks(HybridFlow& flow, HybridOptions const& options) {
  FlowGraph& graph = flow.graph();
  StandIn stand_in(graph, flow.nodes());
  // A look comes at the beginning of its steps, so that none is finished after the last of them.
  auto const run = [&](std::int64_t intervals, bool looked_at) {
    auto const start = Clock::now();
    for (std::int64_t i = 0; i < intervals; ++i) {
      if (looked_at) stand_in.look();
      graph.submit_steps(steps_between);
    }
    graph.wait();
    return seconds_since(start);
  };
  run(1, true);  // warm
  double const interval_s = run(1, false);
  auto const intervals =
      static_cast<std::int64_t>(std::max(fewest_looks, options.seconds / interval_s));
  Looked looked;
  looked.looks = intervals * options.repeats;
  double const updates =
      static_cast<double>(flow.nodes()) * static_cast<double>(intervals * steps_between) * 1e-6;
  for (int r = 0; r < options.repeats; ++r) {
    double const without = run(intervals, false);
    double const with = run(intervals, true);
    looked.without.mflups.push_back(updates / without);
    looked.with.mflups.push_back(updates / with);
    looked.costs.push_back(with / without - 1);
  }
  looked.seconds_a_look = stand_in.seconds_a_look();
  looked.waited = stand_in.waited();
  return looked;
}

}  // namespace

int bench_insitu(HybridOptions const& options) {
  Workers const workers = gpus_or_cores(options.workers);
  unsigned const gpus = workers.gpus;
  HybridBench const bench(options, options.size);
  HybridCase hybrid = hybrid_case(bench.rock(), parse_precision(options.precision), workers);
  hybrid.tiles = options.tiles;
  hybrid.may_be_cut_anew = false;
  HybridFlow flow(hybrid);
  Bus const bus = measure_bus(domains_of(workers).front());
  Looked const looked = measure_looks(flow, options);

  // If nothing went on meanwhile: the copy's traffic over that of the steps, and the transfer.
  auto const nodes = static_cast<double>(flow.nodes());
  double const populations = D3Q19::size * static_cast<double>(bytes_of(hybrid.precision));
  double const copy = (populations + sizeof(NodeState)) / (2 * populations * steps_between);
  double const bytes = nodes * sizeof(NodeState);
  double const steps_s = nodes * steps_between * 1e-6 / looked.without.middle();
  double const transfer =
      bus.bytes_per_s > 0 ? bytes / (std::max(1U, gpus) * bus.bytes_per_s) / steps_s : 0;
  double const cost = median(looked.costs);

  fmt::print(
      "{} GPUs, {} cores, {} nodes, {} tiles, {}; a snapshot of {:.1f} MB every {} steps\n"
      "MFLUPS: median (slowest, fastest) of {}\n",
      gpus, gpus > 0 ? 0 : workers.cores, flow.nodes(), flow.tiles(), options.precision,
      bytes * 1e-6, steps_between, options.repeats);
  fmt::print("not looked at {}\nlooked at     {}\n", looked.without.text(), looked.with.text());
  fmt::print("cost          {:9.2f} % ({:.2f}, {:.2f})\n", 100 * cost,
             100 * *std::ranges::min_element(looked.costs),
             100 * *std::ranges::max_element(looked.costs));
  fmt::print("if nothing overlapped: the copy {:.2f} %", 100 * copy);
  if (transfer > 0)
    fmt::print(", {:.1f} GB/s to main memory {:.2f} %", bus.bytes_per_s * 1e-9, 100 * transfer);
  fmt::print("\n{} looks, {:.3f} s each beside {:.3f} s of steps; the flow waited {} times\n",
             looked.looks, looked.seconds_a_look, steps_s, looked.waited);
  if (!options.json.empty()) {
    nlohmann::ordered_json const json{{"gpus", gpus},
                                      {"nodes", flow.nodes()},
                                      {"steps_between", steps_between},
                                      {"bytes", bytes},
                                      {"mflups", looked.without.mflups},
                                      {"looked_at_mflups", looked.with.mflups},
                                      {"cost", looked.costs},
                                      {"copy_not_overlapped", copy},
                                      {"transfer_not_overlapped", transfer},
                                      {"link_gbs", bus.bytes_per_s * 1e-9},
                                      {"seconds_a_look", looked.seconds_a_look},
                                      {"waited", looked.waited}};
    write_whole_file(options.json, json.dump(2) + "\n");
  }
  return 0;
}

}  // namespace tessera

// SPDX-License-Identifier: MIT
// One core or GPU gets slower while a flow runs, as when somebody else starts to compute on it:
// what of the speed that is left do fixed and shared tiles reach?
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bench/competitor.hpp"
#include "bench/drift_figures.hpp"
#include "bench/modes/hybrid_modes.hpp"
#include "bench/repeat.hpp"
#include "geometry/generate.hpp"
#include "graph/runtime/runtime.hpp"
#include "interfaces/cli/values.hpp"
#include "io/atomic_file.hpp"
#include "run/plan/hybrid_flow.hpp"

namespace tessera {
namespace {

constexpr double spacing_s = 0.25;  ///< interval between samples

/// The case that is run, with each balance, in every repeat.
struct DriftCase {
  HybridOptions const& options;
  Geometry const& rock;
  Workers workers;
  double left = 0.5;  ///< share of its speed that the slowed worker keeps
};

/// One run with a competitor from half of it on.
struct Drift {
  std::vector<double> mflups;  ///< in each interval between samples
  double before = 0;           ///< without the competitor
  double after = 0;            ///< with it, when the balance has had time
  double busy = 0;             ///< as `after`, if nobody ever waited
  double part = 0;             ///< share of the slowed domain in the speed before
  double ideal = 0;            ///< ideal_rate() from the `before` of the faster run
  double moves = 0;            ///< moves of tiles, with the competitor
  double imbalance = 0;        ///< of busy times, when the balance has had time
  double share() const { return after / ideal; }
};

/// Seconds that the balance is given to settle; only the time after them counts.
double settling_s(double seconds) { return seconds >= 3 ? 2 : std::min(1.0, 0.5 * seconds); }

/// Domains of a single worker each, a GPU or a core: any of them may be slowed.
std::vector<Domain> single_domains(Workers const& workers) {
  if (workers.gpus > 0) return Runtime::domains(false);
  std::vector<Domain> domains;
  for (int const worker : Runtime::cores().workers) domains.push_back({.workers = {worker}});
  return domains;
}

std::unique_ptr<Competitor> competitor_of(Domain const& domain) {
  int const worker = domain.workers.front();
  return domain.is_gpu() ? competitor_on_gpu(Runtime::gpu_of(worker))
                         : competitor_on_core(Runtime::cpu_of(worker));
}

HybridCase hybrid_of(DriftCase const& c, Balance balance) {
  HybridCase hybrid = hybrid_case(c.rock, parse_precision(c.options.precision), c.workers);
  hybrid.balance = balance;
  hybrid.tiles = c.options.tiles;
  return hybrid;
}

/// What a competitor leaves of the speed of a GPU that has all tiles to itself.
double measure_left(DriftCase const& c) {
  DriftCase alone = c;
  alone.workers.gpus = 1;
  HybridFlow flow(hybrid_of(alone, Balance::dynamic));
  std::unique_ptr<Competitor> const competitor = competitor_of(Runtime::domains(false).front());
  double const seconds = 0.5 * c.options.seconds;
  flow.run(seconds);  // warm
  double const before = flow.run(seconds);
  competitor->start();
  flow.run(0.5 * seconds);
  return flow.run(seconds) / before;
}

Drift run_drift(DriftCase const& c, Balance balance) {
  double const seconds = c.options.seconds;
  HybridFlow flow(hybrid_of(c, balance));
  std::vector<Domain> const domains = single_domains(c.workers);
  std::unique_ptr<Competitor> competitor = competitor_of(domains.front());
  flow.run(0.5 * seconds);  // warm

  auto const start = std::chrono::steady_clock::now();
  auto const mark = [&] {
    return DriftMark{
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(),
        flow.graph().worker_uses()};
  };
  // Submitting waits for the window, so the loop looks around once a step.
  auto const step_until = [&](double time_s) {
    DriftMark now;
    do {
      flow.graph().submit_step();
      now = mark();
    } while (now.time_s < time_s);
    return now;
  };

  Drift drift;
  std::int64_t const& moves = flow.graph().balance_report().moves;
  std::int64_t moves_before = 0;
  DriftMark const first = mark();
  DriftMark last = first, settled = first;
  auto const intervals = std::max(2L, std::lround(2 * seconds / spacing_s)) / 2 * 2;
  double const interval_s = 2 * seconds / static_cast<double>(intervals);
  for (std::int64_t i = 1; i <= intervals; ++i) {
    DriftMark const now = step_until(static_cast<double>(i) * interval_s);
    drift.mflups.push_back(mflups_between(last, now));
    last = now;
    if (i == intervals / 2) {
      drift.before = mflups_between(first, now);
      drift.part = part_of_speed(domains, 0, first, now);
      moves_before = moves;
      competitor->start();
    }
    if (now.time_s <= seconds + settling_s(seconds) + 0.5 * interval_s) settled = now;
  }
  drift.after = mflups_between(settled, last);
  drift.busy = busy_mflups(domains, settled, last);
  drift.imbalance = busy_imbalance(domains, settled, last);
  drift.moves = static_cast<double>(moves - moves_before);
  competitor.reset();
  flow.graph().wait();
  return drift;
}

/// Fixed and shared tiles, several times.
struct Drifts {
  std::vector<Drift> fixed, dynamic;
};

Drifts run_drifts(DriftCase const& c) {
  Drifts drifts;
  for (int r = 0; r < c.options.repeats; ++r) {  // in turn: both meet the same load
    Drift fixed = run_drift(c, Balance::fixed);
    Drift dynamic = run_drift(c, Balance::dynamic);
    // Both get one ideal: on a machine with other load a fixed cut is slowed even before.
    Drift const& faster = fixed.before > dynamic.before ? fixed : dynamic;
    double const part = c.workers.gpus > 0 ? faster.part : 1.0 / c.workers.cores;
    fixed.ideal = dynamic.ideal = ideal_rate(faster.before, part, c.left);
    drifts.fixed.push_back(std::move(fixed));
    drifts.dynamic.push_back(std::move(dynamic));
  }
  return drifts;
}

/// Median of a figure over several runs.
template <class Figure>
double middle(std::vector<Drift> const& runs, Figure&& figure) {
  std::vector<double> values;
  values.reserve(runs.size());
  for (Drift const& run : runs) values.push_back(figure(run));
  return median(values);
}

void print_table(DriftCase const& c, Drifts const& drifts) {
  double const seconds = c.options.seconds;
  std::size_t const intervals = drifts.fixed.front().mflups.size();
  double const interval_s = 2 * seconds / static_cast<double>(intervals);
  auto const row = [&](std::string const& name, auto&& figure, double scale = 1) {
    fmt::print("{:38} {:9.1f} {:9.1f}\n", name, scale * middle(drifts.fixed, figure),
               scale * middle(drifts.dynamic, figure));
  };
  fmt::print("{:>38} {:>9} {:>9}\n", "time s", "static", "dynamic");
  for (std::size_t i = 0; i < intervals; ++i) {
    row(fmt::format("{:38.2f}", interval_s * static_cast<double>(i + 1)),
        [i](Drift const& run) { return run.mflups[i]; });
  }
  row("before", [](Drift const& run) { return run.before; });
  row("ideal after", [](Drift const& run) { return run.ideal; });
  row(fmt::format("after, when {:.2f} s have passed", settling_s(seconds)),
      [](Drift const& run) { return run.after; });
  row(
      "of the ideal, %", [](Drift const& run) { return run.share(); }, 100);
  row("after, if nobody ever waited", [](Drift const& run) { return run.busy; });
  row(
      "imbalance then, %", [](Drift const& run) { return run.imbalance; }, 100);
  row("tiles moved since the competitor came", [](Drift const& run) { return run.moves; });
}

nlohmann::ordered_json figures(std::vector<Drift> const& runs) {
  nlohmann::ordered_json json;
  for (Drift const& run : runs) {
    json.push_back({{"before_mflups", run.before},
                    {"ideal_mflups", run.ideal},
                    {"after_mflups", run.after},
                    {"share_of_ideal", run.share()},
                    {"busy_mflups", run.busy},
                    {"imbalance", run.imbalance},
                    {"moves", static_cast<std::int64_t>(run.moves)},
                    {"mflups", run.mflups}});
  }
  return json;
}

}  // namespace

int bench_drift(HybridOptions const& options) {
  // Workers are bound even where cores are left: the competitor has to stay on its worker's core.
  setenv("STARPU_WORKERS_NOBIND", "0", 0);
  auto const gpus = static_cast<unsigned>(options.workers.gpus);
  unsigned const cores = gpus > 0 ? 1 : cores_or_all(options.workers, 0);
  Int3 const shape{options.size, options.size, options.size};
  Geometry const rock =
      overlapping_spheres(shape, bench_radius(options.size), options.porosity, 7).geometry;
  DriftCase c{.options = options, .rock = rock, .workers = {.cores = cores, .gpus = gpus}};
  if (gpus > 0) c.left = measure_left(c);

  fmt::print("{}, {}; a competitor on one of them from {:.2f} s on leaves it {:.1f} %{}; MFLUPS, ",
             gpus > 0 ? fmt::format("{} GPUs", gpus) : fmt::format("{} cores", cores),
             options.precision, options.seconds, 100 * c.left, gpus > 0 ? "" : " (assumed)");
  fmt::print("medians of {}\n", options.repeats);
  std::fflush(stdout);
  Drifts const drifts = run_drifts(c);
  print_table(c, drifts);

  if (options.json.empty()) return 0;
  nlohmann::ordered_json json{
      {"gpus", gpus},
      {"cores", gpus > 0 ? 0 : cores},
      {"precision", options.precision},
      {"left", c.left},
      {"interval_s", 2 * options.seconds / static_cast<double>(drifts.fixed.front().mflups.size())},
      {"competitor_from_s", options.seconds},
      {"settled_from_s", options.seconds + settling_s(options.seconds)}};
  json["static"] = figures(drifts.fixed);
  json["dynamic"] = figures(drifts.dynamic);
  write_whole_file(options.json, json.dump(2) + "\n");
  return 0;
}

}  // namespace tessera

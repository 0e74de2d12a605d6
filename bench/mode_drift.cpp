// SPDX-License-Identifier: MIT
// One core gets slower while a flow runs, as when somebody else starts to compute on it: what of
// the speed that is left do fixed and shared tiles reach?
#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "app/hybrid_flow.hpp"
#include "app/options.hpp"
#include "bench/hybrid_modes.hpp"
#include "bench/repeat.hpp"
#include "graph/runtime.hpp"
#include "io/atomic_file.hpp"
#include "io/generate.hpp"
#include "lattice/errors.hpp"

namespace tessera {
namespace {

constexpr double spacing_s = 0.25;  ///< of the samples

/// Computes without end on one CPU. To the operating system a thread competes like a process.
class Competitor {
 public:
  explicit Competitor(int cpu) : thread_([cpu](std::stop_token const& stop) { spin(cpu, stop); }) {}

 private:
  static void spin(int cpu, std::stop_token const& stop) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(static_cast<unsigned>(cpu), &set);
    sched_setaffinity(0, sizeof set, &set);  // of this thread
    std::atomic<double> sink{1};             // keeps the compiler from leaving it out
    while (!stop.stop_requested()) {
      double x = sink;
      for (int i = 0; i < 10'000; ++i) x = 0.5 * (x + 2 / x);
      sink = x;
    }
  }

  std::jthread thread_;
};

/// One run with a competitor from half of it on.
struct Drift {
  std::vector<double> mflups;  ///< of each interval between samples
  double before = 0;           ///< without the competitor
  double after = 0;            ///< with it, when the balance has had time
  double ideal = 0;            ///< of the faster of the two before, by what is left of the cores
  double share() const { return after / ideal; }
};

/// Time that the balance is given; the rest counts.
double settling_s(double seconds) { return seconds >= 3 ? 2 : std::min(1.0, 0.5 * seconds); }

double work_done(FlowGraph const& graph) {
  auto const uses = graph.worker_uses();
  return std::accumulate(uses.begin(), uses.end(), 0.0, [](double sum, WorkClock::Use const& use) {
    return sum + static_cast<double>(use.work);
  });
}

Drift run_drift(HybridCase const& hybrid, double seconds) {
  HybridFlow flow(hybrid);
  int const cpu = Runtime::cpu_of(Runtime::cores().workers.front());
  flow.run(0.5 * seconds);  // warm

  struct Mark {
    double time = 0;
    double work = 0;
  };
  auto const start = std::chrono::steady_clock::now();
  auto const mark = [&] {
    return Mark{std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(),
                work_done(flow.graph())};
  };
  auto const rate = [](Mark const& from, Mark const& to) {
    return (to.work - from.work) / (to.time - from.time) * 1e-6;
  };
  // Submitting waits for the window, so the loop looks around once a step.
  auto const step_until = [&](double time) {
    do {
      flow.graph().submit_step();
    } while (mark().time < time);
    return mark();
  };

  Drift drift;
  std::optional<Competitor> competitor;
  Mark const first = mark();
  Mark last = first, settled = first;
  auto const intervals = std::max(2L, std::lround(2 * seconds / spacing_s)) / 2 * 2;
  double const interval_s = 2 * seconds / static_cast<double>(intervals);
  for (std::int64_t i = 1; i <= intervals; ++i) {
    Mark const now = step_until(static_cast<double>(i) * interval_s);
    drift.mflups.push_back(rate(last, now));
    last = now;
    if (i == intervals / 2) {
      drift.before = rate(first, now);
      competitor.emplace(cpu);
    }
    if (now.time <= seconds + settling_s(seconds) + 0.5 * interval_s) settled = now;
  }
  drift.after = rate(settled, last);
  competitor.reset();
  flow.graph().wait();
  return drift;
}

/// Of several runs, the median of each figure.
template <class Figure>
double middle(std::vector<Drift> const& runs, Figure&& figure) {
  std::vector<double> values;
  values.reserve(runs.size());
  for (Drift const& run : runs) values.push_back(figure(run));
  return median(values);
}

nlohmann::ordered_json figures(std::vector<Drift> const& runs) {
  nlohmann::ordered_json json;
  for (Drift const& run : runs) {
    json.push_back({{"before_mflups", run.before},
                    {"ideal_mflups", run.ideal},
                    {"after_mflups", run.after},
                    {"share_of_ideal", run.share()},
                    {"mflups", run.mflups}});
  }
  return json;
}

}  // namespace

int bench_drift(HybridOptions const& options) {
  unsigned const cores =
      options.workers.cores < 0 ? cores_present() : static_cast<unsigned>(options.workers.cores);
  Int3 const shape{options.size, options.size, options.size};
  Geometry const rock =
      overlapping_spheres(shape, bench_radius(options.size), options.porosity, 7).geometry;
  std::vector<Drift> fixed, dynamic;
  for (int r = 0; r < options.repeats; ++r) {  // by turns: the machine's moods meet both
    for (Balance const balance : {Balance::fixed, Balance::dynamic}) {
      HybridCase const hybrid{
          &rock, parse_precision(options.precision), {.cores = cores}, balance, options.tiles};
      (balance == Balance::fixed ? fixed : dynamic).push_back(run_drift(hybrid, options.seconds));
    }
    // One ideal for both: on a machine that is not quiet a fixed cut is held up before, too.
    double const before = std::max(fixed.back().before, dynamic.back().before);
    fixed.back().ideal = dynamic.back().ideal = before * (cores - 0.5) / cores;
  }

  std::size_t const intervals = fixed.front().mflups.size();
  double const interval_s = 2 * options.seconds / static_cast<double>(intervals);
  fmt::print("{} cores, {}; a competitor on one of them from {:.2f} s on; MFLUPS, medians of {}\n",
             cores, options.precision, options.seconds, options.repeats);
  fmt::print("{:>30} {:>9} {:>9}\n", "time s", "static", "dynamic");
  for (std::size_t i = 0; i < intervals; ++i) {
    auto const rate = [i](Drift const& run) { return run.mflups[i]; };
    fmt::print("{:30.2f} {:9.1f} {:9.1f}\n", interval_s * static_cast<double>(i + 1),
               middle(fixed, rate), middle(dynamic, rate));
  }
  auto const row = [&](std::string const& name, auto&& figure, double scale = 1) {
    fmt::print("{:30} {:9.1f} {:9.1f}\n", name, scale * middle(fixed, figure),
               scale * middle(dynamic, figure));
  };
  row("before", [](Drift const& run) { return run.before; });
  row("ideal after", [](Drift const& run) { return run.ideal; });
  row(fmt::format("after, when {:.2f} s have passed", settling_s(options.seconds)),
      [](Drift const& run) { return run.after; });
  row(
      "of the ideal, %", [](Drift const& run) { return run.share(); }, 100);

  if (options.json.empty()) return 0;
  nlohmann::ordered_json json{{"cores", cores},
                              {"precision", options.precision},
                              {"interval_s", interval_s},
                              {"competitor_from_s", options.seconds},
                              {"settled_from_s", options.seconds + settling_s(options.seconds)}};
  json["static"] = figures(fixed);
  json["dynamic"] = figures(dynamic);
  write_whole_file(options.json, json.dump(2) + "\n");
  return 0;
}

}  // namespace tessera

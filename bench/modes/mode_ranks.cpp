// SPDX-License-Identifier: MIT
// `tessera bench ranks`: a step of several processes and its parts. The launcher says how many
// there are and where: a process for each GPU, one for a host, or between.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string>
#include <vector>

#include "base/ranks/ranks.hpp"
#include "bench/message_loop.hpp"
#include "bench/modes/hybrid_modes.hpp"
#include "bench/repeat.hpp"
#include "bench/thread_time.hpp"
#include "geometry/generate.hpp"
#include "interfaces/cli/values.hpp"
#include "io/atomic_file.hpp"
#include "run/plan/hybrid_flow.hpp"
#include "run/rank_report.hpp"

namespace tessera {
namespace {

/// Name of StarPU's thread that speaks MPI.
constexpr char const* mpi_thread = "MPI";

/// After so many steps the mean velocity is printed to the last bit: the same for every mode.
constexpr std::int64_t steps_checked = 20;

/// Collective: the largest of all ranks' seconds.
double of_slowest(double seconds) {
  return 1e-9 * static_cast<double>(Ranks::maximum(std::llround(1e9 * seconds)));
}

std::vector<double> of_all(double seconds) {
  std::vector<double> all;
  for (std::int64_t const ns : Ranks::all_gather(std::llround(1e9 * seconds)))
    all.push_back(1e-9 * static_cast<double>(ns));
  return all;
}

std::int64_t sum_over_ranks(std::int64_t number) {
  auto const all = Ranks::all_gather(number);
  return std::accumulate(all.begin(), all.end(), std::int64_t{0});
}

/// What the tiles of a rank take of its workers in a step, as if they shared it evenly.
struct Work {
  double inner_s = 0;
  double border_s = 0;  ///< of tiles that wait for messages or send some

  double seconds() const { return inner_s + border_s; }
};

/// What one process did.
struct RankFigures {
  std::int64_t nodes = 0;
  std::int64_t tiles = 0;
  std::int64_t border_tiles = 0;
  Work work;
  std::int64_t messages = 0;  ///< sent in a step
  std::int64_t bytes_sent = 0;
  std::int64_t bytes_received = 0;
  double mpi_thread_s = 0;  ///< its CPU time, a step

  nlohmann::ordered_json json() const {
    return {{"nodes", nodes},
            {"tiles", tiles},
            {"border_tiles", border_tiles},
            {"inner_s", work.inner_s},
            {"border_s", work.border_s},
            {"messages", messages},
            {"bytes_sent", bytes_sent},
            {"bytes_received", bytes_received},
            {"mpi_thread_s", mpi_thread_s}};
  }
};

/// A rock on all processes. Times are of a step, of the slowest process, medians of the repeats.
struct RockFigures {
  std::string name;
  Int3 shape;
  std::int64_t nodes = 0;
  double step_s = 0;
  double without_messages_s = 0;
  double messages_alone_s = 0;
  double mean_velocity = 0;
  std::vector<RankFigures> ranks;

  double mflups() const { return static_cast<double>(nodes) / step_s * 1e-6; }
  /// Share of the messages' time that a step hides behind its work; noise of the machine may take
  /// it below 0 or above 1.
  double hidden() const { return 1 - (step_s - without_messages_s) / messages_alone_s; }
  /// Seconds of a step by the model of Riesinger et al., Computation 5 (2017) 48: tiles at a border
  /// first, then the inner ones while messages are under way; of the rank that takes longest.
  double model_s() const {
    double longest = 0;
    for (RankFigures const& rank : ranks)
      longest =
          std::max(longest, rank.work.border_s + std::max(rank.work.inner_s, messages_alone_s));
    return longest;
  }
  nlohmann::ordered_json json() const {
    nlohmann::ordered_json json{{"rock", name},
                                {"shape", {shape.x, shape.y, shape.z}},
                                {"nodes", nodes},
                                {"step_s", step_s},
                                {"mflups", mflups()},
                                {"without_messages_s", without_messages_s},
                                {"messages_alone_s", messages_alone_s},
                                {"model_s", model_s()},
                                {"mean_velocity", fmt::format("{:a}", mean_velocity)}};
    if (messages_alone_s > 0) json["hidden"] = hidden();
    for (RankFigures const& rank : ranks) json["ranks"].push_back(rank.json());
    return json;
  }
};

bool at_border(Tile const& tile) { return !tile.foreign.empty() || tile.outboxes.size() > 1; }

/// A flow of all ranks, which take the same steps whatever their clocks say.
class RankFlow {
 public:
  RankFlow(Geometry const& rock, RanksOptions const& options, Workers const& workers)
      : options_(options), workers_(workers), flow_(hybrid_of(rock, options, workers)) {}

  RockFigures measure() {
    RockFigures figures;
    figures.nodes = flow_.nodes();
    graph().submit_steps(steps_checked);
    graph().submit_measurement();
    Measurement const measured = graph().take_measurement(steps_checked);
    figures.mean_velocity = measured.total.momentum[0] / measured.total.nodes;

    MessageLoop messages(graph(), bytes_of(parse_precision(options_.precision)));
    run_messages(messages, 2);
    steps_ = steps_for(run_flow(4) / 4);
    run_flow(steps_);  // warm
    std::vector<double> with, without, alone;
    double mpi_thread_s = 0;
    for (int r = 0; r < options_.repeats; ++r) {
      double const before = cpu_seconds_of_threads(mpi_thread);
      with.push_back(run_flow(steps_) / steps());
      mpi_thread_s += (cpu_seconds_of_threads(mpi_thread) - before) / steps() / options_.repeats;
      if (Ranks::alone()) continue;
      graph().leave_messages_out(true);
      without.push_back(run_flow(steps_) / steps());
      graph().leave_messages_out(false);
      alone.push_back(run_messages(messages, steps_) / steps());
    }
    figures.step_s = median(with);
    figures.without_messages_s = Ranks::alone() ? figures.step_s : median(without);
    figures.messages_alone_s = Ranks::alone() ? 0 : median(alone);
    take_ranks(figures, messages, mpi_thread_s);
    return figures;
  }

 private:
  static HybridCase hybrid_of(Geometry const& rock, RanksOptions const& options,
                              Workers const& workers) {
    HybridCase hybrid = hybrid_case(rock, parse_precision(options.precision), workers);
    hybrid.tiles = options.tiles;
    hybrid.may_be_cut_anew = false;
    return hybrid;
  }

  FlowGraph& graph() { return flow_.graph(); }
  double steps() const { return static_cast<double>(steps_); }

  /// Collective: seconds that so many steps take the slowest rank, all of which begin together.
  double run_flow(std::int64_t steps) {
    Ranks::maximum(0);
    work_ = {};
    auto const before = graph().tile_reports();
    auto const start = std::chrono::steady_clock::now();
    graph().submit_steps(steps);
    graph().wait();
    double const seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    auto const after = graph().tile_reports();
    auto const workers = static_cast<double>(workers_.gpus > 0 ? workers_.gpus : workers_.cores);
    for (std::size_t t = 0; t < after.size(); ++t) {
      double& part = at_border(graph().tiling().tiles[t]) ? work_.border_s : work_.inner_s;
      part += (after[t].busy_s - before[t].busy_s) / workers / static_cast<double>(steps);
    }
    return of_slowest(seconds);
  }

  static double run_messages(MessageLoop& messages, std::int64_t steps) {
    Ranks::maximum(0);
    return of_slowest(messages.run(steps));
  }

  std::int64_t steps_for(double step_s) const {
    return std::max<std::int64_t>(4, std::llround(options_.seconds / step_s));
  }

  /// Collective. `work_` is that of the last run_flow(), the one without messages if there are
  /// several ranks.
  void take_ranks(RockFigures& figures, MessageLoop const& messages, double mpi_thread_s) {
    auto const& tiles = graph().tiling().tiles;
    auto const take = [&](auto member, std::int64_t here) {
      auto const all = Ranks::all_gather(here);
      for (std::size_t r = 0; r < all.size(); ++r) figures.ranks[r].*member = all[r];
    };
    figures.ranks.resize(static_cast<std::size_t>(Ranks::count()));
    std::int64_t nodes = 0;
    for (Tile const& tile : tiles) nodes += tile.counts.nodes;
    take(&RankFigures::nodes, nodes);
    take(&RankFigures::tiles, static_cast<std::int64_t>(tiles.size()));
    take(&RankFigures::border_tiles, std::ranges::count_if(tiles, at_border));
    take(&RankFigures::messages, static_cast<std::int64_t>(messages.messages_sent()));
    take(&RankFigures::bytes_sent, static_cast<std::int64_t>(messages.bytes_sent()));
    take(&RankFigures::bytes_received, static_cast<std::int64_t>(messages.bytes_received()));
    auto const inner = of_all(work_.inner_s);
    auto const border = of_all(work_.border_s);
    auto const thread = of_all(mpi_thread_s);
    for (std::size_t r = 0; r < figures.ranks.size(); ++r) {
      figures.ranks[r].work = {inner[r], border[r]};
      figures.ranks[r].mpi_thread_s = thread[r];
    }
  }

  RanksOptions const& options_;
  Workers workers_;
  HybridFlow flow_;
  std::int64_t steps_ = 0;
  Work work_;  ///< of the last steps
};

void print(RockFigures const& f) {
  fmt::print("\n{}: {} x {} x {}, {} nodes\n", f.name, f.shape.x, f.shape.y, f.shape.z, f.nodes);
  fmt::print("{:>4} {:>11} {:>6} {:>10} {:>9} {:>10} {:>9} {:>10} {:>12} {:>14}\n", "rank", "nodes",
             "tiles", "at border", "inner us", "border us", "messages", "sent kB", "received kB",
             "MPI thread us");
  for (std::size_t r = 0; r < f.ranks.size(); ++r) {
    RankFigures const& rank = f.ranks[r];
    fmt::print("{:>4} {:>11} {:>6} {:>10} {:>9.0f} {:>10.0f} {:>9} {:>10.1f} {:>12.1f} {:>14.0f}\n",
               r, rank.nodes, rank.tiles, rank.border_tiles, 1e6 * rank.work.inner_s,
               1e6 * rank.work.border_s, rank.messages, 1e-3 * static_cast<double>(rank.bytes_sent),
               1e-3 * static_cast<double>(rank.bytes_received), 1e6 * rank.mpi_thread_s);
  }
  fmt::print("a step {:.0f} us, {:.1f} MFLUPS; by the model {:.0f} us\n", 1e6 * f.step_s,
             f.mflups(), 1e6 * f.model_s());
  if (f.messages_alone_s > 0) {
    fmt::print("messages left out {:.0f} us, messages alone {:.0f} us: {:.1f} % hidden\n",
               1e6 * f.without_messages_s, 1e6 * f.messages_alone_s, 100 * f.hidden());
  }
  fmt::print("mean velocity after {} steps: {:a}\n", steps_checked, f.mean_velocity);
  std::fflush(stdout);
}

/// A periodic rock as long as `cubes` cubes along z.
Geometry cubes_of_rock(RanksOptions const& options, std::int64_t cubes) {
  return overlapping_spheres({options.size, options.size, options.size * cubes},
                             bench_radius(options.size), options.porosity, 7)
      .geometry;
}

RockFigures measure_cubes(RanksOptions const& options, std::string const& name, std::int64_t cubes,
                          WorkersAsked const& asked) {
  auto rock = std::make_unique<Geometry>(cubes_of_rock(options, cubes));
  WorkerPlan const plan =
      plan_workers(asked, rock->pore_voxels(), parse_precision(options.precision));
  if (!plan.reason.empty()) fmt::print("{}\n", plan.reason);
  RankFlow flow(*rock, options, plan.workers);
  Int3 const shape = rock->shape;
  rock.reset();
  RockFigures figures = flow.measure();
  figures.name = name;
  figures.shape = shape;
  print(figures);
  return figures;
}

}  // namespace

int bench_ranks(RanksOptions const& options) {
  auto const ranks = ranks_result();
  print_ranks(ranks);
  WorkersAsked const asked = workers_asked(options.workers.gpus, options.cores);
  check_workers(asked);
  auto const gpus = static_cast<unsigned>(choose_gpus(asked.gpus));
  std::int64_t const cubes = sum_over_ranks(gpus > 0 ? gpus : cores_or_all(asked, 0));
  fmt::print(
      "overlapping spheres, porosity {:.2g}, periodic, {}; median of {}; times are of a step\n",
      options.porosity, options.precision, options.repeats);
  nlohmann::ordered_json json{{"processes", ranks},
                              {"precision", options.precision},
                              {"rocks", nlohmann::ordered_json::array()}};
  if (options.strong) json["rocks"].push_back(measure_cubes(options, "strong", 1, asked).json());
  if (options.weak) json["rocks"].push_back(measure_cubes(options, "weak", cubes, asked).json());
  if (!options.json.empty() && Ranks::is_root())
    write_whole_file(options.json, json.dump(2) + "\n");
  return 0;
}

}  // namespace tessera

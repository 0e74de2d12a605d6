// SPDX-License-Identifier: MIT
#include "run/performance.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <functional>
#include <iterator>
#include <sstream>

#include "base/ranks/ranks.hpp"
#include "codelets/lattice/cpu_kernels.hpp"
#include "graph/runtime/runtime.hpp"
#include "io/json.hpp"
#include "models/lattice/step_bytes.hpp"
#include "partition/cut.hpp"
#include "run/console/log.hpp"
#include "run/losses.hpp"
#include "run/plan/speeds.hpp"
#include "run/worker_results.hpp"
#include "tessera_version.hpp"

namespace tessera {
namespace {

/// Seconds of flow beside which the time to measure the bandwidth does not count.
constexpr double long_run_s = 5;

/// A kind of work that workers are shown with; kinds that no worker has are left out.
struct WorkColumn {
  char const* name;
  std::int64_t WorkerResult::*count;
};
std::vector<WorkColumn> work_columns(std::vector<WorkerResult> const& workers) {
  std::vector<WorkColumn> columns{{"tasks", &WorkerResult::tasks},
                                  {"passes", &WorkerResult::passes}};
  std::erase_if(columns, [&](WorkColumn const& column) {
    return std::ranges::none_of(workers, [&](auto const& w) { return w.*column.count > 0; });
  });
  return columns;
}

void print_worker(WorkerResult const& worker, std::vector<WorkColumn> const& columns) {
  double const total = worker.busy_s + worker.waiting_s;
  double const percent = total > 0 ? 100 / total : 0;
  fmt::print("{:<24}", worker.name);
  for (WorkColumn const& column : columns) fmt::print(" {:>10}", worker.*column.count);
  fmt::print(" {:>8.1f} {:>10.1f}", worker.busy_s * percent, worker.waiting_s * percent);
  if (worker.nodes > 0) fmt::print(" {:>15}", worker.nodes);
  fmt::print("\n");
}

std::vector<WorkerResult> workers_with(std::vector<WorkClock::Use> const& uses) {
  std::vector<WorkerResult> workers = workers_of_runtime();
  for (std::size_t w = 0; w < workers.size(); ++w) {
    workers[w].transferring_s = uses[w].transferring_s;
    workers[w].nodes = uses[w].work;
  }
  return workers;
}

/// Collective: names of the domains of all ranks, in the order of their speeds in a BalanceLook.
std::vector<std::string> domains_of_all_ranks(std::vector<std::string> const& own) {
  if (Ranks::alone()) return own;
  std::vector<std::string> all;
  int rank = 0;
  for (std::string const& of_rank : Ranks::all_gather(Json(own).dump())) {
    for (Json const& name : Json::parse(of_rank))
      all.push_back(fmt::format("rank {} {}", rank, name.get<std::string>()));
    ++rank;
  }
  return all;
}

}  // namespace

void Performance::add(FlowGraph const& graph, FlowTiles const& tiles, TilesAsked const& asked,
                      RunOutcome const& outcome) {
  auto const nodes = static_cast<double>(tiles.tiling.nodes);
  std::int64_t const steps = outcome.steps - outcome.first_step;
  updates_ += nodes * static_cast<double>(steps);
  result_.fluid_nodes = tiles.tiling.nodes;
  result_.steps += steps;
  result_.seconds += outcome.seconds;
  result_.mflups = updates_ / result_.seconds * 1e-6;
  auto bytes = static_cast<std::int64_t>(graph.bytes_in_use());
  Ranks::sum({&bytes, 1});
  result_.bytes_per_fluid_node = static_cast<double>(bytes) / nodes;
  std::int64_t const traffic = step_bytes(velocities_of(asked.model.lattice).size, asked.precision);
  result_.bandwidth_gbs = result_.mflups * 1e6 * static_cast<double>(traffic) * 1e-9;
  result_.imbalance = tiles.quality.imbalance;
  add_tiles({.tiles = static_cast<std::int64_t>(graph.tiling().tiles.size()),
             .uses = graph.worker_uses(),
             .report = graph.balance_report()});
}

void Performance::add_tiles(TiledFlow const& flow) {
  result_.tiles = flow.tiles;
  Ranks::sum({&result_.tiles, 1});
  add_workers(flow.uses);
  add_balance(flow.report);
}

void Performance::add_solved(std::int64_t nodes, double step_equivalents, double seconds,
                             double bytes_per_node, std::vector<SolvedBy> const& by) {
  updates_ += static_cast<double>(nodes) * step_equivalents;
  result_.fluid_nodes = nodes;
  result_.steps += std::llround(step_equivalents);
  result_.seconds += seconds;
  result_.mflups = updates_ / result_.seconds * 1e-6;
  result_.bytes_per_fluid_node = bytes_per_node;
  result_.bandwidth_gbs = result_.mflups * 1e6 * static_cast<double>(usual_step_bytes) * 1e-9;
  result_.workers.resize(std::max(result_.workers.size(), by.size()));
  double const updates = static_cast<double>(nodes) * std::round(step_equivalents);
  double given = 0, share = 0;
  for (std::size_t w = 0; w < by.size(); ++w) {
    WorkerResult& sum = result_.workers[w];
    WorkerResult const& worker = by[w].worker;
    sum.name = worker.name;
    sum.kind = worker.kind;
    sum.tasks += worker.tasks;
    sum.passes += worker.passes;
    sum.busy_s += worker.busy_s;
    sum.waiting_s += seconds - worker.busy_s;
    share += by[w].share;
    // The last worker gets the rest, so that no update is lost by rounding.
    double const until = w + 1 == by.size() ? updates : std::round(share * updates);
    sum.nodes += std::llround(until - given);
    given = until;
  }
}

void Performance::add_workers(std::vector<WorkClock::Use> const& uses) {
  auto& sums = result_.workers;
  std::vector<WorkerResult> const workers = workers_of_all_ranks(workers_with(uses));
  sums.resize(std::max(sums.size(), workers.size()));
  for (std::size_t w = 0; w < workers.size(); ++w) {
    sums[w].name = workers[w].name;
    sums[w].kind = workers[w].kind;
    sums[w].tasks += workers[w].tasks;
    sums[w].busy_s += workers[w].busy_s;
    sums[w].waiting_s += workers[w].waiting_s;
    sums[w].transferring_s += workers[w].transferring_s;
    sums[w].nodes += workers[w].nodes;
  }
}

void Performance::add_balance(BalanceReport const& report) {
  BalanceResult& balance = result_.balance;
  std::int64_t of_ranks[] = {report.moves, static_cast<std::int64_t>(report.bytes_moved),
                             static_cast<std::int64_t>(report.bytes_cut)};
  Ranks::sum(of_ranks);
  balance.moves += of_ranks[0];
  balance.bytes_moved += of_ranks[1];
  balance.bytes_cut += of_ranks[2];
  balance.cuts += report.cuts;
  balance.cut_seconds += report.cut_seconds;
  if (!report.cut_refused.empty())
    log_warning("out of balance, but the lattice was not cut anew: {}", report.cut_refused);
  balance.looks.clear();  // looks are those of the latest flow
  for (BalanceLook const& look : report.history.entries()) {
    balance.looks.push_back({.step = look.step,
                             .seconds = look.seconds,
                             .imbalance = look.imbalance,
                             .largest_imbalance = look.largest_imbalance,
                             .speeds = look.speeds,
                             .moves = look.moves,
                             .looks = look.looks});
  }
}

void Performance::add_checkpoints(CheckpointsResult const& of_flow) {
  CheckpointsResult& sums = result_.checkpoints;
  sums.written += of_flow.written;
  sums.seconds += of_flow.seconds;
  sums.bytes += of_flow.bytes;
}

void Performance::note_workers(WorkerPlan const& plan, Balance policy) {
  workers_ = plan.workers;
  result_.balance.workers = plan.reason;
  result_.balance.policy = name_in(balance_names, policy);
  result_.balance.domains = domains_of_all_ranks(domain_names(workers_));
}

void Performance::measure_bandwidth() {
  std::int64_t copied_a_second = 0;  // bytes
  try {
    auto const ranks = static_cast<unsigned>(Ranks::count());
    unsigned const threads = std::max(static_cast<unsigned>(result_.workers.size()) / ranks, 1U);
    bool const long_run = result_.seconds >= long_run_s;
    double const gbs = workers_.gpus > 0 ? workers_.gpus * copy_of_gpu(long_run)
                                         : copy_of_cores(threads, ranks, long_run);
    copied_a_second = std::llround(1e9 * gbs);
  } catch (std::exception const& error) {  // the memory may be full
    log_warning("the bandwidth was not measured: {}", reason(error));
  }
  bool const known = !Ranks::any(copied_a_second == 0);
  Ranks::sum({&copied_a_second, 1});
  if (known)
    result_.bandwidth_fraction = 1e9 * result_.bandwidth_gbs / static_cast<double>(copied_a_second);
}

void Performance::add_part(std::string const& name, double seconds) {
  auto const known = std::ranges::find(result_.parts, name, &std::pair<std::string, double>::first);
  if (known != result_.parts.end()) {
    known->second += seconds;
  } else {
    result_.parts.emplace_back(name, seconds);
  }
}

PerformanceResult Performance::result() const {
  PerformanceResult result = result_;
  result.wall_seconds = seconds_of_process();
  result.peak_memory_bytes = peak_memory_bytes();
  return result;
}

std::string imbalance_line(BalanceResult const& balance) {
  if (balance.looks.empty()) return {};
  double sum = 0, looks = 0, largest = 0;
  for (BalanceResult::Look const& look : balance.looks) {
    sum += look.imbalance * static_cast<double>(look.looks);
    looks += static_cast<double>(look.looks);
    largest = std::max(largest, look.largest_imbalance);
  }
  return fmt::format(
      "imbalance of the domains: the slowest {:.1f} % above the mean, at most {:.1f} %, at last "
      "{:.1f} %",
      100 * sum / looks, 100 * largest, 100 * balance.looks.back().imbalance);
}

void print_performance(PerformanceResult const& p) {
  std::string const tiles =
      p.tiles > 0 ? fmt::format(" in {} tile{}", p.tiles, p.tiles == 1 ? "" : "s") : "";
  fmt::print(
      "{} fluid nodes{}, {:.1f} MFLUPS, {:.1f} B a node, {:.1f} s (and {:.1f} s to prepare), "
      "{:.2f} GB\n",
      p.fluid_nodes, tiles, p.mflups, p.bytes_per_fluid_node, p.seconds, p.prepare_seconds,
      static_cast<double>(p.peak_memory_bytes) * 1e-9);
  if (!p.balance.workers.empty()) fmt::print("{}\n", p.balance.workers);
  if (std::string const line = imbalance_line(p.balance); !line.empty()) fmt::print("{}\n", line);
  if (p.balance.moves > 0) {
    fmt::print("{} tile{} moved between memories, {:.1f} MB\n", p.balance.moves,
               p.balance.moves == 1 ? "" : "s", static_cast<double>(p.balance.bytes_moved) * 1e-6);
  }
  if (p.balance.cuts > 0) {
    fmt::print("the lattice was cut anew {} time{} while it ran, {:.1f} MB, {:.2f} s\n",
               p.balance.cuts, p.balance.cuts == 1 ? "" : "s",
               static_cast<double>(p.balance.bytes_cut) * 1e-6, p.balance.cut_seconds);
  }
}

void print_workers(std::vector<WorkerResult> const& workers) {
  std::vector<WorkerResult> shown;
  std::ranges::copy_if(workers, std::back_inserter(shown),
                       [](auto const& w) { return w.tasks > 0 || w.busy_s > 0; });
  if (shown.empty()) return;
  constexpr std::size_t ends = 6;  // a long table shows the busiest and the idlest workers only
  if (shown.size() > 2 * ends) std::ranges::sort(shown, std::greater{}, &WorkerResult::busy_s);
  double sum = 0, most = 0, count = 0;
  for (WorkerResult const& worker : shown) {
    if (worker.nodes == 0) continue;  // this worker only collected sums
    sum += worker.busy_s;
    most = std::max(most, worker.busy_s);
    ++count;
  }
  bool const nodes = std::ranges::any_of(shown, [](auto const& w) { return w.nodes > 0; });
  std::vector<WorkColumn> const columns = work_columns(shown);
  fmt::print("{:<24}", "worker");
  for (WorkColumn const& column : columns) fmt::print(" {:>10}", column.name);
  fmt::print(" {:>8} {:>10}{}\n", "busy %", "waiting %", nodes ? "   nodes updated" : "");
  for (std::size_t w = 0; w < shown.size(); ++w) {
    if (shown.size() > 2 * ends && w == ends) {
      fmt::print("  ... {} more ...\n", shown.size() - 2 * ends);
      w = shown.size() - ends;
    }
    print_worker(shown[w], columns);
  }
  fmt::print("imbalance of the workers: the busiest {:.1f} % above the mean\n",
             sum > 0 ? 100 * (most * count / sum - 1) : 0.0);
}

void print_in_situ(InSituResult const& result) {
  fmt::print("in situ: {} looks at the flow, {:.1f} s beside it, {:.1f} MB copied",
             result.executions, result.seconds, static_cast<double>(result.bytes) * 1e-6);
  if (result.waited > 0)
    fmt::print("; the flow waited {} times, {:.1f} s", result.waited, result.waited_s);
  if (result.dropped > 0) fmt::print("; {} looks left out", result.dropped);
  if (!result.errors.empty()) {
    fmt::print("; {} error{}, see results.json", result.errors.size(),
               result.errors.size() == 1 ? "" : "s");
  }
  fmt::print("\n");
}

SoftwareResult software_result() {
  SoftwareResult software;
  software.version = version;
  software.commit = commit;
  software.starpu = Runtime::version();
  software.metis = metis_version();
  software.cuda = Runtime::cuda_version();
  software.compiler = compiler;
  software.instruction_set = best_cpu_kernels().instruction_set;
  return software;
}

std::string describe_software() {
  SoftwareResult const software = software_result();
  auto const or_without = [](std::string_view found) { return found.empty() ? "without" : found; };
  std::string const mpi = Ranks::mpi_version();
  return fmt::format(
      "tessera {} ({})\n"
      "compiler  {}, kernels on cores for {}\n"
      "StarPU    {}\n"
      "MPI       {}\n"
      "CUDA      {}\n"
      "METIS     {}\n"
      "hwloc     {}\n"
      "Eigen     {}\n"
      "HDF5      {}\n"
      "NetCDF    {}\n"
      "libtiff   {}\n"
      "ParaView  {}\n"
      "Embree    {}",
      software.version, software.commit, software.compiler, software.instruction_set,
      software.starpu, or_without(mpi), software.cuda.value_or("none that can be used here"),
      software.metis, hwloc_version, eigen_version, hdf5_version, or_without(netcdf_version),
      tiff_version, or_without(paraview_version), or_without(embree_version));
}

double seconds_of_process() {
  // Field 22 of /proc/self/stat: ticks from boot to the start of the process. The name, in
  // brackets, may hold blanks.
  std::ifstream stat("/proc/self/stat");
  std::string line;
  std::getline(stat, line);
  std::istringstream fields(line.substr(std::min(line.rfind(')') + 1, line.size())));
  std::string field;
  for (int f = 3; f <= 22; ++f) fields >> field;
  timespec now{};
  clock_gettime(CLOCK_BOOTTIME, &now);
  double const started =
      std::strtod(field.c_str(), nullptr) / static_cast<double>(sysconf(_SC_CLK_TCK));
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec) - started;
}

std::int64_t peak_memory_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return std::int64_t{usage.ru_maxrss} * 1024;
}

}  // namespace tessera

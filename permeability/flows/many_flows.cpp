// SPDX-License-Identifier: MIT
#include "permeability/flows/many_flows.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <numeric>
#include <optional>

#include "base/machine/seconds_since.hpp"
#include "base/machine/thread_team.hpp"
#include "base/ranks/ranks.hpp"
#include "base/ranks/shared_counter.hpp"
#include "graph/chains.hpp"
#include "graph/runtime/cores.hpp"
#include "graph/runtime/host_share.hpp"
#include "graph/runtime/main_memory.hpp"
#include "graph/runtime/runtime.hpp"
#include "io/json.hpp"
#include "io/results/results_json.hpp"
#include "permeability/flows/solver_choice.hpp"
#include "run/plan/worker_plan.hpp"
#include "run/worker_results.hpp"

namespace tessera {
namespace {

/// With 8 small flows at once on an H100 each took less time than with 1, 2 or 4.
constexpr unsigned most_per_gpu = 8;

/// Seconds that the tasks of a flow are expected to take, up to a factor. Measured on a core of an
/// EPYC, all cores of which compute, and on an H100: a voxel to cut out and to label; in an
/// iteration, a node, and on a GPU the launches and the small levels. All flows on a GPU share its
/// memory's bandwidth.
constexpr double core_s_a_voxel = 50e-9;
constexpr double core_s_a_node = 1.2e-6;
constexpr double gpu_s_a_node = 1.1e-9;
constexpr double gpu_s_an_iteration = 0.4e-3;

class FlowChain : public Chain {
 public:
  FlowChain(WantedFlow const& wanted, FlowWorkers const& workers, std::atomic<bool> const& stop)
      : wanted_(wanted),
        workers_(workers),
        stop_(stop),
        iterations_(expected_iterations(wanted.asked.tolerance)),
        flow_(wanted.flow(wanted.axis, wanted.asked)) {}

  void prepare() override {
    if (stop_) return;
    Ranks::ByItself const by_itself;
    ThreadLimit const limit(workers_.threads);
    flow_->prepare(wanted_.image());
    nodes_ = flow_->nodes();
  }
  void compute(WorkerKind kind) override {
    if (stop_) return;
    Ranks::ByItself const by_itself;
    ThreadLimit const limit(workers_.threads);
    Workers by{.cores = workers_.threads};
    if (kind == WorkerKind::gpu) {
      by.gpus = workers_.gpus_per_flow;
      by.on_current_gpu = by.gpus == 1;
      by.flows_beside = static_cast<int>(workers_.flows_per_gpu) - 1;
    }
    flow_->solve(by, stop_);
    is_answered_ = !stop_ || flow_->answer().answered();
  }
  double seconds_to_prepare() const override {
    return core_s_a_voxel * static_cast<double>(wanted_.voxels);
  }
  double seconds_to_compute(WorkerKind kind) const override {
    auto const nodes = static_cast<double>(nodes_.load());
    if (nodes == 0) return 1e-6;
    double const on_core = core_s_a_node * nodes / workers_.threads;
    double const on_gpu = gpu_s_an_iteration + gpu_s_a_node * workers_.flows_per_gpu * nodes;
    return iterations_ * (kind == WorkerKind::gpu ? on_gpu : on_core);
  }

  /// Nothing if it was stopped before it had an answer.
  std::optional<ImageAnswer> answer() const {
    return is_answered_ ? std::optional(flow_->answer()) : std::nullopt;
  }

 private:
  WantedFlow const& wanted_;
  FlowWorkers const& workers_;
  std::atomic<bool> const& stop_;
  double iterations_;
  std::unique_ptr<FlowToAnswer> flow_;
  std::atomic<std::int64_t> nodes_ = wanted_.nodes;
  bool is_answered_ = false;
};

FlowRoom room_here(WorkersAsked const& asked) {
  auto const gpus = static_cast<unsigned>(choose_gpus(asked.gpus));
  return {
      .cores = asked.cores > 0 ? static_cast<unsigned>(asked.cores) : cores_present(),
      .cores_may_compute = gpus == 0 || asked.cores != 0,
      .gpus = gpus,
      .gpu_bytes = static_cast<std::int64_t>(Runtime::gpu_bytes()) /
                   (host_share().gpu_is_shared ? Ranks::count_on_host() : 1),
      .main_bytes = static_cast<std::int64_t>(main_memory_available()) / Ranks::count_on_host()};
}

/// Largest first: what comes last leaves others without work for a short time only.
std::vector<std::size_t> by_size(std::span<WantedFlow const> wanted) {
  std::vector<std::size_t> order(wanted.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater{}, [&](std::size_t i) { return wanted[i].nodes; });
  return order;
}

/// Enough to keep the workers busy, if the images of those that are prepared fit the memory. Of few
/// flows no rank takes more than it computes at a time: they would be missing elsewhere.
std::size_t most_in_flight(std::span<WantedFlow const> wanted, FlowWorkers const& workers,
                           std::int64_t main_bytes) {
  constexpr std::int64_t bytes_a_voxel = 8;  // of which labelling needs most
  std::int64_t const at_once = workers.cores + workers.gpus * workers.flows_per_gpu;
  std::int64_t const largest = std::ranges::max(wanted, {}, &WantedFlow::voxels).voxels;
  std::int64_t const fit = main_bytes / (bytes_a_voxel * std::max<std::int64_t>(largest, 1));
  bool const few =
      !Ranks::alone() && static_cast<std::int64_t>(wanted.size()) < 4 * at_once * Ranks::count();
  return static_cast<std::size_t>(std::clamp<std::int64_t>(fit, 1, few ? at_once : 2 * at_once));
}

/// Collective: the answers that other ranks have found, by their numbers.
std::map<std::size_t, ImageAnswer> found_by_others(
    std::map<std::size_t, ImageAnswer> const& found_here) {
  Json own = Json::array();
  for (auto const& [number, a] : found_here)
    own.push_back({number, a.porosity, a.percolating_porosity, a.value, a.error_estimate,
                   a.iterations, a.leads_through, a.failure});
  std::map<std::size_t, ImageAnswer> others;
  for (std::string const& of_rank : Ranks::all_gather(own.dump())) {
    for (Json const& a : Json::parse(of_rank)) {
      std::size_t const number = a.at(0);
      if (!found_here.contains(number))
        others[number] = {a.at(1), a.at(2), a.at(3), a.at(4), a.at(5), a.at(6), a.at(7)};
    }
  }
  return others;
}

}  // namespace

FlowWorkers choose_flow_workers(std::size_t flows, std::int64_t largest, Precision precision,
                                FlowRoom const& room) {
  FlowWorkers chosen;
  auto const at_most_all = [flows](std::int64_t number) {
    return static_cast<unsigned>(
        std::clamp<std::int64_t>(number, 1, static_cast<std::int64_t>(flows)));
  };
  std::int64_t const bytes = std::max<std::int64_t>(bytes_to_solve(largest, precision), 1);
  unsigned const each =
      gpus_to_solve_on(largest, bytes, {.gpus = room.gpus, .gpu_bytes = room.gpu_bytes});
  if (each > 0) {
    // Where there are flows for all GPUs, each has its own, as long as they fit.
    bool const fits_one = bytes <= room.gpu_bytes;
    chosen.gpus_per_flow = fits_one && flows >= room.gpus ? 1 : each;
    chosen.gpus = chosen.gpus_per_flow > 1 ? 1 : at_most_all(room.gpus);
    if (chosen.gpus_per_flow == 1) {
      std::int64_t const fit = room.gpu_bytes / bytes;
      std::int64_t const wanted =
          (static_cast<std::int64_t>(flows) + chosen.gpus - 1) / chosen.gpus;
      chosen.flows_per_gpu =
          static_cast<unsigned>(std::clamp<std::int64_t>(std::min(fit, wanted), 1, most_per_gpu));
    }
  }
  std::int64_t const fit = room.main_bytes / bytes;
  chosen.cores_compute = room.cores_may_compute && (each == 0 || fit > 0);
  // The threads that wait for a GPU leave their cores to those that prepare.
  std::int64_t const cores = room.cores;
  chosen.cores = at_most_all(chosen.cores_compute ? std::min(fit, cores) : cores);
  chosen.threads = std::max(room.cores / chosen.cores, 1U);
  return chosen;
}

void ManyFlows::answer(std::span<WantedFlow const> wanted, std::atomic<bool> const& stop,
                       std::function<void(std::size_t, ImageAnswer const&)> const& note) {
  if (wanted.empty()) return;
  std::vector<std::size_t> const order = by_size(wanted);
  auto const ranks = static_cast<std::size_t>(Ranks::count());
  FlowRoom const room = room_here(asked_);
  FlowWorkers const workers =
      choose_flow_workers((wanted.size() + ranks - 1) / ranks, wanted[order.front()].nodes,
                          wanted.front().asked.precision, room);
  std::vector<std::unique_ptr<FlowChain>> flows(wanted.size());
  std::vector<Chain*> chains;
  for (std::size_t c = 0; c < wanted.size(); ++c) {
    flows[c] = std::make_unique<FlowChain>(wanted[order[c]], workers, stop);
    chains.push_back(flows[c].get());
  }
  // Where cores and GPUs compute, the policy has to predict who ends first; else the next one that
  // has nothing to do takes the next flow.
  bool const both = workers.gpus > 0 && workers.cores_compute;
  auto const start = std::chrono::steady_clock::now();
  Runtime const runtime(Runtime::check_scheduler(scheduler_, both ? "dmdas" : "eager"),
                        static_cast<int>(workers.cores), static_cast<int>(workers.gpus),
                        {.workers_per_gpu = workers.flows_per_gpu, .bound = workers.gpus == 0});
  scheduler_ = runtime.scheduler();
  Runtime::restart_counters();
  std::map<std::size_t, ImageAnswer> found;
  {
    SharedCounter counter(static_cast<std::int64_t>(chains.size()));
    run_chains(
        chains,
        [&]() -> std::optional<std::size_t> {
          auto const next = counter.take();
          return next ? std::optional(static_cast<std::size_t>(*next)) : std::nullopt;
        },
        {.in_flight = most_in_flight(wanted, workers, room.main_bytes),
         .on_cores = workers.cores_compute},
        stop,
        [&](std::size_t c) {
          if (auto const answer = flows[c]->answer()) {
            note(order[c], *answer);
            if (!Ranks::alone()) found.emplace(order[c], *answer);
          }
          flows[c].reset();
        });
  }
  workers_ = workers_of_all_ranks(workers_of_runtime());
  for (auto const& [number, answer] : found_by_others(found)) note(number, answer);
  seconds_ = seconds_since(start);
}

std::vector<std::optional<ImageAnswer>> ManyFlows::answers(std::span<WantedFlow const> wanted,
                                                           std::atomic<bool> const& stop) {
  std::vector<std::optional<ImageAnswer>> all(wanted.size());
  answer(wanted, stop, [&](std::size_t i, ImageAnswer const& found) { all[i] = found; });
  return all;
}

Json ManyFlows::performance() const {
  return {{"seconds", seconds_}, {"scheduler", scheduler_}, {"workers", to_json(workers_)}};
}

}  // namespace tessera

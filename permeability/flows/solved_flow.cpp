// SPDX-License-Identifier: MIT
#include "permeability/flows/solved_flow.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <numeric>

#include "base/machine/seconds_since.hpp"
#include "base/ranks/ranks.hpp"
#include "graph/runtime/runtime.hpp"
#include "io/json.hpp"
#include "run/checkpoint/flow_identity.hpp"
#include "run/worker_results.hpp"

namespace tessera {
namespace {

std::string name_of_rank(std::size_t rank) {
  return Ranks::alone() ? "" : fmt::format("rank {} ", rank);
}

/// Collective: what the cores of all ranks did; nodes are what they went through in all passes.
std::vector<WorkerResult> cores_of_all_ranks(std::vector<StokesUse> const& own) {
  std::vector<WorkerResult> cores;
  cores.reserve(own.size());
  for (StokesUse const& use : own) {
    cores.push_back({.name = fmt::format("CPU {}", cores.size()),
                     .kind = "CPU",
                     .busy_s = use.busy_s,
                     .nodes = use.items,
                     .passes = use.passes});
  }
  return workers_of_all_ranks(std::move(cores));
}

}  // namespace

SolvedFlow::SolvedFlow(PreparedBox& box, PermeabilityCase const& asked, Workers const& workers,
                       StokesSpaces& spaces, bool share)
    : box_(box), asked_(asked) {
  choose_physics(box, solved_for(asked));
  auto const start = std::chrono::steady_clock::now();
  StokesOptions options;
  options.magic = asked.magic;
  options.precision = asked.precision;
  options.threads = static_cast<int>(workers.cores);
  if (workers.gpus > 0) {
    options.device = StokesDevice::gpu;
    options.gpus = Runtime::gpu_numbers();
    options.gpus.resize(std::min<std::size_t>(options.gpus.size(), workers.gpus));
  }
  run_ = std::make_unique<StokesRun>(box_, asked, spaces.of(box_.geometry.own, options, share));
  set_up_seconds_ = seconds_since(start);
}

FlowIdentity SolvedFlow::identity() const {
  FlowIdentity identity = identity_of(box_, asked_);
  identity.flow["solver"] = name_in(solver_names, kind());
  identity.flow["magic"] = asked_.magic;
  identity.parameters = Json::object();
  return identity;
}

PermeabilityOutcome SolvedFlow::run(Observe const& observe, RunControl const& control) {
  return run_->run(observe, control);
}

void SolvedFlow::add_to(Performance& performance, RunOutcome const& outcome) const {
  performance.add_preparation(box_.seconds + set_up_seconds_);
  performance.add_part("label", box_.seconds);
  performance.add_part("set-up", set_up_seconds_);
  performance.add_part("flow", outcome.seconds);
  performance.add_part("gather", run_->gather_seconds());
  performance.add_solved(run_->nodes(), run_->result().step_equivalents, outcome.seconds,
                         run_->bytes_per_node(), workers_of(outcome));
}

std::vector<Performance::SolvedBy> SolvedFlow::workers_of(RunOutcome const& outcome) const {
  std::vector<WorkerResult> const cores = cores_of_all_ranks(run_->uses());
  std::vector<Performance::SolvedBy> by;
  std::vector<std::int64_t> const gpus = Ranks::all_gather(run_->gpus());
  auto const all_gpus =
      static_cast<double>(std::accumulate(gpus.begin(), gpus.end(), std::int64_t{0}));
  for (std::size_t rank = 0; rank < gpus.size(); ++rank) {
    for (std::int64_t gpu = 0; gpu < gpus[rank]; ++gpu) {
      by.push_back({{.name = fmt::format("{}CUDA {}", name_of_rank(rank), gpu),
                     .kind = "CUDA",
                     .busy_s = outcome.seconds},
                    1.0 / all_gpus});
    }
  }
  double nodes = 0;
  for (WorkerResult const& core : cores) nodes += static_cast<double>(core.nodes);
  for (WorkerResult const& core : cores) {
    by.push_back(
        {{.name = core.name, .kind = core.kind, .busy_s = core.busy_s, .passes = core.passes},
         static_cast<double>(core.nodes) / nodes});
  }
  return by;
}

}  // namespace tessera

// SPDX-License-Identifier: MIT
#include "permeability/flows/solved_flow.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>

#include "base/machine/seconds_since.hpp"
#include "graph/runtime/runtime.hpp"
#include "io/json.hpp"
#include "permeability/flows/steady_workers.hpp"
#include "run/checkpoint/flow_identity.hpp"
#include "run/console/log.hpp"
#include "run/worker_results.hpp"

namespace tessera {
SolvedFlow::SolvedFlow(PreparedBox& box, PermeabilityCase const& asked, Workers const& workers,
                       StokesSpaces& spaces, bool share, WorkerTeam* team)
    : box_(box), asked_(asked), team_(team) {
  choose_physics(box, solved_for(asked));
  auto const start = std::chrono::steady_clock::now();
  StokesOptions options;
  options.magic = asked.magic;
  options.precision = asked.precision;
  options.grey = box.geometry.own.of_grey;
  options.keeps_odd_halves = asked.slip;
  choose_workers(options, workers, team);
  RunPiece const run_piece = pieces_of(team);
  std::shared_ptr<StokesSpace> space;
  run_piece("set up", [&] { space = spaces.of(box_.geometry.own, options, share); });
  run_ = std::make_unique<StokesRun>(box_, asked, std::move(space), run_piece);
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
  if (team_ != nullptr) Runtime::restart_counters();
  PermeabilityOutcome outcome = run_->run(observe, control);
  if (team_ != nullptr) workers_ = workers_of_runtime();
  run_->gather(outcome);
  if (asked_.slip && outcome.end == RunEnd::settled) {
    auto const start = std::chrono::steady_clock::now();
    slip_slope_ = run_->slip_slope();
    slip_seconds_ = seconds_since(start);
  } else if (asked_.slip) {
    log_warning("{}: what slip adds is not known, as the flow has not settled",
                axis_name(box_.axis));
  }
  return outcome;
}

void SolvedFlow::add_to(Performance& performance, RunOutcome const& outcome) const {
  performance.add_preparation(box_.seconds + set_up_seconds_);
  performance.add_part("label", box_.seconds);
  performance.add_part("set-up", set_up_seconds_);
  performance.add_part("flow", outcome.seconds);
  performance.add_part("gather", run_->gather_seconds());
  if (asked_.slip) performance.add_part("slip", slip_seconds_);
  performance.add_solved(run_->nodes(), run_->result().step_equivalents, outcome.seconds,
                         run_->bytes_per_node(), workers_of());
}

std::vector<Performance::SolvedBy> SolvedFlow::workers_of() const {
  std::vector<WorkerResult> own = workers_;
  if (run_->gpus() > 0) {
    // One worker launches the passes of all GPUs. A core that prepares the next box has no part in
    // the flow.
    std::erase_if(own, [](WorkerResult const& worker) { return worker.kind != "CUDA"; });
    double busy = 0;
    for (WorkerResult const& gpu : own) busy = std::max(busy, gpu.busy_s);
    for (WorkerResult& gpu : own) {
      gpu.busy_s = busy;
      gpu.nodes = 1;
    }
  } else {
    std::vector<CoreUse> const uses = run_->uses();
    for (std::size_t core = 0; core < std::min(own.size(), uses.size()); ++core) {
      own[core].busy_s = uses[core].busy_s;  // without the time in which one waits for the others
      own[core].passes = uses[core].passes;
      own[core].nodes = uses[core].items;
    }
  }
  std::vector<WorkerResult> const all = workers_of_all_ranks(std::move(own));
  double nodes = 0;
  for (WorkerResult const& worker : all) nodes += static_cast<double>(worker.nodes);
  std::vector<Performance::SolvedBy> by;
  by.reserve(all.size());
  for (WorkerResult const& worker : all)
    by.push_back({worker, static_cast<double>(worker.nodes) / nodes});
  return by;
}

}  // namespace tessera

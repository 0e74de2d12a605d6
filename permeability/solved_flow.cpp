// SPDX-License-Identifier: MIT
#include "permeability/solved_flow.hpp"

#include <fmt/format.h>

#include <chrono>
#include <numeric>

#include "machine/seconds_since.hpp"

namespace tessera {

SolvedFlow::SolvedFlow(PreparedBox& box, PermeabilityCase const& asked, Workers const& workers,
                       StokesSpaces& spaces, bool share)
    : box_(box), asked_(asked) {
  choose_physics(box, solved_for(asked));
  auto const start = std::chrono::steady_clock::now();
  StokesOptions options;
  options.magic = asked.magic;
  options.precision = asked.precision;
  options.threads = static_cast<int>(workers.cores);
  if (workers.gpus > 1) {
    options.gpus.resize(workers.gpus);
    std::iota(options.gpus.begin(), options.gpus.end(), 0);
  }
  if (workers.gpus > 0) options.device = StokesDevice::gpu;
  run_ = std::make_unique<StokesRun>(box_, asked, spaces.of(box_.geometry.own, options, share));
  set_up_seconds_ = seconds_since(start);
}

FlowIdentity SolvedFlow::identity() const {
  FlowIdentity identity = identity_of(box_, asked_);
  identity.flow["solver"] = "minres";
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
  std::vector<StokesUse> const uses = run_->uses();
  std::vector<Performance::SolvedBy> by;
  by.reserve(static_cast<std::size_t>(run_->gpus()) + uses.size());
  for (int gpu = 0; gpu < run_->gpus(); ++gpu) {
    by.push_back({{.name = fmt::format("CUDA {}", gpu),
                   .kind = "CUDA",
                   .tasks = outcome.steps,
                   .busy_s = outcome.seconds},
                  1.0 / run_->gpus()});
  }
  double items = 0;
  for (StokesUse const& use : uses) items += static_cast<double>(use.items);
  for (StokesUse const& use : uses) {
    by.push_back({{.name = fmt::format("CPU {}", by.size()),
                   .kind = "CPU",
                   .tasks = use.passes,
                   .busy_s = use.busy_s},
                  static_cast<double>(use.items) / items});
  }
  return by;
}

}  // namespace tessera

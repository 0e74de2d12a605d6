// SPDX-License-Identifier: MIT
#include "permeability/solved_flow.hpp"

#include <fmt/format.h>

#include <chrono>

#include "machine/seconds_since.hpp"

namespace tessera {

SolvedFlow::SolvedFlow(PreparedBox& box, PermeabilityCase const& asked, Workers const& workers,
                       StokesSpaces& spaces, bool share)
    : box_(box), asked_(asked) {
  choose_physics(box, solved_for(asked));
  auto const start = std::chrono::steady_clock::now();
  StokesOptions const options{.magic = asked.magic,
                              .precision = asked.precision,
                              .device = workers.gpus > 0 ? StokesDevice::gpu : StokesDevice::cores,
                              .threads = static_cast<int>(workers.cores),
                              .runner = {}};
  run_ = std::make_unique<StokesRun>(box_, asked, spaces.of(box_.geometry, options, share));
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
  performance.add_part("set-up", set_up_seconds_);
  performance.add_part("flow", outcome.seconds);
  performance.add_part("gather", run_->gather_seconds());
  performance.add_solved(run_->nodes(), run_->result().step_equivalents, outcome.seconds,
                         run_->bytes_per_node(), workers_of(outcome));
}

std::vector<Performance::SolvedBy> SolvedFlow::workers_of(RunOutcome const& outcome) const {
  std::vector<StokesUse> const uses = run_->uses();
  if (uses.empty()) {
    return {{{.name = "CUDA 0", .kind = "CUDA", .tasks = outcome.steps, .busy_s = outcome.seconds},
             1.0}};
  }
  double items = 0;
  for (StokesUse const& use : uses) items += static_cast<double>(use.items);
  std::vector<Performance::SolvedBy> by;
  by.reserve(uses.size());
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

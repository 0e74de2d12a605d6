// SPDX-License-Identifier: MIT
#include "permeability/flows/stepped_flow.hpp"

#include <utility>

#include "base/ranks/ranks.hpp"
#include "run/checkpoint/flow_identity.hpp"
#include "run/console/log.hpp"

namespace tessera {
namespace {

void print_partition(PreparedFlow const& p) {
  log_info(
      "{} fluid nodes in {} blocks, {} tiles; {} isolated pore voxels left out; pore size {:.1f} "
      "voxels; tau {:.4f}",
      p.tiling.nodes, p.tiling.blocks, p.quality.tiles, p.isolated_voxels, p.hydraulic_diameter,
      p.relaxation_time);
  if (p.quality.tiles == 1) return;
  log_info(
      "METIS: imbalance {:.1f} %, {} populations cross in a step; along a curve: {:.1f} %, {}: {}",
      100 * p.quality.imbalance, p.quality.cut_links, 100 * p.along_curve.imbalance,
      p.along_curve.cut_links,
      p.quality.cut_links <= p.along_curve.cut_links ? "METIS wins" : "the curve wins");
}

}  // namespace

SteppedFlow::SteppedFlow(PreparedBox box, PermeabilityCase const& asked, Workers const& workers,
                         std::string scheduler)
    : asked_(asked),
      scheduler_(std::move(scheduler)),
      label_seconds_(box.seconds),
      prepared_(prepare_flow(std::move(box), asked, workers)) {}

FlowIdentity SteppedFlow::identity() const { return identity_of(prepared_, asked_); }

PermeabilityOutcome SteppedFlow::run(Observe const& observe, RunControl const& control) {
  runtime_.emplace(scheduler_, static_cast<int>(prepared_.workers.cores),
                   static_cast<int>(prepared_.workers.gpus));
  print_partition(prepared_);
  run_.emplace(prepared_, asked_);
  PermeabilityOutcome outcome = run_->run(observe, control);
  if (run_->has_functional()) solver_.k_quadratic = outcome.last.k_lattice;
  solver_.k_linear = outcome.last.k_linear;
  return outcome;
}

void SteppedFlow::visit_nodes(VisitNode const& visit) {
  run_->graph().visit_means_of_two_steps(visit);
}

void SteppedFlow::add_to(Performance& performance, RunOutcome const& outcome) const {
  performance.add_preparation(prepared_.seconds);
  performance.add_part("label", label_seconds_);
  performance.add_part("cut", prepared_.seconds - label_seconds_);
  performance.add_part("flow", outcome.seconds);
  performance.add(run_->graph(), prepared_, asked_, outcome);
}

}  // namespace tessera

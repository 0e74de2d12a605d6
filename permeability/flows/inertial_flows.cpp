// SPDX-License-Identifier: MIT
#include "permeability/flows/inertial_flows.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "models/lattice/units.hpp"
#include "permeability/flows/fields.hpp"
#include "permeability/flows/unsettled.hpp"

namespace tessera {
namespace {

/// Nodes of the sample that fluid flows through.
double fluid_nodes(PreparedFlow const& flow) {
  double nodes = 0;
  Int3 const lower = flow.sample_lower;
  Int3 const upper = flow.sample_upper;
  for (std::int64_t z = lower.z; z < upper.z; ++z) {
    for (std::int64_t y = lower.y; y < upper.y; ++y) {
      for (std::int64_t x = lower.x; x < upper.x; ++x)
        nodes += flow.geometry.own.pore[linear_index(flow.geometry.shape, {x, y, z})];
    }
  }
  return nodes;
}

/// How far drag and driving force of a flow differ where it stands still though it is not steady:
/// what a step would change is less than what velocities are rounded to, 2^-24 of themselves.
/// Relative; the share is measured (docs/method.md).
double imbalance_in_single(double pore_velocity, double force) {
  constexpr double share = 0.15;
  return share * 0x1p-24 * pore_velocity / force;
}

}  // namespace

InertialSeries::InertialSeries(PreparedFlow flow, PermeabilityCase const& asked,
                               std::string const& scheduler, double k_darcy, bool may_widen)
    : flow_(std::move(flow)),
      asked_(asked),
      runtime_(scheduler, static_cast<int>(flow_.workers.cores),
               static_cast<int>(flow_.workers.gpus)),
      k_darcy_(k_darcy),
      may_widen_(may_widen),
      viscosity_of_creeping_(flow_.viscosity),
      sample_nodes_(fluid_nodes(flow_)) {}

double InertialSeries::expected_resistance(double velocity_over_viscosity) const {
  double const darcy = 1 / k_darcy_;
  if (found_.empty()) return darcy;
  InertialFlow const& last = found_.back();
  double const before = found_.size() > 1 ? found_[found_.size() - 2].resistance() : darcy;
  double const at = found_.size() > 1 ? found_[found_.size() - 2].velocity_over_viscosity : 0;
  double const beta =
      std::max(0.0, (last.resistance() - before) / (last.velocity_over_viscosity - at));
  return last.resistance() + beta * (velocity_over_viscosity - last.velocity_over_viscosity);
}

void InertialSeries::choose_physics(double reynolds) {
  // Compressibility changes k by a part of the square of the Mach number.
  double const fastest = std::clamp(std::sqrt(2 * asked_.tolerance), 0.01, 0.1) / std::sqrt(3.0);
  double const pore_velocity_over_viscosity = reynolds / flow_.hydraulic_diameter;
  flow_.viscosity =
      std::min(viscosity_of_creeping_, fastest / (peak_ * pore_velocity_over_viscosity));
  flow_.relaxation_time = relaxation_time(flow_.viscosity, asked_.model.lattice);
  double const over_viscosity =
      pore_velocity_over_viscosity * sample_nodes_ / flow_.sample_volume();
  expected_velocity_ = over_viscosity * flow_.viscosity;
  flow_.body_force = expected_resistance(over_viscosity) * flow_.viscosity * expected_velocity_ *
                     flow_.sample_share;
}

Precision InertialSeries::precision() const {
  double const pore_velocity = flow_.mean_pore_speed(expected_velocity_, sample_nodes_);
  bool const too_coarse =
      imbalance_in_single(pore_velocity, flow_.body_force) > asked_.tolerance / 4;
  return may_widen_ && too_coarse ? Precision::double_precision : asked_.precision;
}

void InertialSeries::begin_with_last(FlowGraph& graph) const {
  if (last_.empty()) return;
  double const faster = expected_velocity_ / last_velocity_;
  double const harder = flow_.body_force / last_force_;
  double const force = flow_.body_force;
  graph.set_state([&, along = index_of(flow_.axis)](Int3 voxel) {
    NodeState const& state = last_[linear_index(flow_.geometry.shape, voxel)];
    DensityAndVelocity begin{.density_shift = harder * static_cast<double>(state.density_shift)};
    for (std::size_t a = 0; a < 3; ++a) {
      // A state stands between two steps, half a step of the force behind its momentum.
      begin.velocity[a] =
          faster * static_cast<double>(state.velocity[a]) + (a == along ? 0.5 * force : 0);
    }
    return begin;
  });
}

double InertialSeries::keep(FlowGraph& graph) {
  last_.resize(static_cast<std::size_t>(volume(flow_.geometry.shape)));
  auto const visit_all = [&](VisitNode const& visit) { graph.visit_means_of_two_steps(visit); };
  return largest_speed(visit_all, [&](Int3 voxel, std::int32_t, NodeState const& state) {
    last_[linear_index(flow_.geometry.shape, voxel)] = state;
  });
}

InertialFlow InertialSeries::flow_at(double reynolds, RunControl const& control) {
  // From rest, in few steps, for how fast the fastest fluid is.
  constexpr double gentle = 0.5;
  if (found_.empty() && reynolds > gentle) static_cast<void>(flow_at(gentle, control));
  choose_physics(reynolds);
  PermeabilityCase asked = asked_;
  asked.precision = precision();
  PermeabilityRun run(flow_, asked);
  begin_with_last(run.graph());
  PermeabilityOutcome const outcome = run.run({}, control);
  PermeabilityPoint const& point = outcome.last;
  double const velocity = point.mean_velocity[index_of(flow_.axis)];
  InertialFlow found{.asked_reynolds = reynolds,
                     .reynolds = flow_.reynolds(velocity, point.sample_nodes),
                     .k_lattice = point.k_lattice,
                     .velocity_over_viscosity = velocity / flow_.viscosity,
                     .relaxation_time = flow_.relaxation_time,
                     .precision = asked.precision,
                     .error_estimate = outcome.error(),
                     .steps = outcome.steps,
                     .end = outcome.end};
  if (outcome.end == RunEnd::all_steps)
    found.why_unsettled = why_unsettled(outcome.history, asked_.tolerance, asked.precision);
  if (outcome.end == RunEnd::diverged || !(velocity > 0)) return found;
  double const largest = keep(run.graph());
  found.mach = largest * std::sqrt(3.0);
  peak_ = std::max(1.0, largest / flow_.mean_pore_speed(velocity, point.sample_nodes));
  last_velocity_ = velocity;
  last_force_ = flow_.body_force;
  // The resistance of a flow that has not settled foretells nothing.
  if (found.settled()) found_.push_back(found);
  return found;
}

}  // namespace tessera

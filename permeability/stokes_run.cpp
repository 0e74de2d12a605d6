// SPDX-License-Identifier: MIT
#include "permeability/stokes_run.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "lattice/units.hpp"
#include "machine/seconds_since.hpp"

namespace tessera {
namespace {

using Clock = std::chrono::steady_clock;

/// Iterations between looks.
constexpr int interval = 2;
/// What comes nowhere near has met something that the solver is not made for.
constexpr std::int64_t most_iterations = 1000;

Int3 voxel_at(Int3 shape, std::int64_t index) {
  return {index % shape.x, index / shape.x % shape.y, index / (shape.x * shape.y)};
}

}  // namespace

std::optional<std::string> why_not_solved_for(PermeabilityCase const& asked) {
  FlowModel const creeping{LatticeKind::d3q19, CollisionOperator::trt, EquilibriumForm::linear};
  if (asked.model != creeping) return "it solves for creeping flow by TRT on D3Q19 only";
  if (asked.precision == Precision::half_storage)
    return "it computes in single or double precision";
  if (asked.relaxation_time) return "it has no relaxation time to choose";
  return std::nullopt;
}

PermeabilityCase solved_for(PermeabilityCase asked) {
  asked.relaxation_time = 1;
  return asked;
}

StokesRun::StokesRun(PreparedBox const& box, PermeabilityCase const& asked, Workers const& workers)
    : box_(box),
      tolerance_(asked.tolerance),
      most_iterations_(std::min(asked.max_steps, most_iterations)) {
  auto const start = Clock::now();
  space_ = make_stokes_space(box.geometry,
                             {.magic = asked.magic,
                              .precision = asked.precision,
                              .device = workers.gpus > 0 ? StokesDevice::gpu : StokesDevice::cores,
                              .threads = static_cast<int>(workers.cores),
                              .runner = {}});
  solver_ = space_->solver(box.axis);
  set_up_seconds_ = seconds_since(start);
}

StokesRun::~StokesRun() = default;

std::int64_t StokesRun::nodes() const { return space_->nodes(); }
double StokesRun::bytes_per_node() const { return space_->bytes_per_node(); }

PermeabilityPoint StokesRun::point_of(StokesEstimate const& estimate) const {
  PermeabilityPoint point;
  point.step = estimate.iterations;
  point.error_estimate = estimate.error_estimate;
  point.force_balance = std::numeric_limits<double>::quiet_NaN();  // the drag is not summed up
  // Every slice of the box lets the same through, so the mean over the sample is that over the box.
  double const mean =
      estimate.quadratic * box_.body_force * box_.sample_share / box_.sample_volume();
  point.mean_velocity[index_of(box_.axis)] = mean;
  point.k_lattice = darcy_permeability(box_.viscosity, mean, box_.body_force / box_.sample_share);
  return point;
}

PermeabilityOutcome StokesRun::run(bool for_fields,
                                   std::function<void(PermeabilityPoint const&)> const& observe,
                                   std::atomic<bool> const* stop) {
  auto const start = Clock::now();
  PermeabilityOutcome outcome;
  std::optional<RunEnd> end;
  while (!end) {
    estimate_ = solver_->iterate(interval);
    outcome.history.push_back(point_of(estimate_));
    if (observe) observe(outcome.history.back());
    if (estimate_.broken) {
      end = RunEnd::diverged;
    } else if (estimate_.error_estimate < tolerance_ &&
               (!for_fields || estimate_.residual < tolerance_) && confirm()) {
      end = RunEnd::settled;
    } else if (stop != nullptr && stop->load()) {
      end = RunEnd::interrupted;
    } else if (estimate_.iterations >= most_iterations_) {
      end = RunEnd::all_steps;
    }
  }
  if (!confirmed_ && !estimate_.broken) confirm();
  outcome.end = *end;
  outcome.steps = estimate_.iterations;
  outcome.seconds = seconds_since(start);
  std::size_t const points = outcome.history.size();
  if (points > 1) {
    outcome.change =
        std::abs(outcome.history[points - 2].k_lattice / outcome.history[points - 1].k_lattice - 1);
  }
  // The state's own functional is worth a little more than the recurrence's.
  if (confirmed_) estimate_.quadratic = confirmation_.quadratic;
  outcome.last = point_of(estimate_);
  states_ = solver_->fields();
  voxels_ = space_->voxels();
  take_means(outcome.last);
  return outcome;
}

/// The functional of the state itself, its true residual and the fluxes through its slices must be
/// what the recurrence said; if not, the iteration goes on from the state, with the residual that
/// it really has.
bool StokesRun::confirm() {
  StokesEstimate const said = estimate_;
  confirmation_ = solver_->confirm();
  confirmed_ = confirms(confirmation_, said, tolerance_);
  return confirmed_;
}

void StokesRun::take_means(PermeabilityPoint& point) {
  double sums[3] = {0, 0, 0};
  double density = 0;
  for (std::size_t i = 0; i < states_.size(); ++i) {
    density += states_[i][0];
    Int3 const voxel = voxel_at(box_.geometry.shape, voxels_[i]);
    bool inside = true;
    for (Axis a : all_axes)
      inside = inside && voxel[a] >= box_.sample_lower[a] && voxel[a] < box_.sample_upper[a];
    if (!inside) continue;
    ++point.sample_nodes;
    for (std::size_t a = 0; a < 3; ++a) sums[a] += states_[i][a + 1];
  }
  point.mean_density_shift = box_.body_force * density / static_cast<double>(states_.size());
  for (std::size_t a = 0; a < 3; ++a) {
    if (a != index_of(box_.axis))
      point.mean_velocity[a] = box_.body_force * sums[a] / box_.sample_volume();
  }
}

void StokesRun::visit_nodes(VisitNode const& visit) const {
  auto const scaled = [this](double value) { return static_cast<float>(box_.body_force * value); };
  for (std::size_t i = 0; i < states_.size(); ++i) {
    StokesState const& s = states_[i];
    visit(voxel_at(box_.geometry.shape, voxels_[i]), 0,
          {scaled(s[0]), {scaled(s[1]), scaled(s[2]), scaled(s[3])}});
  }
}

SolverResult StokesRun::result() const {
  double const scale =
      box_.viscosity * box_.sample_share * box_.sample_share / box_.sample_volume();
  return {.name = "minres",
          .reason = {},
          .iterations = estimate_.iterations,
          .step_equivalents = solver_->estimate().step_equivalents,
          .k_quadratic = scale * confirmation_.quadratic,
          .k_linear = scale * confirmation_.linear,
          .residual = confirmation_.residual,
          .slice_spread = confirmation_.slice_spread,
          .confirmed = confirmed_,
          .set_up_s = set_up_seconds_};
}

}  // namespace tessera

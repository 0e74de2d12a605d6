// SPDX-License-Identifier: MIT
#include "permeability/stokes_run.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "lattice/units.hpp"
#include "machine/thread_team.hpp"

namespace tessera {
namespace {

Int3 voxel_at(Int3 shape, std::int64_t index) {
  return {index % shape.x, index / shape.x % shape.y, index / (shape.x * shape.y)};
}

}  // namespace

std::optional<std::string> why_not_solved_for(PermeabilityCase const& asked) {
  FlowModel const creeping{LatticeKind::d3q19, CollisionOperator::trt, EquilibriumForm::linear};
  if (asked.model != creeping) return "it solves for creeping flow by TRT on D3Q19 only";
  if (asked.precision == Precision::half_storage)
    return "it computes in single or double precision";
  if (asked.relaxation_time.value_or(1) != 1) return "its relaxation time is 1";
  return std::nullopt;
}

PermeabilityCase solved_for(PermeabilityCase asked) {
  asked.relaxation_time = 1;
  return asked;
}

std::shared_ptr<StokesSpace> StokesSpaces::of(Geometry const& geometry,
                                              StokesOptions const& options, bool shared) {
  if (kept_ && geometry.pore == geometry_.pore) return kept_;
  kept_.reset();
  std::shared_ptr<StokesSpace> space = make_stokes_space(geometry, options);
  if (shared) {
    geometry_ = geometry;
    kept_ = space;
  }
  return space;
}

StokesRun::StokesRun(PreparedBox const& box, PermeabilityCase const& asked,
                     std::shared_ptr<StokesSpace> space)
    : box_(box),
      asked_(asked),
      body_force_(box.body_force),
      space_(std::move(space)),
      solver_(space_->solver(box.axis)),
      voxels_(space_->voxels()) {}

void StokesRun::submit_steps(std::int64_t count) {
  solver_->iterate(static_cast<int>(count));
  confirmed_ = false;
}

PermeabilityPoint StokesRun::point_of(StokesEstimate const& estimate) const {
  PermeabilityPoint point;
  point.step = estimate.iterations;
  point.error_estimate = estimate.error_estimate;
  point.force_balance = std::numeric_limits<double>::quiet_NaN();  // the drag is not summed up
  // Every slice of the box lets the same through, so the mean over the sample is that over the box.
  double const mean = estimate.quadratic * body_force_ * box_.sample_share / box_.sample_volume();
  point.mean_velocity[index_of(box_.axis)] = mean;
  point.k_lattice = darcy_permeability(box_.viscosity, mean, body_force_ / box_.sample_share);
  return point;
}

/// The functional of the state itself, its true residual and the fluxes through its slices must be
/// what the recurrence said; if not, the iteration goes on from the state, with the residual that
/// it really has.
bool StokesRun::confirm(StokesEstimate const& said, double tolerance) {
  confirmation_ = solver_->confirm();
  confirmed_ = confirms(confirmation_, said, tolerance);
  return confirmed_;
}

void StokesRun::take_means(PermeabilityPoint& point) {
  struct Sums {
    double density = 0, nodes = 0, velocity[3] = {0, 0, 0};
  };
  constexpr std::int64_t range = 65536;  // not of the number of threads: the same bits for any
  auto const count = static_cast<std::int64_t>(states_.size());
  std::vector<Sums> sums(static_cast<std::size_t>((count + range - 1) / range));
  in_parallel(static_cast<std::int64_t>(sums.size()), [&](std::int64_t r) {
    Sums sum;
    auto const end = static_cast<std::size_t>(std::min(count, (r + 1) * range));
    for (auto i = static_cast<std::size_t>(r * range); i < end; ++i) {
      sum.density += states_[i][0];
      Int3 const voxel = voxel_at(box_.geometry.shape, voxels_[i]);
      bool inside = true;
      for (Axis a : all_axes)
        inside = inside && voxel[a] >= box_.sample_lower[a] && voxel[a] < box_.sample_upper[a];
      if (!inside) continue;
      ++sum.nodes;
      for (std::size_t a = 0; a < 3; ++a) sum.velocity[a] += states_[i][a + 1];
    }
    sums[static_cast<std::size_t>(r)] = sum;
  });
  Sums total;
  for (Sums const& sum : sums) {
    total.density += sum.density;
    total.nodes += sum.nodes;
    for (std::size_t a = 0; a < 3; ++a) total.velocity[a] += sum.velocity[a];
  }
  point.sample_nodes = total.nodes;
  point.mean_density_shift = body_force_ * total.density / static_cast<double>(count);
  for (std::size_t a = 0; a < 3; ++a) {
    if (a != index_of(box_.axis))
      point.mean_velocity[a] = body_force_ * total.velocity[a] / box_.sample_volume();
  }
}

void StokesRun::visit_states(Uninitialised<StokesState> const& states, std::size_t begin,
                             std::size_t end, RunningFlow::VisitNode const& visit) const {
  auto const scaled = [this](double value) { return static_cast<float>(body_force_ * value); };
  for (std::size_t i = begin; i < end; ++i) {
    StokesState const& s = states[i];
    visit(voxel_at(box_.geometry.shape, voxels_[i]), 0,
          {scaled(s[0]), {scaled(s[1]), scaled(s[2]), scaled(s[3])}});
  }
}

void StokesRun::visit_nodes(RunningFlow::VisitNode const& visit) const {
  in_parallel_ranges(static_cast<std::int64_t>(states_.size()), 65536,
                     [&](std::int64_t begin, std::int64_t end) {
                       visit_states(states_, static_cast<std::size_t>(begin),
                                    static_cast<std::size_t>(end), visit);
                     });
}

void StokesRun::visit_snapshots(std::size_t set, RunningFlow::VisitNode const& visit) {
  Uninitialised<StokesState> const states = std::exchange(snapshots_.at(set), {});
  visit_states(states, 0, states.size(), visit);
}

RunningFlow::SavedSize StokesRun::saved_size() const {
  return {static_cast<std::int64_t>(solver_->saved_bytes() / bytes_of(asked_.precision)), 1};
}

void StokesRun::save(CheckpointWriter* writer) { writer->add_block(0, solver_->save(), {}); }

void StokesRun::restore(std::int64_t /*step*/, CheckpointReader const& reader) {
  std::vector<std::byte> state(solver_->saved_bytes());
  reader.read_block(0, state);
  solver_->restore(state);
}

std::vector<StokesUse> StokesRun::uses() const {
  std::vector<StokesUse> uses = uses_after_;
  for (std::size_t w = 0; w < uses.size(); ++w) {
    uses[w].passes -= uses_before_[w].passes;
    uses[w].items -= uses_before_[w].items;
    uses[w].busy_s -= uses_before_[w].busy_s;
  }
  return uses;
}

SolverResult StokesRun::result() const {
  double const scale =
      box_.viscosity * box_.sample_share * box_.sample_share / box_.sample_volume();
  StokesEstimate const estimate = solver_->estimate();
  return {.name = "minres",
          .reason = {},
          .k_quadratic = scale * confirmation_.quadratic,
          .k_linear = scale * confirmation_.linear,
          .iterations = estimate.iterations,
          .step_equivalents = estimate.step_equivalents,
          .residual = confirmation_.residual,
          .slice_spread = confirmation_.slice_spread,
          .confirmed = confirmed_};
}

}  // namespace tessera

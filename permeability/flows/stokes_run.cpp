// SPDX-License-Identifier: MIT
#include "permeability/flows/stokes_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "base/errors.hpp"
#include "base/machine/thread_team.hpp"
#include "base/ranks/gathering.hpp"
#include "base/ranks/piece.hpp"
#include "base/ranks/ranks.hpp"
#include "methods/stokes/slip.hpp"
#include "models/lattice/units.hpp"
#include "run/console/log.hpp"
#include "run/performance.hpp"

namespace tessera {

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
                     std::shared_ptr<StokesSpace> space, RunPiece run_piece)
    : box_(box),
      asked_(asked),
      body_force_(box.body_force),
      spread_(!Ranks::alone()),
      space_(std::move(space)),
      run_piece_(std::move(run_piece)) {
  run_piece_("set up", [this] { solver_ = space_->solver(box_.axis); });
}

void StokesRun::submit_steps(std::int64_t count) {
  run_piece_("iterate", [this, count] { solver_->iterate(static_cast<int>(count)); });
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
  run_piece_("confirm", [this] { confirmation_ = solver_->confirm(); });
  confirmed_ = confirms(confirmation_, said, tolerance);
  return confirmed_;
}

Uninitialised<StokesState> StokesRun::fields() {
  Uninitialised<StokesState> states;
  run_piece_("fields", [&] { states = solver_->fields(); });
  return states;
}

double StokesRun::slip_slope() {
  Geometry const& own = box_.geometry.own;
  WallStress stress;
  run_piece_("slip", [&] {
    Uninitialised<StokesOddHalves> const odd = solver_->odd_halves();
    stress = wall_stress(own.shape, own.periodic, voxels_, states_, odd);
  });
  if (stress.resolved < 0.95) {
    log_warning(
        "slip along {}: {:.0f} % of the wall nodes lie among grains or in pores of a voxel or two, "
        "whose walls are not resolved: dk/dl is without them",
        axis_name(box_.axis), 100 * (1 - stress.resolved));
  }
  return stress.squared * box_.sample_share * box_.sample_share / box_.sample_volume();
}

void StokesRun::take_means(PermeabilityPoint& point) const {
  point.sample_nodes = sums_.nodes;
  point.mean_density_shift = body_force_ * sums_.density / static_cast<double>(nodes());
  for (std::size_t a = 0; a < 3; ++a) {
    if (a != index_of(box_.axis))
      point.mean_velocity[a] = body_force_ * sums_.velocity[a] / box_.sample_volume();
  }
}

void StokesRun::log_shares(std::int64_t iterations) const {
  if (!spread_ || iterations == 0) return;
  StokesShare const share = space_->share();
  auto const each = [iterations](std::int64_t after, std::int64_t before) {
    return static_cast<double>(after - before) / static_cast<double>(iterations);
  };
  RankTraffic const& now = share.traffic;
  RankTraffic const& then = traffic_before_;
  std::string const line = fmt::format(
      "rank {}: {} nodes and {} of others beside them; an iteration sends {:.1f} messages, {:.4g} "
      "kB, and gathers {:.1f} times, {:.4g} kB; {:.0f} MB at most",
      Ranks::rank(), share.nodes, share.others, each(now.messages, then.messages),
      1e-3 * each(now.bytes, then.bytes), each(now.gathers, then.gathers),
      1e-3 * each(now.gathered_bytes, then.gathered_bytes),
      1e-6 * static_cast<double>(peak_memory_bytes()));
  for (std::string const& of_rank : Ranks::all_gather(line)) log_info(of_rank);
}

void StokesRun::visit_states(Uninitialised<StokesState> const& states, std::size_t begin,
                             std::size_t end, NodeFlow::VisitNode const& visit) const {
  auto const scaled = [this](double value) { return static_cast<float>(body_force_ * value); };
  for (std::size_t i = begin; i < end; ++i) {
    StokesState const& s = states[i];
    visit(voxel_at(box_.geometry.shape, voxels_[i]), 0,
          {scaled(s[0]), {scaled(s[1]), scaled(s[2]), scaled(s[3])}});
  }
}

void StokesRun::visit_nodes(NodeFlow::VisitNode const& visit) const {
  if (!spread_) {
    return in_parallel_ranges(static_cast<std::int64_t>(states_.size()), 65536,
                              [&](std::int64_t begin, std::int64_t end) {
                                visit_states(states_, static_cast<std::size_t>(begin),
                                             static_cast<std::size_t>(end), visit);
                              });
  }
  if (Ranks::alone()) return visit_states(states_, 0, states_.size(), visit);
  struct Node {
    Int3 voxel;
    NodeState state;
  };
  Gathering gathering(1, [&visit](std::span<std::byte const> bytes) {
    for (PieceReader piece(bytes); !piece.at_end();) {
      Node const node = piece.take<Node>();
      visit(node.voxel, 0, node.state);
    }
  });
  PieceWriter piece;
  visit_states(states_, 0, states_.size(), [&](Int3 voxel, std::int32_t, NodeState const& state) {
    piece.add(Node{voxel, state});
  });
  gathering.add(piece.bytes());
  gathering.finish();
}

void StokesRun::visit_snapshots(std::size_t set, NodeFlow::VisitNode const& visit) {
  Uninitialised<StokesState> const states = std::exchange(snapshots_.at(set), {});
  visit_states(states, 0, states.size(), visit);
}

RunningFlow::SavedSize StokesRun::saved_size() const {
  return {static_cast<std::int64_t>(solver_->saved_bytes() / bytes_of(asked_.precision)), 1};
}

void StokesRun::save(CheckpointWriter* writer) {
  bool begun = false;
  solver_->save([&](std::span<std::byte const> piece) {
    if (writer == nullptr) return;
    if (begun) {
      writer->add_to_block(piece);
    } else {
      writer->add_block(0, piece, {});
    }
    begun = true;
  });
}

void StokesRun::restore(std::int64_t step, CheckpointReader const& reader) {
  std::size_t const whole = solver_->saved_bytes();
  bool const is_possible = solver_->restore(
      [&](std::size_t at, std::span<std::byte> to) { reader.read_part(0, whole, at, to); });
  if (is_possible && steps() == step) return;
  throw BadInput(fmt::format("{}: damaged: its state is none that {} iterations lead to",
                             reader.path().string(), step));
}

std::vector<CoreUse> StokesRun::uses() const {
  std::vector<CoreUse> uses = uses_after_;
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
  return {.kind = Solver::minres,
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

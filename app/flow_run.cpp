// SPDX-License-Identifier: MIT
#include "app/flow_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "app/convergence.hpp"
#include "app/flow_cut.hpp"
#include "app/sweeps.hpp"
#include "app/tile_count.hpp"
#include "graph/runtime.hpp"
#include "lattice/errors.hpp"
#include "lattice/units.hpp"
#include "partition/connectivity.hpp"
#include "partition/pore_scale.hpp"

namespace tessera {
namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// The viscosity that converges fastest. Two things must settle: the velocity in a pore of
/// hydraulic diameter d, in d^2/(4 pi^2 nu), and the pressure over the length L, which diffuses
/// with k/(3 nu phi), k/phi being near d^2/100. The two times agree at nu = d^2/(17 L). TRT's
/// permeability does not depend on it.
double choose_relaxation_time(double diameter, std::int64_t length, LatticeKind lattice) {
  if (!std::isfinite(diameter)) return 1.0;
  return std::clamp(
      relaxation_time(diameter * diameter / (17.0 * static_cast<double>(length)), lattice), 0.53,
      1.5);
}

/// A force that drives the flow at a Reynolds number of about 0.01, if k is near phi d^2/100.
double choose_body_force(double diameter, double nu) {
  constexpr double reynolds = 0.01;
  double const d = std::isfinite(diameter) ? diameter : 10.0;
  return reynolds * nu * nu * 100.0 / (d * d * d);
}

StopReason reason_of(WatchEnd end) {
  return end == WatchEnd::failed ? StopReason::look_failed : StopReason::steered;
}

bool cores_compute(Workers const& workers) { return workers.gpus == 0 || workers.cores_share > 0; }

}  // namespace

std::vector<Domain> domains_of(Workers const& workers) {
  return Runtime::domains(cores_compute(workers));
}

std::vector<std::string> domain_names(Workers const& workers) {
  std::vector<std::string> names;
  for (unsigned g = 0; g < workers.gpus; ++g) names.push_back(fmt::format("GPU {}", g));
  if (cores_compute(workers)) names.emplace_back("cores");
  return names;
}

char const* describe(StopReason reason) {
  switch (reason) {
    case StopReason::converged:
      return "converged";
    case StopReason::max_steps:
      return "step limit reached";
    case StopReason::interrupted:
      return "interrupted";
    case StopReason::diverged:
      return "diverged";
    case StopReason::steered:
      return "stopped by a script";
    case StopReason::look_failed:
      return "a script failed";
  }
  return "";
}

FlowPreparation prepare_flow(Geometry const& image, Axis axis, FlowCase const& flow_case,
                             Workers const& workers) {
  auto const start = std::chrono::steady_clock::now();
  FlowPreparation p;
  p.workers = workers;
  p.box = flow_box(image, axis, flow_case.setup, flow_case.buffer_layers);

  PoreComponents const components(p.box.geometry, links_of(flow_case.model.lattice));
  std::int64_t const percolating = components.percolating_voxels(axis);
  if (percolating == 0) {
    throw BadInput(fmt::format(
        "no pore leads through the image along {}: expected a connected path of pore voxels "
        "(through faces or edges) from one side to the other",
        name_of(axis)));
  }
  p.isolated_voxels = p.box.geometry.pore_voxels() - percolating;
  p.geometry = components.without_isolated(p.box.geometry, axis);
  p.box.geometry = {};

  p.hydraulic_diameter = hydraulic_diameter(p.geometry);
  p.relaxation_time = flow_case.relaxation_time.value_or(choose_relaxation_time(
      p.hydraulic_diameter, p.geometry.shape[axis], flow_case.model.lattice));
  p.body_force = flow_case.body_force.value_or(choose_body_force(
      p.hydraulic_diameter, viscosity(p.relaxation_time, flow_case.model.lattice)));

  BlockGrid const grid(p.geometry, flow_case.model.lattice);
  BlockGraph const graph = graph_for(grid, workers);
  FirstCut const first = first_cut(grid, graph, p.geometry.periodic, workers, flow_case);
  static_cast<FlowTiles&>(p) = flow_tiles(grid, first, workers);
  p.metis = quality(graph, first.cut);
  p.curve = quality(graph, cut_along_curve(graph, p.metis.tiles));
  p.seconds = seconds_since(start);
  return p;
}

FlowRun::FlowRun(FlowPreparation const& preparation, Axis axis, FlowCase const& flow_case)
    : preparation_(preparation),
      axis_(axis),
      flow_case_(flow_case),
      body_force_(preparation.body_force) {
  double force[3] = {0, 0, 0};
  force[index_of(axis)] = preparation.body_force;
  FlowOptions options = flow_options(preparation, preparation.workers, flow_case,
                                     cut_anew_of(preparation, flow_case));
  options.parameters =
      flow_parameters(flow_case.model, preparation.relaxation_time, flow_case.magic, force);
  options.average_lower = preparation.box.sample_lower;
  options.average_upper = preparation.box.sample_upper;
  graph_ = std::make_unique<FlowGraph>(preparation.tiling, options);
}

double FlowRun::viscosity() const {
  return tessera::viscosity(preparation_.relaxation_time, flow_case_.model.lattice);
}

double FlowRun::mean_pore_speed(FlowPoint const& point) const {
  Int3 const sample = preparation_.box.sample_upper - preparation_.box.sample_lower;
  return point.mean_velocity[index_of(axis_)] * static_cast<double>(volume(sample)) /
         point.sample_nodes;
}

double FlowRun::reynolds(FlowPoint const& point) const {
  return std::abs(mean_pore_speed(point)) * preparation_.hydraulic_diameter / viscosity();
}

void FlowRun::set_body_force(double force) {
  body_force_ = force;
  double vector[3] = {0, 0, 0};
  vector[index_of(axis_)] = force;
  graph_->set_body_force(vector);
}

FlowPoint FlowRun::point_of(Sample const& even, Sample const& odd) const {
  FlowPoint point;
  point.step = odd.step;
  auto const box_volume =
      static_cast<double>(volume(preparation_.box.sample_upper - preparation_.box.sample_lower));
  auto const all_nodes = static_cast<double>(preparation_.tiling.nodes);
  double const force = body_force_;
  point.sample_nodes = odd.total.nodes;
  for (std::size_t a = 0; a < 3; ++a) {
    double const own_force = a == index_of(axis_) ? force : 0;
    // After the collision: j + g; the velocity is j + g/2.
    double const momentum =
        0.5 * (even.total.momentum[a] + odd.total.momentum[a]) - 0.5 * own_force * odd.total.nodes;
    point.mean_velocity[a] = momentum / box_volume;
  }
  double const gradient = force / preparation_.box.sample_share;
  point.k_lattice = darcy_permeability(viscosity(), point.mean_velocity[index_of(axis_)], gradient);
  point.force_balance = 0.5 * (even.total.drag[index_of(axis_)] + odd.total.drag[index_of(axis_)]) /
                        (force * all_nodes);
  point.mean_density_shift = odd.total.density_shift / all_nodes;
  return point;
}

MonitorRow FlowRun::monitor_row(FlowPoint const& point) const {
  MonitorRow row;
  row.measured_at_step = static_cast<double>(point.step);
  row.k_lattice = point.k_lattice;
  if (std::isfinite(point.error_estimate)) row.error_estimate = point.error_estimate;
  row.force_balance = point.force_balance;
  row.reynolds = reynolds(point);
  row.mass = 1 + point.mean_density_shift;
  return row;
}

FlowOutcome FlowRun::run(std::function<void(FlowPoint const&)> const& observe,
                         std::atomic<bool> const* stop, FlowWatch* watch) {
  constexpr std::size_t most_points = 64;
  std::int64_t const lag = flow_case_.window;
  std::int64_t spacing = std::max<std::int64_t>(20, lag + 4);
  // The next point, of this step and the one after: single steps carry an oscillation of odd and
  // even (docs/method.md).
  std::int64_t next = 0;
  auto const plan_point = [&](std::int64_t step) {
    next = step;
    graph_->measure_at(next);
    graph_->measure_at(next + 1);
  };
  plan_point(std::min(spacing, std::max<std::int64_t>(flow_case_.max_steps - 1, 1)));
  Convergence convergence(flow_case_.tolerance);
  FlowOutcome result;

  auto const take_point = [&] {
    Sample const even = graph_->take_sample(next);
    Sample const odd = graph_->take_sample(next + 1);
    FlowPoint point = point_of(even, odd);
    convergence.add(point.k_lattice, point.force_balance);
    point.error_estimate = convergence.error_estimate();
    result.last = point;
    result.broken_tile = std::max(even.broken_tile, odd.broken_tile);
    result.history.push_back(point);
    if (observe) observe(point);
  };

  double new_force = body_force_;
  auto const look = [&](bool at_any_rate) {
    auto const known = [&] {
      return result.history.empty() ? MonitorRow{} : monitor_row(result.last);
    };
    FlowChanges const changes = look_if_due(watch, *graph_, known, at_any_rate);
    if (changes.tolerance) convergence.set_tolerance(*changes.tolerance);
    if (changes.body_force_factor) new_force = *changes.body_force_factor * preparation_.body_force;
  };
  look(false);  // the state at rest: not part of the time
  Runtime::restart_counters();
  auto const start = std::chrono::steady_clock::now();

  // A sweep of steps, or what there is up to the next decision or the last step: these fall on the
  // same steps whatever the sweeps.
  auto const steps_ahead = [&] {
    std::int64_t const step = graph_->steps();
    std::int64_t const until =
        until_next_look(watch, step, std::min(next + 1 + lag, flow_case_.max_steps));
    return std::clamp<std::int64_t>(until - step, 1, preparation_.steps_per_sweep);
  };

  bool done = false;
  auto const end_if_asked = [&] {
    auto const end = watch == nullptr ? std::nullopt : watch->wants_end();
    if (!end) return;
    result.reason = reason_of(*end);
    done = true;
  };
  end_if_asked();
  while (!done) {
    graph_->submit_steps(steps_ahead());
    std::int64_t const step = graph_->steps();
    // The decision on a point falls a fixed number of steps later: the run does not depend on
    // timing.
    if (step >= next + 1 + lag) {
      take_point();
      std::int64_t following = next + spacing;
      if (result.broken_tile >= 0) {
        result.reason = StopReason::diverged;
        done = true;
      } else if (convergence.converged()) {
        result.reason = StopReason::converged;
        done = true;
      } else if (convergence.size() >= most_points) {
        convergence.thin_out();
        following += spacing;
        spacing *= 2;
      }
      plan_point(following);
    }
    look(false);
    // Not between the two halves of a point.
    if (new_force != body_force_ && step != next) {
      if (step > next) {
        take_point();
        plan_point(next + spacing);
      }
      set_body_force(new_force);
      convergence.restart();
    }
    if (!done) end_if_asked();
    if (!done && (step >= flow_case_.max_steps || (stop != nullptr && stop->load()))) {
      result.reason =
          step >= flow_case_.max_steps ? StopReason::max_steps : StopReason::interrupted;
      done = true;
    }
  }
  if (graph_->steps() <= next && result.history.empty()) {
    next = graph_->steps();
    graph_->submit_measurement();
    graph_->measure_at(next + 1);
    graph_->submit_step();
  }
  if (graph_->steps() > next) take_point();
  if (result.reason != StopReason::diverged) look(true);
  graph_->wait();
  result.steps = graph_->steps();
  result.change = convergence.change();
  result.seconds = seconds_since(start);
  if (watch != nullptr) watch->end();
  return result;
}

}  // namespace tessera

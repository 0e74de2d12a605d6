// SPDX-License-Identifier: MIT
#include "app/flow_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

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

}  // namespace tessera

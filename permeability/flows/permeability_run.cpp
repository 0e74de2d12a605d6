// SPDX-License-Identifier: MIT
#include "permeability/flows/permeability_run.hpp"

#include <cmath>
#include <limits>

#include "models/lattice/units.hpp"
#include "permeability/flows/grey_links.hpp"

namespace tessera {

double rounding_error(Precision precision, double mean_pore_speed, double body_force,
                      double length) {
  // The force is lost under the velocity, and the velocity under the pressure.
  struct Lost {
    double force, velocity;
  };
  constexpr Lost half{3e-4, 3e-4};
  constexpr Lost single{1.5e-7, 3e-9};
  constexpr Lost twice_as_long{0x1p-29 * single.force, 0x1p-29 * single.velocity};
  Lost const lost = precision == Precision::half_storage       ? half
                    : precision == Precision::single_precision ? single
                                                               : twice_as_long;
  double const flow = std::abs(mean_pore_speed / body_force);
  return lost.force * flow + lost.velocity * length / flow;
}

PermeabilityRun::PermeabilityRun(PreparedFlow const& prepared, PermeabilityCase const& asked)
    : prepared_(prepared), asked_(asked), body_force_(prepared.body_force) {
  double force[3] = {0, 0, 0};
  force[index_of(prepared.axis)] = prepared.body_force;
  FlowOptions options =
      flow_options(prepared, prepared.workers, asked, prepared.grid(asked.model.lattice));
  options.parameters = flow_parameters(asked.model, prepared.relaxation_time, asked.magic, force);
  options.boundaries = grey_links(prepared);
  // The functional's terms are of states that grey links have not changed.
  has_functional_ =
      !options.boundaries && functional_parameters(options.model, options.parameters).has_value();
  options.average_lower = prepared.sample_lower;
  options.average_upper = prepared.sample_upper;
  graph_ = std::make_unique<FlowGraph>(prepared.tiling, options);
}

void PermeabilityRun::set_body_force(double force) {
  body_force_ = force;
  double vector[3] = {0, 0, 0};
  vector[index_of(prepared_.axis)] = force;
  graph_->set_body_force(vector);
}

void PermeabilityRun::measure_point_at(std::int64_t step) {
  for (std::int64_t const s : {step, step + 1}) {
    if (s == graph_->steps()) {
      graph_->submit_measurement();
    } else if (has_functional_) {
      graph_->measure_with_functional_at(s);
    } else {
      graph_->measure_at(s);
    }
  }
}

double PermeabilityRun::drag_of(Measurement const& measured) const {
  std::size_t const axis = index_of(prepared_.axis);
  double drag = measured.total.drag[axis];
  // Just resumed: no step has been taken, so nothing is known of it.
  if (has_grey() && measured.wall_forces.empty()) return std::numeric_limits<double>::quiet_NaN();
  if (has_grey()) drag += measured.wall_forces[grey_condition].force[axis];
  return drag;
}

PermeabilityPoint PermeabilityRun::point_of(Measurement const& even, Measurement const& odd) const {
  PermeabilityPoint point;
  point.step = odd.step;
  auto const all_nodes = static_cast<double>(prepared_.tiling.nodes);
  double const force = body_force_;
  point.sample_nodes = odd.total.nodes;
  for (std::size_t a = 0; a < 3; ++a) {
    double const own_force = a == index_of(prepared_.axis) ? force : 0;
    // After the collision: j + g; the velocity is j + g/2.
    double const momentum =
        0.5 * (even.total.momentum[a] + odd.total.momentum[a]) - 0.5 * own_force * odd.total.nodes;
    point.mean_velocity[a] = momentum / prepared_.sample_volume();
  }
  double const gradient = force / prepared_.sample_share;
  double& along = point.mean_velocity[index_of(prepared_.axis)];
  point.k_linear = darcy_permeability(prepared_.viscosity, along, gradient);
  if (even.functional && odd.functional) {
    // <F, g> = 3 F . sum j over the whole box, each slice of which lets the same through.
    double const momentum = functional_of_mean(*even.functional, *odd.functional) / (3 * force) -
                            0.5 * force * all_nodes;
    along = momentum * prepared_.sample_share / prepared_.sample_volume();
  }
  point.k_lattice = darcy_permeability(prepared_.viscosity, along, gradient);
  point.force_balance = 0.5 * (drag_of(even) + drag_of(odd)) / (force * all_nodes);
  point.mean_density_shift = odd.total.density_shift / all_nodes;
  return point;
}

MonitorRow PermeabilityRun::monitor_row(PermeabilityPoint const& point) const {
  MonitorRow row;
  row.measured_at_step = static_cast<double>(point.step);
  row.k_lattice = point.k_lattice;
  if (std::isfinite(point.error_estimate)) row.error_estimate = point.error_estimate;
  row.force_balance = point.force_balance;
  row.reynolds =
      prepared_.reynolds(point.mean_velocity[index_of(prepared_.axis)], point.sample_nodes);
  row.mass = 1 + point.mean_density_shift;
  return row;
}

}  // namespace tessera

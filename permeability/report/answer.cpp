// SPDX-License-Identifier: MIT
#include "permeability/report/answer.hpp"

#include <optional>
#include <utility>

#include "run/console/log.hpp"
#include "run/provenance.hpp"

namespace tessera {

PermeabilityAnswer::PermeabilityAnswer(PermeabilityRequest const& request) : request_(request) {
  results_.run = this_run();
}

SamplePores PermeabilityAnswer::take_sample(RockSample sample) {
  results_.image = std::move(sample.image);
  results_.porosity = sample.porosity;
  return std::move(sample.pores);
}

void PermeabilityAnswer::add(AxisFlow const& flow, PermeabilityOutcome outcome,
                             PermeabilityCase const& asked, std::string const& why) {
  flow.add_to(performance_, outcome);
  reports_.push_back(
      axis_report(flow.box(), asked.precision, flow.body_force(), std::move(outcome)));
  AxisReport& report = reports_.back();
  report.solver = flow.solver();
  report.solver.reason = why;
  if (auto const slope = flow.slip_slope()) report.slip = slip_result(*slope, report);
  bool const steps = report.solver.kind == Solver::steps;
  for (PermeabilityPoint const& point : report.outcome.history) {
    history_.push_back({.step = point.step,
                        .axis = report.axis,
                        .k_lattice = point.k_lattice,
                        .error_estimate = report.outcome.error_of(point),
                        .force_balance = point.force_balance,
                        .mass = 1 + point.mean_density_shift,
                        .k_linear = steps ? std::optional(point.k_linear) : std::nullopt});
  }
  AxisReport const& first = reports_.front();
  results_.flow = flow_result(request_, asked, first.relaxation_time, first.body_force);
  latest() = permeability_result(report);
}

SlipResult PermeabilityAnswer::slip_result(double slope, AxisReport const& report) const {
  SlipResult slip{.slope = slope};
  std::optional<double> const edge = results_.image.voxel_size_m;
  if (!request_.gas || !edge) return slip;
  double const k = permeability_result(report).column_lattice[index_of(report.axis)];
  slip.gas = name_in(gas_names, *request_.gas);
  slip.temperature_k = request_.temperature;
  // Maxwell's slip length of diffuse reflection is the mean free path.
  slip.klinkenberg_pa =
      slope / (k * *edge) * free_path_times_pressure(*request_.gas, request_.temperature);
  return slip;
}

void PermeabilityAnswer::add_unknown(Axis axis, RunEnd end) {
  reports_.push_back({.axis = axis});
  reports_.back().outcome.end = end;
}

void PermeabilityAnswer::note_largest_speed(double speed) {
  reports_.back().max_speed = speed;
  latest() = permeability_result(reports_.back());
}

PermeabilityResult& PermeabilityAnswer::latest() {
  auto& result = results_.permeability[index_of(reports_.back().axis)];
  return result ? *result : result.emplace();
}

Results const& PermeabilityAnswer::updated_results() {
  results_.warnings = warnings_given();
  results_.performance = performance_.result();
  results_.software = software_result();
  return results_;
}

}  // namespace tessera

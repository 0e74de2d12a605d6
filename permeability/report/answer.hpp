// SPDX-License-Identifier: MIT
// The results of an image's permeability, axis by axis.
#pragma once

#include <string>
#include <vector>

#include "io/results/results.hpp"
#include "permeability/flows/axis_flow.hpp"
#include "permeability/permeability_request.hpp"
#include "permeability/report/report.hpp"
#include "permeability/rock_sample.hpp"
#include "run/performance.hpp"

namespace tessera {

class PermeabilityAnswer {
 public:
  /// The answer of a run that begins now; the request must outlive it.
  explicit PermeabilityAnswer(PermeabilityRequest const& request);

  /// Notes the figures of the sample; returns its pores.
  SamplePores take_sample(RockSample sample);
  /// Adds a flow that has ended, while its Runtime still exists. `why`: why this solver was chosen.
  void add(AxisFlow const& flow, PermeabilityOutcome outcome, PermeabilityCase const& asked,
           std::string const& why);
  /// Notes the largest speed of the flow added last, in lattice units.
  void note_largest_speed(double speed);
  /// Adds an axis of which only rank 0 knows the results.
  void add_unknown(Axis axis, RunEnd end);

  std::vector<AxisReport> const& reports() const { return reports_; }
  /// Result of the axis added last.
  PermeabilityResult& latest();
  std::vector<ConvergenceSample> const& history() const { return history_; }
  Performance& performance() { return performance_; }
  Results& results() { return results_; }
  Results const& results() const { return results_; }
  /// Results with the warnings and the performance up to now.
  Results const& updated_results();

 private:
  SlipResult slip_result(double slope, AxisReport const& report) const;

  PermeabilityRequest const& request_;
  Results results_;
  std::vector<AxisReport> reports_;
  std::vector<ConvergenceSample> history_;
  Performance performance_;
};

}  // namespace tessera

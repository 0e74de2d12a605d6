// SPDX-License-Identifier: MIT
// What is found out of an image's permeability, axis by axis.
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

  /// What is flowed through; returns its pores.
  SpreadGeometry take_sample(RockSample sample);
  /// A flow that has ended, and whose Runtime is still there; `why` it was by this solver.
  void add(AxisFlow const& flow, PermeabilityOutcome outcome, PermeabilityCase const& asked,
           std::string const& why);
  /// Of that flow, in lattice units.
  void note_largest_speed(double speed);
  /// One that only the first rank knows more of.
  void add_unknown(Axis axis, RunEnd end);

  std::vector<AxisReport> const& reports() const { return reports_; }
  /// Of the axis that was added last.
  PermeabilityResult& latest();
  std::vector<ConvergenceSample> const& history() const { return history_; }
  Performance& performance() { return performance_; }
  Results& results() { return results_; }
  Results const& results() const { return results_; }
  /// With the warnings and the speed up to now.
  Results const& updated_results();

 private:
  PermeabilityRequest const& request_;
  Results results_;
  std::vector<AxisReport> reports_;
  std::vector<ConvergenceSample> history_;
  Performance performance_;
};

}  // namespace tessera

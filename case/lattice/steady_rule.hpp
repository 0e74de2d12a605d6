// SPDX-License-Identifier: MIT
// When a flow is steady: it has not changed over an interval of steps, and again not a part of an
// interval later.
#pragma once

#include <cstdint>
#include <optional>

#include "case/file/case.hpp"
#include "io/checkpoint/checkpoint.hpp"
#include "io/checkpoint/saved_values.hpp"
#include "io/json_fwd.hpp"
#include "run/checkpoint/spread_arrays.hpp"
#include "run/fields/flow_state.hpp"
#include "run/spread/geometry.hpp"

namespace tessera {

/// Compares states an interval apart. A state that agrees with the one before is compared once
/// more, 0.38 of an interval later: a flow that is periodic with the interval differs then.
///
/// Changes of velocities are relative to the speed of the state. That has no meaning for a fluid
/// that has come to rest: its velocities decay, or are rounding errors of its pressure.
class SteadyRule {
 public:
  /// The case must stop when the flow is steady.
  SteadyRule(Case const& c, SpreadGeometry const& geometry);

  /// The step of the next comparison.
  std::int64_t next_after(std::int64_t step) const;
  /// All ranks: compares the state after a step for which it was due. `largest_speed`: of the flow
  /// up to now.
  bool is_steady(FlowState const& state, std::int64_t step, double largest_speed);
  void set_tolerance(double tolerance) { tolerance_ = tolerance; }
  /// Whether the flow was steady at the last comparison.
  bool was_steady() const { return confirmed_; }
  /// Relative change of the velocities, or of the densities at rest, at the last comparison.
  std::optional<double> change() const { return change_; }

  /// Adds to `run` what a later run needs.
  void save(Json& run) const;
  /// The earlier state, which is distributed over the ranks, for a later run.
  SpreadArray state() const { return {"earlier", earlier_.values()}; }
  /// All ranks: restores what an earlier run has saved. Throws BadInput.
  void restore(CheckpointReader const& checkpoint, SavedValues const& run);

 private:
  double relative(FlowChange const& change, double largest_speed) const;

  std::int64_t every_;
  std::int64_t second_look_;
  double tolerance_;
  double named_speed_;  ///< the largest that the case names
  double rounding_;     ///< of a density, as velocities that it causes
  FlowState earlier_;   ///< that the next state is compared with
  std::optional<double> change_;
  bool confirmed_ = false;  ///< by the second comparison
};

}  // namespace tessera

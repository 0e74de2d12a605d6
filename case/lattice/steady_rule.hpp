// SPDX-License-Identifier: MIT
// When a flow is steady: it has not moved over an interval of steps, and not a part of it later
// either.
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

/// Compares states an interval apart. A state that is like the one before is compared once more,
/// 0.38 of an interval later: a flow that repeats itself in the one has moved on in the other.
///
/// Velocities are compared with the speed of the state. Of a fluid that has come to rest that says
/// nothing: what is left there is dying down, or is what rounding makes of its pressure.
class SteadyRule {
 public:
  /// The case asks for a steady flow.
  SteadyRule(Case const& c, SpreadGeometry const& geometry);

  /// The step of the next comparison.
  std::int64_t next_after(std::int64_t step) const;
  /// All ranks: compares the state after a step for which it was due. `largest_speed`: of the flow
  /// up to now.
  bool is_steady(FlowState const& state, std::int64_t step, double largest_speed);
  void set_tolerance(double tolerance) { tolerance_ = tolerance; }
  /// Whether the flow was, when it was last compared.
  bool was_steady() const { return confirmed_; }
  /// Relative, of the velocities, or at rest of the densities, when they were last compared.
  std::optional<double> change() const { return change_; }

  /// What a later run goes on with: adds to `run`.
  void save(Json& run) const;
  /// The earlier state, which is distributed over the ranks, for a later run.
  SpreadArray state() const { return {"earlier", earlier_.values()}; }
  /// All ranks. Throws BadInput.
  void restore(CheckpointReader const& checkpoint, SavedValues const& run);

 private:
  double relative(FlowChange const& change, double largest_speed) const;

  std::int64_t every_;
  std::int64_t second_look_;
  double tolerance_;
  double named_speed_;  ///< the largest that the case names
  double rounding_;     ///< of a density, to what velocities are made of it
  FlowState earlier_;   ///< that the next state is compared with
  std::optional<double> change_;
  bool confirmed_ = false;  ///< by the second comparison
};

}  // namespace tessera

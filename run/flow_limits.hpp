// SPDX-License-Identifier: MIT
// Whether the method can still compute a flow.
#pragma once

#include <optional>
#include <string>

#include "codelets/lattice/measure.hpp"
#include "models/lattice/equilibrium_form.hpp"
#include "models/lattice/lattice_kind.hpp"
#include "run/fields/flow_state.hpp"

namespace tessera {

/// Keeps the largest speed of the states that it has checked. Measurements give means only, so they
/// stop a flow only where the mean is too large already.
class FlowLimits {
 public:
  FlowLimits(LatticeKind lattice, EquilibriumForm equilibrium);

  /// All ranks: takes the largest speed. Returns what is absurd in the state, if anything is: a
  /// density that is not above 0, or a speed beyond one voxel a step, which no population can
  /// carry.
  std::optional<std::string> look(FlowState const& state);
  /// Returns what is absurd in the means: a density outside of 0.1 to 10, or a speed beyond one
  /// voxel a step.
  std::optional<std::string> look(Measurement const& measurement) const;
  /// Whether the mean speed of a measurement is so large that a state should be checked.
  bool is_fast(Measurement const& measurement) const;

  /// The largest speed so far, in voxels a step; mach(): over the speed of sound.
  double largest_speed() const { return largest_speed_; }
  double mach() const { return largest_speed_ / sound_; }
  /// Takes over the largest speed of an earlier run.
  void restore(double largest_speed) { largest_speed_ = largest_speed; }
  /// A warning of one line if the flow is fast; nothing up to Mach 0.3.
  std::optional<std::string> warning() const;

 private:
  std::optional<std::string> absurd_speed(double speed, char const* which) const;

  double sound_;
  bool linear_;  ///< creeping flow, which is the same at any speed
  double largest_speed_ = 0;
};

}  // namespace tessera

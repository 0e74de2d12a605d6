// SPDX-License-Identifier: MIT
// When a permeability is good enough: by its extrapolated error and by the balance of drag and
// driving force.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "io/checkpoint/saved_values.hpp"
#include "io/json_fwd.hpp"

namespace tessera {

/// Judges a series of permeabilities taken at equal distances in time, from the fluid at rest on.
///
/// Of permeabilities that are the flow's through the sample as it is (linear ones) the estimate of
/// the error is the largest of these:
/// - If k approaches its limit like exp(-t/T), three values a time L apart with differences
///   d1 = k1 - k0 and d2 = k2 - k1 have the ratio r = d2/d1 = exp(-L/T), and the error still left
///   is d2 r/(1 - r) (Aitken, Proc. R. Soc. Edinb. 46 (1926) 289). It is taken for L = 1/8, 1/4 and
///   1/3 of the time so far; a series that does not decay has no estimate.
/// - In tight rock a fast viscous mode and a slow pressure mode may pull k opposite ways, and where
///   they balance for a while k looks settled. When a fast mode T has died out (7 T, to 1e-3), a
///   slow mode of up to 30 T has moved k by a twelfth of what is still to come within the last
///   quarter of the time: twelve times the range of k in that quarter.
/// The balance - drag on the walls over the driving force - is independent of it and must be 1 as
/// well.
///
/// The functional (models/lattice/steady_functional.hpp) decays smoothly and can be predicted. Of
/// it the estimate is the largest of these, of the last value and the one before:
/// - five times how far it is from its limit by three modes that the last 16 values are made of
///   (permeability/flows/linear_prediction.hpp);
/// - Aitken's error for L = 1/6 of the time, or ten times the last differences;
/// - its square distance from the linear permeability: its error is of second order in what that
///   one's is of first, though it may stand still for a while.
/// The balance, whose error is of first order, must be 1 to the root of the tolerance. If the state
/// is asked for, too (its fields, what flows across), the linear permeability (four times in a row)
/// and the balance must be there to the tolerance itself. What this has been seen to be worth:
/// docs/method.md.
class Convergence {
 public:
  /// tolerance: relative error asked for, of k, or of the state that it is of.
  explicit Convergence(double tolerance, bool of_state = true)
      : tolerance_(tolerance), of_state_(of_state) {}

  /// Values must come at equal distances in time; thin_out() doubles the distance. `linear`: of the
  /// same state, where k is that of its functional.
  void add(double k, double balance, std::optional<double> linear = std::nullopt);
  /// From the next value on.
  void set_tolerance(double tolerance) { tolerance_ = tolerance; }
  /// Forgets all values: the flow has been changed.
  void restart() { *this = Convergence(tolerance_, of_state_); }
  /// What a later run goes on with. Asked for another tolerance, that one waits for new good
  /// values. Throws BadInput.
  Json save() const;
  void restore(SavedValues const& saved);
  /// Drops every other value, so that the series goes on at twice the distance.
  void thin_out();
  std::size_t size() const { return values_.size(); }

  /// Relative error of the last value; infinity while nothing can be said.
  double error_estimate() const { return error_estimate_; }
  double change() const;
  bool converged() const;

 private:
  static constexpr std::size_t fewest_values = 9;
  static constexpr int good_of_linear = 3;
  static constexpr int good_of_functional = 2;
  static constexpr int near_needed = 4;
  /// `growing`: how many times its last differences, if the series does not decay.
  double error_at_distance(std::size_t distance, double growing) const;
  double error_from_range() const;
  double error_of_linear() const;
  double error_of_functional(double linear) const;

  double tolerance_;
  bool of_state_;
  std::vector<double> values_;
  double error_estimate_ = 0;
  double last_error_ =
      std::numeric_limits<double>::infinity();  ///< of the functional, by its last value alone
  int good_in_a_row_ = 0;
  int near_in_a_row_ = 0;  ///< the linear value to the functional's, within the tolerance
  int good_needed_ = good_of_linear;
};

}  // namespace tessera

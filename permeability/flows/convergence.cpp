// SPDX-License-Identifier: MIT
#include "permeability/flows/convergence.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "io/json.hpp"
#include "permeability/flows/linear_prediction.hpp"

namespace tessera {
namespace {

constexpr double unknown = std::numeric_limits<double>::infinity();

}  // namespace

double Convergence::error_at_distance(std::size_t distance, double growing) const {
  std::size_t const last = values_.size() - 1;
  double const k = values_[last];
  double const before = values_[last - 2 * distance];
  double const d1 = values_[last - distance] - before;
  double const d2 = k - values_[last - distance];
  // Rounding leaves nothing to extrapolate, and the ratio of two roundings says nothing.
  if (std::abs(d1) + std::abs(d2) < 1e-3 * tolerance_ * std::abs(k))
    return (std::abs(d1) + std::abs(d2)) / std::abs(k);
  double const ratio = d2 / d1;
  if (!(std::abs(ratio) < 1)) return growing * (std::abs(d1) + std::abs(d2)) / std::abs(k);
  return std::abs(d2) * std::max(std::abs(ratio) / (1 - ratio), 0.5) / std::abs(k);
}

double Convergence::error_from_range() const {
  constexpr double slow_mode = 12;
  auto const first = values_.end() - static_cast<std::ptrdiff_t>(values_.size() / 4 + 1);
  auto const [least, most] = std::minmax_element(first, values_.end());
  return slow_mode * (*most - *least) / std::abs(values_.back());
}

double Convergence::error_of_linear() const {
  std::size_t const n = values_.size();
  return std::max({error_at_distance(n / 8, unknown), error_at_distance(n / 4, unknown),
                   error_at_distance((n - 1) / 3, unknown), error_from_range()});
}

double Convergence::error_of_functional(double linear) const {
  constexpr std::size_t predicted_from = 16;
  constexpr int modes = 3;
  constexpr double margin = 5;
  constexpr double growing = 10;  // where rounding is all that still moves
  double const k = values_.back();
  std::span const last = std::span(values_).last(std::min(predicted_from, values_.size()));
  double const to_come = std::abs(predicted_limit(last, modes) - k) / std::abs(k);
  double const apart = (linear - k) / k;
  double const error =
      std::max({margin * to_come, error_at_distance(values_.size() / 6, growing), apart * apart});
  if (!std::isfinite(to_come) || !std::isfinite(error)) return unknown;
  return error;
}

void Convergence::add(double k, double balance, std::optional<double> linear) {
  values_.push_back(k);
  bool const enough = values_.size() >= fewest_values;
  double balanced_to = tolerance_;
  if (linear) {
    double const error = enough ? error_of_functional(*linear) : unknown;
    error_estimate_ = std::max(error, std::exchange(last_error_, error));
    if (!of_state_) balanced_to = std::sqrt(tolerance_);
    good_needed_ = good_of_functional;
  } else {
    error_estimate_ = enough ? error_of_linear() : unknown;
    good_needed_ = good_of_linear;
  }
  // The linear value swings about where it goes to: not caught on its way through, but for a while.
  bool const is_near = linear && std::abs(*linear - k) < tolerance_ * std::abs(k);
  near_in_a_row_ = is_near ? near_in_a_row_ + 1 : 0;
  bool const state_is_there = !linear || !of_state_ || near_in_a_row_ >= near_needed;
  bool const good =
      error_estimate_ < tolerance_ && std::abs(balance - 1) < balanced_to && state_is_there;
  good_in_a_row_ = good ? good_in_a_row_ + 1 : 0;
}

Json Convergence::save() const {
  Json json{{"tolerance", tolerance_},
            {"values", values_},
            {"of_state", of_state_},
            {"good_in_a_row", good_in_a_row_},
            {"near_in_a_row", near_in_a_row_}};
  if (std::isfinite(last_error_)) json["last_error"] = last_error_;
  return json;
}

void Convergence::restore(SavedValues const& saved) {
  values_ = saved.finite_numbers("values");
  if (saved.has("last_error")) {
    last_error_ = saved.number("last_error");
    good_needed_ = good_of_functional;
  }
  auto const in_a_row = [&](char const* name) {
    return static_cast<int>(saved.whole(name, 0, 1'000'000));
  };
  int const good = in_a_row("good_in_a_row");
  int const near = saved.has("near_in_a_row") ? in_a_row("near_in_a_row") : 0;
  if (saved.number("tolerance") != tolerance_) return;
  // Values that were good enough for k alone are none of fields.
  bool const of_k_alone = saved.has("of_state") && !saved.flag("of_state");
  if (of_state_ && of_k_alone) return;
  good_in_a_row_ = good;
  near_in_a_row_ = near;
}

void Convergence::thin_out() {
  // Keeps the last value, whatever the parity of their number.
  std::vector<double> kept;
  for (std::size_t i = (values_.size() - 1) % 2; i < values_.size(); i += 2)
    kept.push_back(values_[i]);
  values_ = std::move(kept);
}

double Convergence::change() const {
  if (values_.size() < 2) return unknown;
  double const k = values_.back();
  return std::abs((k - values_[values_.size() - 2]) / k);
}

bool Convergence::converged() const { return good_in_a_row_ >= good_needed_; }

}  // namespace tessera

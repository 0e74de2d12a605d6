// SPDX-License-Identifier: MIT
#include "permeability/convergence.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tessera {
namespace {

constexpr double unknown = std::numeric_limits<double>::infinity();

}  // namespace

double Convergence::error_at_distance(std::size_t distance) const {
  std::size_t const last = values_.size() - 1;
  double const k = values_[last];
  double const before = values_[last - 2 * distance];
  double const d1 = values_[last - distance] - before;
  double const d2 = k - values_[last - distance];
  // Rounding leaves nothing to extrapolate, and the ratio of two roundings says nothing.
  if (std::abs(d1) + std::abs(d2) < 1e-3 * tolerance_ * std::abs(k))
    return (std::abs(d1) + std::abs(d2)) / std::abs(k);
  double const ratio = d2 / d1;
  if (!(std::abs(ratio) < 1)) return unknown;
  return std::abs(d2) * std::max(std::abs(ratio) / (1 - ratio), 0.5) / std::abs(k);
}

double Convergence::error_from_range() const {
  constexpr double slow_mode = 12;
  auto const first = values_.end() - static_cast<std::ptrdiff_t>(values_.size() / 4 + 1);
  auto const [least, most] = std::minmax_element(first, values_.end());
  return slow_mode * (*most - *least) / std::abs(values_.back());
}

void Convergence::add(double k, double balance) {
  values_.push_back(k);
  balance_ = balance;
  error_estimate_ = unknown;
  if (values_.size() >= fewest_values) {
    std::size_t const n = values_.size();
    error_estimate_ = std::max({error_at_distance(n / 8), error_at_distance(n / 4),
                                error_at_distance((n - 1) / 3), error_from_range()});
  }
  bool const good = error_estimate_ < tolerance_ && std::abs(balance_ - 1) < tolerance_;
  good_in_a_row_ = good ? good_in_a_row_ + 1 : 0;
}

Json Convergence::save() const {
  return {{"tolerance", tolerance_}, {"values", values_}, {"good_in_a_row", good_in_a_row_}};
}

void Convergence::restore(SavedValues const& saved) {
  values_ = saved.numbers("values");
  int const good = static_cast<int>(saved.whole("good_in_a_row", 0, 1'000'000));
  if (saved.number("tolerance") == tolerance_) good_in_a_row_ = good;
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

bool Convergence::converged() const { return good_in_a_row_ >= 3; }

}  // namespace tessera

// SPDX-License-Identifier: MIT
#include "io/checkpoint/saved_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/errors.hpp"
#include "io/json.hpp"

namespace tessera {
namespace {

/// Null, which was no number when it was written, is none again.
std::optional<double> number_of(Json const& value) {
  if (value.is_null()) return std::numeric_limits<double>::quiet_NaN();
  if (!value.is_number()) return std::nullopt;
  return value.get<double>();
}

}  // namespace

SavedValues::SavedValues(std::filesystem::path file, Json values)
    : file_(std::move(file)), values_(std::make_shared<Json const>(std::move(values))) {
  if (!values_->is_object()) refuse("values by name were expected in its text");
}

void SavedValues::refuse(std::string const& what) const {
  throw BadInput(fmt::format("{}: damaged: {}", file_.string(), what));
}

bool SavedValues::has(std::string const& key) const { return values_->contains(key); }

Json const& SavedValues::json(std::string const& key) const {
  auto const found = values_->find(key);
  if (found == values_->end()) refuse(fmt::format("it has no '{}'", key));
  return *found;
}

SavedValues SavedValues::object(std::string const& key) const {
  Json const& value = json(key);
  if (!value.is_object()) refuse(fmt::format("'{}' holds no values by name", key));
  return {file_, value};
}

std::int64_t SavedValues::whole(std::string const& key, std::int64_t least,
                                std::int64_t greatest) const {
  Json const& value = json(key);
  // A number that no signed one holds is beyond all limits, too.
  bool const held =
      value.is_number_integer() && !(value.is_number_unsigned() &&
                                     value.get<std::uint64_t>() > static_cast<std::uint64_t>(most));
  if (!held || value.get<std::int64_t>() < least || value.get<std::int64_t>() > greatest)
    refuse(fmt::format("'{}': expected a whole number from {} to {}", key, least, greatest));
  return value.get<std::int64_t>();
}

bool SavedValues::flag(std::string const& key) const {
  Json const& value = json(key);
  if (!value.is_boolean()) refuse(fmt::format("'{}': expected true or false", key));
  return value.get<bool>();
}

double SavedValues::number(std::string const& key) const {
  auto const number = number_if_known(key);
  if (!number) refuse(fmt::format("'{}': expected a number", key));
  return *number;
}

double SavedValues::number(std::string const& key, double least) const {
  double const value = number(key);
  if (value < least) refuse(fmt::format("'{}': expected a number from {} on", key, least));
  return value;
}

std::optional<double> SavedValues::number_if_known(std::string const& key) const {
  Json const& value = json(key);
  if (value.is_null()) return std::nullopt;
  auto const number = number_of(value);
  if (!number || !std::isfinite(*number)) refuse(fmt::format("'{}': expected a number", key));
  return number;
}

std::vector<double> SavedValues::numbers(std::string const& key) const {
  Json const& list = json(key);
  if (!list.is_array()) refuse(fmt::format("'{}': expected numbers", key));
  std::vector<double> numbers;
  for (Json const& value : list) {
    auto const number = number_of(value);
    if (!number) refuse(fmt::format("'{}': expected numbers", key));
    numbers.push_back(*number);
  }
  return numbers;
}

std::vector<double> SavedValues::finite_numbers(std::string const& key) const {
  std::vector<double> found = numbers(key);
  if (!std::ranges::all_of(found, [](double number) { return std::isfinite(number); }))
    refuse(fmt::format("'{}': expected numbers", key));
  return found;
}

std::vector<std::int64_t> SavedValues::steps(std::string const& key, std::int64_t last) const {
  std::vector<std::int64_t> steps;
  for (double const number : numbers(key)) {
    double const before = steps.empty() ? -1 : static_cast<double>(steps.back());
    bool const ascends = number > before && number <= static_cast<double>(last);
    if (!ascends || std::floor(number) != number)
      refuse(fmt::format("'{}': expected ascending steps up to {}", key, last));
    steps.push_back(static_cast<std::int64_t>(number));
  }
  return steps;
}

std::vector<std::array<double, 3>> SavedValues::vectors(std::string const& key) const {
  Json const& list = json(key);
  if (!list.is_array()) refuse(fmt::format("'{}': expected vectors", key));
  std::vector<std::array<double, 3>> vectors;
  for (Json const& value : list) {
    auto const components = SavedValues(file_, {{key, value}}).numbers(key);
    if (components.size() != 3) refuse(fmt::format("'{}': expected vectors", key));
    vectors.push_back({components[0], components[1], components[2]});
  }
  return vectors;
}

}  // namespace tessera

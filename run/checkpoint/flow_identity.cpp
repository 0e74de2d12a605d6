// SPDX-License-Identifier: MIT
#include "run/checkpoint/flow_identity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace tessera {
namespace {

bool same(Json const& a, Json const& b) {
  if (a.is_number() && b.is_number()) {
    auto const x = a.get<double>();
    auto const y = b.get<double>();
    return std::abs(x - y) <= 1e-12 * std::max(std::abs(x), std::abs(y));
  }
  if (!a.is_array() || !b.is_array()) return a == b;
  return std::ranges::equal(a, b, same);
}

std::string spelled(Json const& value) {
  if (value.is_null()) return "none";
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_float()) return fmt::format("{:.6g}", value.get<double>());
  if (!value.is_array()) return value.dump();
  std::string list;
  for (Json const& element : value)
    list += fmt::format("{}{}", list.empty() ? "" : ", ", spelled(element));
  return fmt::format("({})", list);
}

Json value_of(Json const& values, std::string const& name) {
  auto const found = values.find(name);
  return found == values.end() ? Json() : *found;
}

}  // namespace

std::vector<Difference> differences(Json const& was, Json const& is) {
  std::vector<Difference> found;
  auto const compare = [&](std::string const& name) {
    Difference difference{name, value_of(was, name), value_of(is, name)};
    if (!same(difference.was, difference.is)) found.push_back(std::move(difference));
  };
  for (auto const& [name, value] : is.items()) compare(name);
  for (auto const& [name, value] : was.items()) {
    if (!is.contains(name)) compare(name);
  }
  return found;
}

std::string describe(Difference const& difference) {
  std::string const was = spelled(difference.was);
  std::string const is = spelled(difference.is);
  // What is told apart by digits that people do not read is shown with all of them.
  if (was == is)
    return fmt::format("{} {} -> {}", difference.name, difference.was.dump(), difference.is.dump());
  return fmt::format("{} {} -> {}", difference.name, was, is);
}

}  // namespace tessera

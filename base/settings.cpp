// SPDX-License-Identifier: MIT
#include "base/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/errors.hpp"

namespace tessera {
namespace {

NamesInMessages& names_in_use() {
  static NamesInMessages names;
  return names;
}

}  // namespace

UseNames::UseNames(NamesInMessages names) { names_in_use() = std::move(names); }
UseNames::~UseNames() { names_in_use() = {}; }

bool settings_are_options() { return !names_in_use().as_keywords; }

std::string setting_name(std::string_view option, std::string_view keyword) {
  return settings_are_options() ? setting_name(option) : std::string(keyword);
}

std::string setting_name(std::string_view name) {
  if (settings_are_options()) return fmt::format("{}{}", name.size() == 1 ? "-" : "--", name);
  std::string keyword(name);
  std::ranges::replace(keyword, '-', '_');
  return keyword;
}

std::string setting_text(std::string_view name, std::string_view value) {
  return fmt::format("{}{}{}", setting_name(name), value.empty() ? "" : " ", value);
}

std::string const& axis_name(Axis axis) { return names_in_use().axes[index_of(axis)]; }

void require_positive(std::string_view name, double value) {
  if (std::isfinite(value) && value > 0) return;
  throw BadInput(fmt::format("{} {}: expected a positive number", setting_name(name), value));
}

void require_at_least_one(std::string_view name, std::int64_t value) {
  if (value >= 1) return;
  throw BadInput(fmt::format("{} {}: expected 1 or more", setting_name(name), value));
}

void require_between(std::string_view name, double value, double lowest, double highest,
                     std::string_view unit) {
  if (value >= lowest && value <= highest) return;  // what is not a number is not
  std::string const in = unit.empty() ? std::string{} : fmt::format(" {}", unit);
  throw BadInput(fmt::format("{} {:g}{}: expected {:g} to {:g}{}", setting_name(name), value, in,
                             lowest, highest, in));
}

}  // namespace tessera

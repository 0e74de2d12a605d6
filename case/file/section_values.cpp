// SPDX-License-Identifier: MIT
// Numbers and formulas of a case file, from what is written to lattice units.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <system_error>
#include <utility>

#include "case/file/section_reader.hpp"

namespace tessera {

Spelled spelled_value(std::string_view text) {
  // A number and its unit need no blank between them.
  double value = 0;
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc{} && end != text.data() + text.size()) {
    auto const length = static_cast<std::size_t>(end - text.data());
    if (auto const unit = unit_in(text.substr(length)))
      return {std::string(text.substr(0, length)), unit};
  }
  // Otherwise the unit is what stands behind a blank, unless an operator stands before that.
  constexpr std::string_view operators = "+-*/^(,<>=!&|?:";
  for (std::size_t blank = text.find(' '); blank != std::string_view::npos;
       blank = text.find(' ', blank + 1)) {
    std::size_t const last = text.find_last_not_of(' ', blank);
    if (last == std::string_view::npos || operators.find(text[last]) != std::string_view::npos)
      continue;
    if (auto const unit = unit_in(text.substr(blank)); unit)
      return {std::string(text.substr(0, blank)), unit};
  }
  return {std::string(text), std::nullopt};
}

double SectionReader::number_of(CaseKey const& key, TomlNode const& node) const {
  if (node.is_number()) return in_range(key, node, node.number());
  if (node.text() == nullptr) refuse_node(key, node);
  auto const [text, unit] = spelled_value(*node.text());
  double const factor = factor_of(key, node, unit, key.dimension);
  return in_range(key, node, formula_of(key, node, text, {})({}) * factor);
}

std::int64_t SectionReader::whole_of(CaseKey const& key, TomlNode const& node, double value) const {
  constexpr double most = 1e15;  // of which doubles are exact
  double const nearest = std::round(value);
  // A length in SI, divided by the voxel size, is not exact.
  if (std::abs(value) > most || std::abs(value - nearest) > 1e-9 * std::max(1.0, std::abs(value)))
    refuse_node(key, node);
  return static_cast<std::int64_t>(nearest);
}

std::int64_t SectionReader::steps_of(CaseKey const& key, TomlNode const& node) const {
  if (node.text() != nullptr) {
    auto const [text, unit] = spelled_value(*node.text());
    if (unit) {
      double const factor = factor_of(key, node, unit, dimension::time);
      double const value = std::round(formula_of(key, node, text, {})({}) * factor);
      return whole_of(key, node, in_range(key, node, value));
    }
  }
  return whole_of(key, node, number_of(key, node));
}

SpaceFormula SectionReader::space_of(CaseKey const& key, TomlNode const& node) const {
  if (node.is_number()) return {in_range(key, node, node.number())};
  if (node.text() == nullptr) refuse_node(key, node);
  auto const [text, unit] = spelled_value(*node.text());
  double const factor = factor_of(key, node, unit, key.dimension);
  Formula formula = formula_of(key, node, text, {"x", "y", "z"});
  if (!formula.varies()) {
    std::array<double, 3> const anywhere{};
    return {in_range(key, node, formula(anywhere) * factor)};
  }
  return {std::move(formula), reading_->units.voxel_m, factor};
}

FieldFormula SectionReader::field_of(CaseKey const& key, TomlNode const& node) const {
  if (node.is_number()) return {in_range(key, node, node.number())};
  if (node.text() == nullptr) refuse_node(key, node);
  auto const [text, unit] = spelled_value(*node.text());
  factor_of(key, node, unit, key.dimension);
  Formula formula = formula_of(key, node, text, {"x", "y", "z", "t"});
  if (!formula.varies()) return {in_range(key, node, formula(std::array<double, 4>{}))};
  return formula;
}

double SectionReader::factor_of(CaseKey const& key, TomlNode const& node,
                                std::optional<Quantity> const& unit, Dimension dimension) const {
  double const lattice_unit = reading_->units.lattice_unit(dimension);
  if (!unit) return 1 / lattice_unit;
  if (reading_->method == CaseMethod::spectral) {
    reading_->refuse(node.line, fmt::format("{} = {} has a unit: expected a number, all of them in "
                                            "units of one system",
                                            key.name, node.spelled()));
  }
  if (unit->dimension != dimension)
    refuse_node(key, node, fmt::format(" is {}", name_of(unit->dimension)));
  if (!reading_->units.si && keys_->path != "units") {
    reading_->refuse(node.line,
                     fmt::format("{} = {} has a unit, but there is no [units]: expected a number "
                                 "in lattice units, or [units] with voxel-size and time-step",
                                 key.name, node.spelled()));
  }
  return unit->value / lattice_unit;
}

Formula SectionReader::formula_of(CaseKey const& key, TomlNode const& node, std::string const& text,
                                  std::vector<std::string> const& variables) const {
  try {
    return {spelled_out(text, reading_->formulas), variables, reading_->constants};
  } catch (BadFormula const& error) {
    refuse_node(key, node, fmt::format(": {}", error.what()));
  }
}

double SectionReader::in_range(CaseKey const& key, TomlNode const& node, double value) const {
  bool const fits = key.range == KeyRange::any || value > 0 ||
                    (key.range == KeyRange::not_negative && value == 0);
  if (!fits || !std::isfinite(value)) refuse_node(key, node);
  return value;
}

}  // namespace tessera

// SPDX-License-Identifier: MIT
// [units] and [constants]: what numbers mean in the rest of the file.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "case/file/case_parts.hpp"

namespace tessera {
namespace {

/// Water, unless said.
constexpr double usual_density = 1000;

constexpr std::array<std::string_view, 13> reserved{"x",  "y",  "z",  "t",  "nx", "ny", "nz",
                                                    "lx", "ly", "lz", "dx", "dt", "pi"};

/// A number alone would be in lattice units, which have no meaning yet.
double with_unit(SectionReader const& section, std::string_view key, std::string_view example) {
  double const value = section.number(key);
  // The default has no unit, but is not asked for.
  if (section.is_plain_number(key))
    section.refuse_value(key, fmt::format("a value with its unit, such as {}", example));
  return value;
}

/// Wider than anything that has a meaning; beyond, numbers overflow somewhere on the way.
void require_between(SectionReader const& section, std::string_view key, double value,
                     double lowest, double highest, std::string_view unit) {
  if (value >= lowest && value <= highest) return;
  section.refuse_value(key, fmt::format("{:g} to {:g} {}", lowest, highest, unit));
}

/// Refuses names that mean something else already.
void check_name(CaseReading const& reading, TomlEntry const& entry, std::string_view what) {
  bool const taken = std::ranges::find(reserved, entry.key) != reserved.end();
  if (!taken && is_name(entry.key)) return;
  reading.refuse(entry.line,
                 fmt::format("'{}' cannot be the name of {}: expected a letter, then letters, "
                             "digits and '_', and not {} or a function",
                             entry.key, what, "x y z t nx ny nz lx ly lz dx dt pi"));
}

double constant_value(CaseReading const& reading, TomlEntry const& entry) {
  TomlNode const& node = entry.node;
  if (node.is_number()) return node.number();
  if (node.text() == nullptr) {
    reading.refuse(entry.line, fmt::format("{} = {}: expected a number, or a formula of the "
                                           "constants above it",
                                           entry.key, node.spelled()));
  }
  auto const [text, unit] = spelled_value(*node.text());
  if (unit && !reading.units.si) {
    reading.refuse(
        entry.line,
        fmt::format("{} = {} has a unit{}", entry.key, node.spelled(),
                    reading.method == CaseMethod::spectral
                        ? ": expected a number, all of them in units of one system"
                        : ", but there is no [units]: expected a number in lattice units"));
  }
  try {
    return Formula(text, {}, reading.constants)({}) * (unit ? unit->value : 1);
  } catch (BadFormula const& error) {
    reading.refuse(entry.line,
                   fmt::format("{} = {}: {}: expected a number, or a formula of the constants "
                               "above it",
                               entry.key, node.spelled(), error.what()));
  }
}

}  // namespace

CaseUnits read_units(CaseReading const& reading) {
  SectionReader const section(reading, "units");
  CaseUnits units;
  if (!section.there()) return units;
  units.si = true;
  units.voxel_m = with_unit(section, "voxel-size", "\"10um\"");
  require_between(section, "voxel-size", units.voxel_m, 1e-12, 1e3, "m");
  bool const by_speed = section.given("speed") || section.given("lattice-speed");
  if (section.given("time-step") == by_speed) {
    reading.refuse(
        by_speed ? section.line("time-step") : section.line(),
        fmt::format("[units] {}: expected either time-step, or speed and lattice-speed",
                    by_speed ? "sets the time step twice" : "does not set the time step"));
  }
  units.step_s = by_speed ? section.number("lattice-speed") * units.voxel_m /
                                with_unit(section, "speed", "\"0.1 m/s\"")
                          : with_unit(section, "time-step", "\"2 us\"");
  require_between(section, by_speed ? "speed" : "time-step", units.step_s, 1e-21, 1e9,
                  by_speed ? "s for a time step" : "s");
  units.density_kg_m3 =
      section.given("density") ? with_unit(section, "density", "\"1000 kg/m3\"") : usual_density;
  if (section.given("density"))
    require_between(section, "density", units.density_kg_m3, 1e-6, 1e6, "kg/m3");
  return units;
}

Constants read_constants(CaseReading& reading) {
  if (reading.method == CaseMethod::lattice) {
    reading.constants.emplace_back("dx", reading.units.voxel_m);
    reading.constants.emplace_back("dt", reading.units.step_s);
  }
  Constants of_case;
  TomlNode const* table = reading.root.find("constants");
  if (table == nullptr) return of_case;
  for (TomlEntry const& entry : *table->table()) {
    check_name(reading, entry, "a constant");
    double const value = constant_value(reading, entry);
    if (!std::isfinite(value)) {
      reading.refuse(entry.line, fmt::format("{} = {} is {}: expected a finite number", entry.key,
                                             entry.node.spelled(), value));
    }
    reading.constants.emplace_back(entry.key, value);
    of_case.emplace_back(entry.key, value);
  }
  return of_case;
}

void read_formulas(CaseReading& reading) {
  TomlNode const* table = reading.root.find("formulas");
  if (table == nullptr) return;
  for (TomlEntry const& entry : *table->table()) {
    check_name(reading, entry, "a formula");
    auto const named = [&](auto const& other) { return other.first == entry.key; };
    if (std::ranges::any_of(reading.constants, named)) {
      reading.refuse(entry.line,
                     fmt::format("'{}' is a constant: expected another name", entry.key));
    }
    if (entry.node.text() == nullptr) {
      reading.refuse(entry.line, fmt::format("{} = {}: expected a formula of x, y, z, t in quotes",
                                             entry.key, entry.node.spelled()));
    }
    std::string text;
    try {
      text = spelled_out(*entry.node.text(), reading.formulas);
      Formula const check(text, {"x", "y", "z", "t"}, reading.constants);
    } catch (BadFormula const& error) {
      reading.refuse(entry.line, fmt::format("{} = {}: {}: expected a formula of x, y, z, t, "
                                             "constants and formulas above it",
                                             entry.key, entry.node.spelled(), error.what()));
    }
    reading.formulas.emplace_back(entry.key, std::move(text));
  }
}

void add_box_constants(CaseReading& reading, Int3 shape) {
  double const voxel = reading.units.voxel_m;
  for (Axis a : all_axes) {
    auto const n = static_cast<double>(shape[a]);
    reading.constants.emplace_back(fmt::format("n{}", name_of(a)), n);
    reading.constants.emplace_back(fmt::format("l{}", name_of(a)), n * voxel);
  }
}

}  // namespace tessera

// SPDX-License-Identifier: MIT
// [fluid], [model], [model.rates].
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "case/file/case_parts.hpp"
#include "case/file/expected.hpp"
#include "io/text.hpp"
#include "models/lattice/known_models.hpp"
#include "models/lattice/model_names.hpp"
#include "models/lattice/plane_lattice.hpp"
#include "models/lattice/units.hpp"

namespace tessera {
namespace {

using Collision = CollisionOperator;
using Lattice = LatticeKind;

template <class Values>
std::string names_of(Values const& values) {
  std::vector<std::string_view> names;
  names.reserve(values.size());
  for (auto const& value : values) names.push_back(name_of(value));
  return one_of(names);
}

std::vector<Lattice> lattices_for(Collision collision) {
  std::vector<Lattice> fitting;
  for (auto const& [name, lattice] : lattice_names) {
    if (!equilibria_for(lattice, collision).empty()) fitting.push_back(lattice);
  }
  return fitting;
}

std::vector<Collision> collisions_for(Lattice lattice) {
  std::vector<Collision> fitting;
  for (auto const& [name, collision] : collision_names) {
    if (!equilibria_for(lattice, collision).empty()) fitting.push_back(collision);
  }
  return fitting;
}

/// D3Q19, D2Q9 for plane flows, or else what the collision has of these dimensions.
Lattice usual_lattice(Collision collision, Int3 shape) {
  bool const plane = shape.z == 1;
  Lattice const usual = plane ? Lattice::d2q9 : Lattice::d3q19;
  std::vector<Lattice> const fitting = lattices_for(collision);
  if (std::ranges::find(fitting, usual) != fitting.end()) return usual;
  return fitting.back();  // the one with most velocities
}

/// "D3Q19 mrt navier-stokes, ...": all of so many dimensions that take Smagorinsky's model.
std::string models_with_eddies(int dimensions) {
  std::vector<std::string> models;
  for (auto const& [lattice_name, lattice] : lattice_names) {
    if (velocities_of(lattice).dimensions != dimensions) continue;
    for (auto const& [collision_name, collision] : collision_names) {
      for (auto const& [form_name, form] : equilibrium_names) {
        if (is_known({lattice, collision, form, true}))
          models.push_back(fmt::format("{} {} {}", lattice_name, collision_name, form_name));
      }
    }
  }
  return joined(models, ", ");
}

void check_combination(SectionReader const& section, Case::Model const& m, Int3 shape) {
  if (auto const misfit =
          misfit_of_plane_lattice(m.lattice, shape, "shape = [nx, ny, 1]", "lattice = ")) {
    section.refuse("lattice", fmt::format("lattice = \"{}\"{}", name_of(m.lattice), *misfit));
  }
  auto const equilibria = equilibria_for(m.lattice, m.collision);
  if (equilibria.empty()) {
    section.refuse(
        "collision",
        fmt::format("collision = \"{}\" does not go with {}: expected lattice = {}; or, "
                    "with {}, collision = {}",
                    name_of(m.collision), name_of(m.lattice), names_of(lattices_for(m.collision)),
                    name_of(m.lattice), names_of(collisions_for(m.lattice))));
  }
  if (std::ranges::find(equilibria, m.equilibrium) == equilibria.end()) {
    section.refuse("equilibrium",
                   fmt::format("equilibrium = \"{}\" does not go with {} on {}: expected {}",
                               name_of(m.equilibrium), name_of(m.collision), name_of(m.lattice),
                               names_of(equilibria)));
  }
  if (m.smagorinsky && !is_known({m.lattice, m.collision, m.equilibrium, true})) {
    section.refuse(
        "smagorinsky",
        fmt::format(
            "smagorinsky does not go with {}, {}, {}{}: expected one of {}", name_of(m.lattice),
            name_of(m.collision), name_of(m.equilibrium),
            m.equilibrium == EquilibriumForm::linear ? ", as creeping flow has no eddies" : "",
            models_with_eddies(velocities_of(m.lattice).dimensions)));
  }
}

std::vector<std::string_view> rates_of(Collision collision, Lattice lattice) {
  std::vector<std::string_view> names;
  auto const& own = traits_of(collision).rates;
  for (RelaxationRate const& rate : relaxation_rates) {
    bool const there = !rate.of_anisotropic_sets_only || !velocities_of(lattice).isotropic;
    if (there && std::ranges::find(own, rate.name) != own.end()) names.push_back(rate.name);
  }
  return names;
}

/// "\"trt\", \"mrt\" or ...": those whose rates the magic number sets.
std::string collisions_with_magic() {
  std::vector<std::string> quoted;
  for (CollisionTraits const& row : collision_operators) {
    if (row.unset == UnsetRates::magic) quoted.push_back(fmt::format("\"{}\"", row.name));
  }
  return one_of({quoted.begin(), quoted.end()});
}

Case::Rates read_rates(CaseReading const& reading, Case::Model const& m) {
  SectionReader const section(reading, "model.rates");
  if (!section.there()) return {};
  section.allow_only(
      rates_of(m.collision, m.lattice),
      fmt::format("is no rate of {} on {}", name_of(m.collision), name_of(m.lattice)));
  Case::Rates rates;
  for (RelaxationRate const& rate : relaxation_rates) {
    auto const value = section.number_if_given(rate.name);
    if (!value) continue;
    if (*value >= 2) section.refuse_value(rate.name, "a rate between 0 and 2");
    rates[rate.name] = *value;
  }
  return rates;
}

}  // namespace

Case::Model read_model(CaseReading const& reading, Int3 shape) {
  SectionReader const section(reading, "model");
  Case::Model m;
  m.collision = section.word_in(collision_names, "collision");
  m.lattice = section.given("lattice") ? section.word_in(lattice_names, "lattice")
                                       : usual_lattice(m.collision, shape);
  m.equilibrium = section.given("equilibrium") ? section.word_in(equilibrium_names, "equilibrium")
                                               : usual_equilibrium(m.collision, Purpose::case_file);
  m.smagorinsky = section.number_if_given("smagorinsky");
  m.precision = section.word_in(precision_names, "precision");
  check_combination(section, m, shape);
  if (section.given("magic") && traits_of(m.collision).unset != UnsetRates::magic) {
    section.refuse("magic", fmt::format("magic does not go with {}: expected collision = {}",
                                        name_of(m.collision), collisions_with_magic()));
  }
  m.magic = section.number("magic");
  m.rates = read_rates(reading, m);
  if (section.given("magic") && m.rates.contains("odd"))
    section.refuse("magic", "magic and the rate 'odd' set the same: expected one of them");
  return m;
}

Case::Fluid read_fluid(CaseReading const& reading, Lattice lattice) {
  SectionReader const section(reading, "fluid");
  int ways = 0;
  for (char const* key : {"viscosity", "relaxation-time", "reynolds"})
    ways += section.given(key) ? 1 : 0;
  if (ways != 1) {
    reading.refuse(section.line(),
                   fmt::format("[fluid] {}: expected one of viscosity, relaxation-time, and "
                               "reynolds with length and speed",
                               ways == 0 ? "has no viscosity" : "sets the viscosity twice"));
  }
  Case::Fluid f;
  f.length = section.number_if_given("length");
  f.speed = section.number_if_given("speed");
  std::string_view cause = "viscosity";
  if (section.given("reynolds")) {
    cause = "reynolds";
    f.reynolds = section.number("reynolds");
    f.viscosity = section.number("speed") * section.number("length") / *f.reynolds;
  } else if (section.given("relaxation-time")) {
    cause = "relaxation-time";
    f.viscosity = viscosity(section.number("relaxation-time"), lattice);
  } else {
    f.viscosity = section.number("viscosity");
  }
  f.relaxation_time = relaxation_time(f.viscosity, lattice);
  // What rounds to 1/2 has no viscosity either.
  if (f.relaxation_time <= 0.5) {
    section.refuse(cause, fmt::format("the relaxation time is {:.6g}: expected more than 1/2, as "
                                      "the viscosity grows with tau - 1/2",
                                      f.relaxation_time));
  }
  if (!f.reynolds && f.length && f.speed) f.reynolds = *f.speed * *f.length / f.viscosity;
  return f;
}

}  // namespace tessera

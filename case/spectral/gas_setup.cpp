// SPDX-License-Identifier: MIT
#include "case/spectral/gas_setup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors.hpp"
#include "base/name_list.hpp"
#include "base/settings.hpp"
#include "case/spectral/mesh_of_msh.hpp"
#include "io/images/spelling.hpp"
#include "io/nearest_word.hpp"
#include "models/spectral/box_mesh.hpp"
#include "models/spectral/geometry.hpp"

namespace tessera {
namespace {

using spectral::BoundaryKind;
using spectral::Point;

[[noreturn]] void refuse(GasCase const& c, int line, std::string const& what) {
  if (line >= 0) throw BadInput(fmt::format("{}:{}: {}", c.file.string(), line, what));
  throw BadInput(fmt::format("{} {}: {}", setting_name("set", "settings"),
                             c.overrides.at(static_cast<std::size_t>(-1 - line)), what));
}

std::string in_words(Point const& at) {
  return fmt::format("({:.6g}, {:.6g}, {:.6g})", at[0], at[1], at[2]);
}

int degree_at(GasCase const& c, Point const& at) {
  double const degree = c.mesh.degree.at(at[0], at[1], at[2]);
  double const nearest = std::round(degree);
  bool const fits =
      std::abs(degree - nearest) < 1e-9 && nearest >= 0 && nearest <= spectral::most_degree;
  if (!fits) {
    refuse(c, c.mesh.line_of_degree,
           fmt::format("degree is {:.6g} at {}: expected a whole number from 0 to {}", degree,
                       in_words(at), spectral::most_degree));
  }
  return static_cast<int>(nearest);
}

spectral::Mesh box_mesh(GasCase const& c) {
  GasCase::Mesh const& mesh = c.mesh;
  spectral::BoxMesh box{.dimension = mesh.dimension,
                        .cells = mesh.cells,
                        .origin = mesh.origin,
                        .size = mesh.size,
                        .periodic = mesh.periodic,
                        .map_degree = mesh.map_degree,
                        .bend = {},
                        .degree = [&c](Point const& at) { return degree_at(c, at); },
                        .turn = {}};
  if (mesh.bend) {
    box.bend = [&](Point const& at) {
      Point there{};
      for (std::size_t a = 0; a < 3; ++a) {
        there[a] = std::cmp_less(a, mesh.dimension) ? (*mesh.bend)[a].at(at[0], at[1], at[2]) : 0;
        if (!std::isfinite(there[a]))
          refuse(c, mesh.line,
                 fmt::format("bend at {} is no number: expected formulas that are "
                             "one in the whole box",
                             in_words(at)));
      }
      return there;
    };
  }
  try {
    return make_mesh(box);
  } catch (BadInput const& error) {
    std::string const what = error.what();
    if (what.starts_with(c.file.string()) || what.starts_with(setting_name("set", "settings")))
      throw;
    refuse(c, mesh.line, "[mesh]: " + what);
  }
}

/// A state by its formulas.
spectral::Primitive<double> state_at(GasCase::State const& state, int dimension, Point const& at) {
  spectral::Primitive<double> found{};
  found.density = state.density.at(at[0], at[1], at[2]);
  found.pressure = state.pressure.at(at[0], at[1], at[2]);
  for (std::size_t a = 0; std::cmp_less(a, dimension); ++a)
    found.velocity[a] = state.velocity[a].at(at[0], at[1], at[2]);
  return found;
}

/// Throws BadInput if no gas can be in this state. `where`: "case.toml: [initial]".
void check_state(spectral::Primitive<double> const& state, Point const& at,
                 std::string const& where) {
  bool fits = state.density > 0 && state.pressure > 0 && std::isfinite(state.density) &&
              std::isfinite(state.pressure);
  for (double const u : state.velocity) fits = fits && std::isfinite(u);
  if (fits) return;
  throw BadInput(fmt::format(
      "{} at {}: density {:.6g}, velocity ({:.6g}, {:.6g}, {:.6g}), pressure {:.6g}: expected "
      "finite numbers, density and pressure above 0",
      where, in_words(at), state.density, state.velocity[0], state.velocity[1], state.velocity[2],
      state.pressure));
}

class Conditions {
 public:
  Conditions(GasCase const& c, spectral::Mesh const& mesh) : case_(c), mesh_(mesh) {}

  std::vector<spectral::BoundaryCondition> all() {
    refuse_unknown_sides();
    std::vector<spectral::BoundaryCondition> conditions;
    conditions.reserve(mesh_.boundaries.size());
    for (std::string const& side : mesh_.boundaries) conditions.push_back(of_side(side));
    return conditions;
  }

 private:
  void refuse_unknown_sides() const {
    std::vector<std::string_view> const names(mesh_.boundaries.begin(), mesh_.boundaries.end());
    for (GasCase::Boundary const& b : case_.boundaries) {
      for (std::string const& on : b.on) {
        if (std::ranges::find(names, on) != names.end()) continue;
        refuse(case_, b.line,
               fmt::format(
                   "[[boundary]] on \"{}\": there is no such side: expected {}{}", on,
                   names.empty() ? "none, as all sides are periodic" : "one of " + one_of(names),
                   did_you_mean(on, names)));
      }
    }
  }

  spectral::BoundaryCondition of_side(std::string const& side) const {
    auto const of = std::ranges::find_if(case_.boundaries, [&](GasCase::Boundary const& b) {
      return std::ranges::find(b.on, side) != b.on.end();
    });
    if (of == case_.boundaries.end()) {
      refuse(case_, case_.mesh.line,
             fmt::format("the side {} has no condition: expected a [[boundary]] on it, or a "
                         "periodic axis",
                         side));
    }
    spectral::BoundaryCondition condition{.kind = of->kind, .given = {}};
    if (of->kind == BoundaryKind::slip_wall) return condition;
    condition.given = [state = of->state, dimension = mesh_.dimension,
                       where = fmt::format("{}: [[boundary]] on {}", case_.file.string(), side)](
                          Point const& at) {
      auto const found = state_at(state, dimension, at);
      check_state(found, at, where);
      return found;
    };
    return condition;
  }

  GasCase const& case_;
  spectral::Mesh const& mesh_;
};

}  // namespace

GasSetup set_up(GasCase const& c) {
  GasSetup setup;
  setup.of.mesh = c.mesh.file.empty() ? box_mesh(c)
                                      : mesh_of(
                                            read_msh(c.mesh.file),
                                            [&](Point const& at) { return degree_at(c, at); },
                                            c.mesh.file.string());
  check(setup.of.mesh);
  setup.of.packs = make_packs(setup.of.mesh);
  setup.of.boundaries = Conditions(c, setup.of.mesh).all();
  setup.of.gas = {c.gas.gamma};
  setup.parameters = {.gas = {c.gas.gamma},
                      .riemann = c.model.riemann,
                      .entropy_fix = c.model.entropy_fix,
                      .integrator = c.time.integrator};
  int const dimension = setup.of.mesh.dimension;
  setup.initial = [state = c.initial, dimension](Point const& at) {
    return state_at(state, dimension, at);
  };
  if (c.output.exact) {
    setup.exact = [exact = *c.output.exact](Point const& at, double time) {
      spectral::Primitive<double> found{
          exact.density.at(at, time), {}, exact.pressure.at(at, time)};
      for (std::size_t a = 0; a < 3; ++a) found.velocity[a] = exact.velocity[a].at(at, time);
      return found;
    };
  }
  return setup;
}

void check_initial_state(GasCase const& c, GasSetup const& setup) {
  spectral::Mesh const& mesh = setup.of.mesh;
  for (std::size_t e = 0; e < mesh.elements(); ++e) {
    for (Point const& at : spectral::map_points(mesh.dimension, mesh.map_degree, mesh.nodes_of(e),
                                                spectral::solution_points(mesh.degree[e])))
      check_state(setup.initial(at), at, c.file.string() + ": [initial]");
  }
}

}  // namespace tessera

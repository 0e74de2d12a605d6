// SPDX-License-Identifier: MIT
// A case of spectral differences in words, for `--check`.
#include <fmt/format.h>

#include <algorithm>

#include "case/file/description.hpp"
#include "case/file/gas_case.hpp"
#include "case/file/gas_words.hpp"

namespace tessera {
namespace {

void describe_mesh(Description& d, GasCase::Mesh const& mesh) {
  if (!mesh.file.empty()) {
    d.line("mesh", mesh.file.string());
  } else {
    bool const plane = mesh.dimension == 2;
    std::string text =
        plane
            ? fmt::format("{} x {} cells in a box of {:.6g} x {:.6g}", mesh.cells[0], mesh.cells[1],
                          mesh.size[0], mesh.size[1])
            : fmt::format("{} x {} x {} cells in a box of {:.6g} x {:.6g} x {:.6g}", mesh.cells[0],
                          mesh.cells[1], mesh.cells[2], mesh.size[0], mesh.size[1], mesh.size[2]);
    std::string periodic;
    for (Axis const a : all_axes) {
      if (mesh.periodic[index_of(a)])
        periodic += fmt::format("{}{}", periodic.empty() ? "" : ", ", name_of(a));
    }
    if (!periodic.empty()) text += ", periodic along " + periodic;
    if (mesh.bend) text += fmt::format(", bent, maps of degree {}", mesh.map_degree);
    d.line("mesh", text);
  }
  d.line("degree", in_words(mesh.degree));
}

std::string state_in_words(GasCase::State const& s) {
  return fmt::format("density {}, velocity {}, pressure {}", in_words(s.density),
                     in_words(s.velocity), in_words(s.pressure));
}

void describe_boundaries(Description& d, GasCase const& c) {
  for (GasCase::Boundary const& b : c.boundaries) {
    std::string text(name_in(gas_boundary_names, b.kind));
    if (b.kind == spectral::BoundaryKind::outlet) {
      text += fmt::format(", pressure {}", in_words(b.state.pressure));
    } else if (b.kind != spectral::BoundaryKind::slip_wall) {
      text += ", " + state_in_words(b.state);
    }
    for (std::string const& on : b.on) d.line("on " + on, text);
  }
}

std::string ends_in_words(GasCase::Stop const& stop) {
  if (!stop.steps) return fmt::format("at time {:.6g}", *stop.time);
  std::string const steps = fmt::format("after {} steps", *stop.steps);
  return stop.time ? fmt::format("at time {:.6g} or {}", *stop.time, steps) : steps;
}

}  // namespace

std::string describe(GasCase const& c) {
  Description d;
  d.begin(c.title, c.constants, c.overrides);
  describe_mesh(d, c.mesh);
  d.line("gas", c.gas.r ? fmt::format("gamma {:.6g}, R {:.6g}", c.gas.gamma, *c.gas.r)
                        : fmt::format("gamma {:.6g}", c.gas.gamma));
  d.line("model", fmt::format("{}, {} precision", name_in(riemann_names, c.model.riemann),
                              name_in(gas_precision_names, c.model.precision)));
  d.line("initial", state_in_words(c.initial));
  describe_boundaries(d, c);
  d.line("time", fmt::format("{}, {}", name_in(integrator_names, c.time.integrator),
                             c.time.dt ? fmt::format("steps of {:.6g}", *c.time.dt)
                                       : fmt::format("{:.6g} of the longest stable step, of the "
                                                     "state {}",
                                                     c.time.cfl,
                                                     c.time.exact ? "itself" : "a step before")));
  d.line("ends", ends_in_words(c.stop));
  d.line("fields", in_words(c.output.fields));
  d.line("records", fmt::format("every {} steps{}", c.output.records_every,
                                c.output.exact ? ", with errors" : ""));
  for (auto const& p : c.output.probes)
    d.line("probe", fmt::format("{} at {}, every {} steps", p.name, in_words(p.at), p.every));
  d.end(c.output.checkpoint, c.insitu);
  return d.text();
}

}  // namespace tessera

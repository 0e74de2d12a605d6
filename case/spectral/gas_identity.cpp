// SPDX-License-Identifier: MIT
// Which flow of a gas a checkpoint is of.
#include <fmt/format.h>

#include <span>
#include <string>

#include "case/file/gas_words.hpp"
#include "case/formula_text.hpp"
#include "case/spectral/gas_job.hpp"
#include "io/json.hpp"
#include "io/sha256.hpp"
#include "run/checkpoint/flow_identity.hpp"

namespace tessera {
namespace {

Json of(SpaceFormula const& f, Constants const& constants) {
  if (!f.varies()) return f.at(0, 0, 0);
  return formula_text(f.text(), constants);
}

void add_state(Json& parameters, std::string const& where, GasCase::State const& state,
               Constants const& constants) {
  parameters["density " + where] = of(state.density, constants);
  parameters["pressure " + where] = of(state.pressure, constants);
  parameters["velocity " + where] = {of(state.velocity[0], constants),
                                     of(state.velocity[1], constants),
                                     of(state.velocity[2], constants)};
}

/// Places, degrees, what lies beside what, and in which order it is saved.
std::string hash_of(spectral::MeshOfGas const& of) {
  spectral::Mesh const& mesh = of.mesh;
  std::string bytes = fmt::format("{} {}", mesh.dimension, mesh.map_degree);
  auto const add = [&](auto const& values) {
    auto const raw = std::as_bytes(std::span(values));
    bytes.append(reinterpret_cast<char const*>(raw.data()), raw.size());
  };
  add(mesh.nodes);
  add(mesh.degree);
  for (spectral::Face const& f : mesh.faces)
    bytes += fmt::format(" {} {} {} {}", f.neighbour, f.side, f.turn, f.boundary);
  for (spectral::Pack const& pack : of.packs.packs) add(pack.element);
  return sha256_of(std::as_bytes(std::span(bytes)));
}

}  // namespace

FlowIdentity identity_of(GasCase const& c, GasSetup const& setup) {
  Json parameters{{"gamma", c.gas.gamma},
                  {"riemann", name_in(riemann_names, c.model.riemann)},
                  {"entropy fix", c.model.entropy_fix},
                  {"integrator", name_in(integrator_names, c.time.integrator)},
                  {"time step", c.time.dt ? Json(*c.time.dt)
                                          : Json(fmt::format("cfl {:.17g}{}", c.time.cfl,
                                                             c.time.exact ? ", exact" : ""))}};
  add_state(parameters, "at first", c.initial, c.constants);
  for (GasCase::Boundary const& b : c.boundaries) {
    for (std::string const& side : b.on) {
      parameters["boundary " + side] = name_in(gas_boundary_names, b.kind);
      add_state(parameters, "on " + side, b.state, c.constants);
    }
  }
  return {.command = "run",
          .precision = c.model.precision,
          .flow = {{"method", "spectral"},
                   {"precision", name_in(gas_precision_names, c.model.precision)},
                   {"mesh", hash_of(setup.of)}},
          .parameters = std::move(parameters)};
}

}  // namespace tessera

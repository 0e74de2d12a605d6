// SPDX-License-Identifier: MIT
#include "app/flow_identity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "app/flow_run.hpp"
#include "io/case/case.hpp"
#include "io/case/model_table.hpp"
#include "lattice/model_names.hpp"

namespace tessera {
namespace {

std::string_view name_of(FlowSetup setup) {
  switch (setup) {
    case FlowSetup::sealed:
      return "sealed";
    case FlowSetup::periodic:
      return "periodic";
    case FlowSetup::mirrored:
      break;
  }
  return "mirrored";
}

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

FlowIdentity identity_of(FlowPreparation const& preparation, Axis axis, FlowCase const& flow_case) {
  Int3 const& shape = preparation.geometry.shape;
  FlowModel const& model = flow_case.model;
  FlowIdentity identity{
      .command = "permeability",
      .precision = flow_case.precision,
      .flow = {{"axis", std::string(1, tessera::name_of(axis))},
               {"set-up", name_of(flow_case.setup)},
               {"shape", {shape.x, shape.y, shape.z}},
               {"lattice", name_in(lattice_names, model.lattice)},
               {"precision", tessera::name_of(flow_case.precision)}},
      .parameters = {{"relaxation time", preparation.relaxation_time},
                     {"body force", preparation.body_force},
                     {"collision", name_in(collision_names, model.collision)},
                     {"equilibrium", name_in(equilibrium_names, model.equilibrium)}}};
  if (flow_case.setup == FlowSetup::sealed)
    identity.flow["buffer layers"] = flow_case.buffer_layers;
  if (has_magic(model.collision)) identity.parameters["magic"] = flow_case.magic;
  return identity;
}

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

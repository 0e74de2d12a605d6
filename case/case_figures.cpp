// SPDX-License-Identifier: MIT
#include "case/case_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "case/face_flow.hpp"
#include "io/results_json.hpp"

namespace tessera {
namespace {

/// Of the fluid nodes of one layer along an axis.
struct LayerSums {
  double nodes = 0, density = 0, pressure = 0;
};

LayerSums sums_of_layer(Axis axis, std::int64_t layer, FlowState const& state) {
  Int3 const shape = state.geometry().shape;
  Axis const u = all_axes[(index_of(axis) + 1) % 3];
  Axis const v = all_axes[(index_of(axis) + 2) % 3];
  LayerSums sums;
  Int3 at;
  at[axis] = layer;
  for (at[v] = 0; at[v] < shape[v]; ++at[v]) {
    for (at[u] = 0; at[u] < shape[u]; ++at[u]) {
      if (!state.geometry().is_pore(at)) continue;
      auto const node = node_fields<double>(state.nodes()[linear_index(shape, at)], {});
      ++sums.nodes;
      sums.density += node.density;
      sums.pressure += node.pressure;
    }
  }
  return sums;
}

FaceFigures figures_of_face(Case const& c, Case::Face face, double mass_rate,
                            FlowState const& state) {
  Axis const axis = axis_of(face);
  std::int64_t const last = state.geometry().shape[axis] - 1;
  bool const upper = is_upper(face);
  LayerSums const first = sums_of_layer(axis, upper ? last : 0, state);
  LayerSums const second =
      sums_of_layer(axis, std::clamp<std::int64_t>(upper ? last - 1 : 1, 0, last), state);
  // Where inertia is left out, what flows has the density at rest.
  bool const creeping = c.model.equilibrium == EquilibriumForm::linear;
  double const nodes = std::max(first.nodes + second.nodes, 1.0);
  double const density = creeping ? 1 : (first.density + second.density) / nodes;
  return {.face = face,
          .volume_rate = first.nodes + second.nodes == 0 ? 0 : mass_rate / density,
          .mass_rate = mass_rate,
          .mean_pressure = first.pressure / std::max(first.nodes, 1.0)};
}

}  // namespace

FlowFigures figures_of(Case const& c, FlowState const& state, std::span<double const> mass_rates) {
  FlowFigures figures;
  std::array<double, 3> velocity{};
  double nodes = 0;
  double shift = 0;
  double largest_square = 0;
  std::vector<std::uint8_t> const& pore = state.geometry().pore;
  for (std::size_t i = 0; i < pore.size(); ++i) {
    if (pore[i] == 0) continue;
    NodeState const& node = state.nodes()[i];
    double square = 0;
    for (std::size_t a = 0; a < 3; ++a) {
      auto const u = static_cast<double>(node.velocity[a]);
      velocity[a] += u;
      square += u * u;
    }
    ++nodes;
    shift += static_cast<double>(node.density_shift);
    largest_square = std::max(largest_square, square);
  }
  for (std::size_t a = 0; a < 3; ++a) {
    figures.mean_velocity[a] = velocity[a] / nodes;
    figures.superficial_velocity[a] = velocity[a] / static_cast<double>(pore.size());
  }
  figures.largest_speed = std::sqrt(largest_square);
  figures.mean_density = 1 + shift / nodes;
  figures.mass = nodes + shift;
  std::vector<Case::Face> const faces = open_faces(c);
  for (std::size_t i = 0; i < faces.size(); ++i)
    figures.faces.push_back(figures_of_face(c, faces[i], mass_rates[i], state));
  return figures;
}

FlowFigures in_units(FlowFigures figures, FieldUnits const& units) {
  double const area = units.spacing * units.spacing;
  for (double& u : figures.mean_velocity) u *= units.velocity;
  for (double& u : figures.superficial_velocity) u *= units.velocity;
  figures.largest_speed *= units.velocity;
  figures.mean_density *= units.density;
  figures.mass *= units.density * area * units.spacing;
  for (FaceFigures& face : figures.faces) {
    face.volume_rate *= units.velocity * area;
    face.mass_rate *= units.density * units.velocity * area;
    face.mean_pressure *= units.pressure;
  }
  return figures;
}

nlohmann::ordered_json to_json(FlowFigures const& figures) {
  Json faces = Json::object();
  for (FaceFigures const& face : figures.faces) {
    faces[std::string(name_of(face.face))] = {{"volume_rate", face.volume_rate},
                                              {"mass_rate", face.mass_rate},
                                              {"mean_pressure", face.mean_pressure}};
  }
  return {{"mean_velocity", figures.mean_velocity},
          {"superficial_velocity", figures.superficial_velocity},
          {"largest_speed", figures.largest_speed},
          {"mean_density", figures.mean_density},
          {"mass", figures.mass},
          {"faces", std::move(faces)}};
}

std::string describe(FlowFigures const& figures, bool si) {
  auto const& u = figures.mean_velocity;
  std::string text =
      fmt::format("mean velocity ({:.6g}, {:.6g}, {:.6g}), largest speed {:.6g}{}\n", u[0], u[1],
                  u[2], figures.largest_speed, si ? " m/s" : " in lattice units");
  for (FaceFigures const& face : figures.faces) {
    text += fmt::format("{}: flow rate {:.6g}{} {}, mean pressure {:.6g}{}\n", name_of(face.face),
                        std::abs(face.volume_rate), si ? " m3/s" : "",
                        face.volume_rate < 0 ? "out" : "in", face.mean_pressure, si ? " Pa" : "");
  }
  return text;
}

}  // namespace tessera

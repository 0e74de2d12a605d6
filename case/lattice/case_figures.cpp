// SPDX-License-Identifier: MIT
#include "case/lattice/case_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/exact_sum.hpp"
#include "base/ranks/rank_sums.hpp"
#include "base/ranks/ranks.hpp"
#include "case/lattice/face_flow.hpp"
#include "io/json.hpp"
#include "io/results/results_json.hpp"

namespace tessera {
namespace {

/// Sums over fluid nodes, those of one layer along an axis, for example.
struct NodeSums {
  double nodes = 0, density = 0, pressure = 0;
};

/// Collective: called by all ranks.
NodeSums sums_of_layer(Axis axis, std::int64_t layer, FlowState const& state) {
  ExactSums<NodeSums> sums;
  state.visit_rows(
      [&](Int3 first, std::span<std::uint8_t const> pore, std::span<NodeState const> nodes) {
        if (axis != Axis::x && first[axis] != layer) return;
        bool const across = axis == Axis::x;  // a row then has one node in the layer
        auto const begin = across ? static_cast<std::size_t>(layer) : 0;
        NodeSums of_row;
        for (std::size_t i = begin; i < (across ? begin + 1 : pore.size()); ++i) {
          if (pore[i] == 0) continue;
          auto const node = node_fields<double>(nodes[i], {});
          ++of_row.nodes;
          of_row.density += node.density;
          of_row.pressure += node.pressure;
        }
        sums.add(of_row);
      });
  add_up_over_ranks(sums.all());
  return sums.value();
}

FaceFigures figures_of_face(Case const& c, Case::Face face, double mass_rate,
                            FlowState const& state) {
  Axis const axis = axis_of(face);
  std::int64_t const last = state.geometry().shape[axis] - 1;
  bool const upper = is_upper(face);
  NodeSums const first = sums_of_layer(axis, upper ? last : 0, state);
  NodeSums const second =
      sums_of_layer(axis, std::clamp<std::int64_t>(upper ? last - 1 : 1, 0, last), state);
  // Without inertia the fluid that crosses the face has the density at rest.
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
  struct Sums {
    double velocity[3] = {};
    double nodes = 0;
    double shift = 0;
  };
  ExactSums<Sums> sums;
  double largest_square = 0;
  // A row is one rank's: within it terms may be rounded.
  state.visit_rows([&](Int3, std::span<std::uint8_t const> pore, std::span<NodeState const> nodes) {
    Sums of_row;
    for (std::size_t i = 0; i < pore.size(); ++i) {
      if (pore[i] == 0) continue;
      double square = 0;
      for (std::size_t a = 0; a < 3; ++a) {
        auto const u = static_cast<double>(nodes[i].velocity[a]);
        of_row.velocity[a] += u;
        square += u * u;
      }
      ++of_row.nodes;
      of_row.shift += static_cast<double>(nodes[i].density_shift);
      largest_square = std::max(largest_square, square);
    }
    sums.add(of_row);
  });
  add_up_over_ranks(sums.all());
  Ranks::maximum({&largest_square, 1});
  Sums const of_all = sums.value();
  FlowFigures figures;
  for (std::size_t a = 0; a < 3; ++a) {
    figures.mean_velocity[a] = of_all.velocity[a] / of_all.nodes;
    figures.superficial_velocity[a] =
        of_all.velocity[a] / static_cast<double>(volume(state.geometry().shape));
  }
  figures.largest_speed = std::sqrt(largest_square);
  figures.mean_density = 1 + of_all.shift / of_all.nodes;
  figures.mass = of_all.nodes + of_all.shift;
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
  figures.mass_given_back *= units.density * area * units.spacing;
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
          {"mass_given_back", figures.mass_given_back},
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

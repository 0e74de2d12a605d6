// SPDX-License-Identifier: MIT
#include "case/spectral/gas_probe.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "case/spectral/determinant.hpp"
#include "models/spectral/tensor.hpp"

namespace tessera {
namespace {

using spectral::Matrix;
using spectral::Point;

/// The map of an element, and its slopes, at one point.
struct Mapped {
  Point at;
  std::array<Point, 3> slope;
};

Mapped map_at(spectral::Mesh const& mesh, std::size_t e, std::array<double, 3> const& xi) {
  std::vector<double> const nodes = spectral::equal_points(mesh.map_degree);
  auto const dimension = static_cast<std::size_t>(mesh.dimension);
  std::array<Matrix, 3> value;
  std::array<Matrix, 3> slope;
  for (std::size_t a = 0; a < dimension; ++a) {
    value[a] = spectral::interpolation(std::span(&xi[a], 1), nodes);
    slope[a] = spectral::differentiation(std::span(&xi[a], 1), nodes);
  }
  std::span<Point const> const corners = mesh.nodes_of(e);
  std::vector<double> component(corners.size());
  Mapped mapped{{}, {Point{1, 0, 0}, Point{0, 1, 0}, Point{0, 0, 1}}};
  for (std::size_t a = 0; a < dimension; ++a) {
    for (std::size_t i = 0; i < corners.size(); ++i) component[i] = corners[i][a];
    std::vector<Matrix const*> along;
    along.reserve(dimension);
    for (std::size_t d = 0; d < dimension; ++d) along.push_back(&value[d]);
    mapped.at[a] = spectral::tensor_product(along, component)[0];
    for (std::size_t d = 0; d < dimension; ++d) {
      along[d] = &slope[d];
      mapped.slope[d][a] = spectral::tensor_product(along, component)[0];
      along[d] = &value[d];
    }
  }
  return mapped;
}

/// By Newton's method, from the middle; none if it is not in the element.
std::optional<std::array<double, 3>> place_in_element(spectral::Mesh const& mesh, std::size_t e,
                                                      Point const& at) {
  constexpr int most_rounds = 30;
  constexpr double near = 1e-12;
  constexpr double rounding = 1e-9;
  std::array<double, 3> xi{0.5, 0.5, mesh.dimension == 2 ? 0.0 : 0.5};
  for (int round = 0; round < most_rounds; ++round) {
    Mapped const here = map_at(mesh, e, xi);
    Point const miss{at[0] - here.at[0], at[1] - here.at[1],
                     mesh.dimension == 2 ? 0 : at[2] - here.at[2]};
    auto const& [a, b, c] = here.slope;
    double const whole = determinant(a, b, c);
    std::array<double, 3> const step{determinant(miss, b, c) / whole,
                                     determinant(a, miss, c) / whole,
                                     determinant(a, b, miss) / whole};
    double length = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      xi[i] = std::clamp(xi[i] + step[i], -1.0, 2.0);
      length = std::max(length, std::abs(step[i]));
    }
    if (!(length < near)) continue;
    bool const inside =
        std::ranges::all_of(xi, [](double x) { return x >= -rounding && x <= 1 + rounding; });
    if (!inside) return std::nullopt;
    for (double& x : xi) x = std::clamp(x, 0.0, 1.0);
    return xi;
  }
  return std::nullopt;
}

/// Whether it is near the nodes of an element at all.
bool may_hold(spectral::Mesh const& mesh, std::size_t e, Point const& at) {
  for (std::size_t a = 0; a < static_cast<std::size_t>(mesh.dimension); ++a) {
    double lower = std::numeric_limits<double>::infinity();
    double upper = -lower;
    for (Point const& node : mesh.nodes_of(e)) {
      lower = std::min(lower, node[a]);
      upper = std::max(upper, node[a]);
    }
    double const margin = 0.5 * (upper - lower);  // maps bulge beyond their nodes
    if (at[a] < lower - margin || at[a] > upper + margin) return false;
  }
  return true;
}

}  // namespace

std::optional<PlaceInMesh> find_place(spectral::Mesh const& mesh, Point const& at) {
  for (std::size_t e = 0; e < mesh.elements(); ++e) {
    if (!may_hold(mesh, e, at)) continue;
    if (auto const xi = place_in_element(mesh, e, at)) return PlaceInMesh{e, *xi};
  }
  return std::nullopt;
}

spectral::State<double> state_at(GasState const& state, PlaceInMesh const& place) {
  auto const one = [&](std::size_t a) { return std::span(&place.xi[a], 1); };
  return state.on_grid(place.element, {one(0), one(1), one(2)}).front();
}

}  // namespace tessera

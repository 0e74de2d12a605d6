// SPDX-License-Identifier: MIT
#include "models/spectral/geometry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/errors.hpp"

namespace tessera::spectral {
namespace {

using Field = std::vector<double>;

std::size_t index(int i) { return static_cast<std::size_t>(i); }

Field component(std::span<Point const> points, int a) {
  Field field;
  for (Point const& point : points) field.push_back(point[index(a)]);
  return field;
}

/// Each component of the map through a tensor product.
std::array<Field, 3> mapped(std::span<Point const> nodes, std::span<Matrix const* const> along) {
  std::array<Field, 3> result;
  for (int a = 0; a < 3; ++a) result[index(a)] = tensor_product(along, component(nodes, a));
  return result;
}

std::vector<Point> as_points(std::array<Field, 3> const& fields) {
  std::vector<Point> points;
  points.reserve(fields[0].size());
  for (std::size_t i = 0; i < fields[0].size(); ++i)
    points.push_back({fields[0][i], fields[1][i], fields[2][i]});
  return points;
}

/// `one` along each axis, but `other` along the given one.
std::vector<Matrix const*> along_axes(int dimension, Matrix const& one, int axis,
                                      Matrix const& other) {
  std::vector<Matrix const*> along(index(dimension), &one);
  along[index(axis)] = &other;
  return along;
}

Point cross(Point const& a, Point const& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

double dot(Point const& a, Point const& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/// S_d of tangents e[0..2]; in two dimensions e[2] is the unit vector of z.
Point area(std::array<Point, 3> const& e, int d) {
  return cross(e[index((d + 1) % 3)], e[index((d + 2) % 3)]);
}

/// From x fastest to the order of metrics: [flux point along d][component][line].
Field in_metric_order(std::array<Field, 3> const& fields, int dimension, int d, int points) {
  std::size_t const n = index(points);
  std::size_t const flux = n + 1;
  std::size_t const lines = dimension == 2 ? n : n * n;
  std::size_t const stride = d == 0 ? 1 : d == 1 ? n : n * n;
  Field ordered;
  for (std::size_t f = 0; f < flux; ++f) {
    for (int c = 0; c < dimension; ++c) {
      for (std::size_t line = 0; line < lines; ++line)
        ordered.push_back(
            fields[index(c)][line % stride + line / stride * stride * flux + f * stride]);
    }
  }
  return ordered;
}

}  // namespace

ElementMaps::ElementMaps(int dimension, int map_degree, int degree, int metric_degree)
    : dimension_(dimension),
      map_degree_(map_degree),
      degree_(degree),
      metric_degree_(metric_degree) {
  std::vector<double> const nodes = equal_points(map_degree);
  std::vector<double> const solution = solution_points(degree);
  std::vector<double> const flux = flux_points(degree);
  std::vector<double> const lobatto = lobatto_points(metric_degree + 2);
  to_solution_ = interpolation(solution, nodes);
  to_flux_ = interpolation(flux, nodes);
  to_lobatto_ = interpolation(lobatto, nodes);
  for (int end : {0, 1}) to_ends_[end] = interpolation(std::array{1.0 * end}, nodes);
  slope_at_solution_ = differentiation(solution, nodes);
  slope_at_flux_ = differentiation(flux, nodes);
  slope_at_lobatto_ = differentiation(lobatto, nodes);
  lobatto_to_solution_ = interpolation(solution, lobatto);
  lobatto_to_flux_ = interpolation(flux, lobatto);
  lobatto_slope_at_solution_ = differentiation(solution, lobatto);
}

std::vector<Point> ElementMaps::places(std::span<Point const> nodes) const {
  std::vector<Matrix const*> const along(index(dimension_), &to_solution_);
  return as_points(mapped(nodes, along));
}

std::vector<Point> ElementMaps::places_on_side(std::span<Point const> nodes, int side) const {
  return as_points(
      mapped(nodes, along_axes(dimension_, to_solution_, side / 2, to_ends_[side % 2])));
}

ElementGeometry ElementMaps::affine_geometry(std::span<Point const> nodes) const {
  int const k = map_degree_;
  std::array<Point, 3> e{Point{}, Point{}, Point{0, 0, 1}};
  double size = 0;
  int stride = 1;
  for (int a = 0; a < dimension_; ++a) {
    for (std::size_t c = 0; c < 3; ++c) {
      e[index(a)][c] = nodes[index(k * stride)][c] - nodes[0][c];
      size = std::max(size, std::abs(e[index(a)][c]));
    }
    stride *= k + 1;
  }
  ElementGeometry geometry;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    std::size_t const n = index(k) + 1;
    std::array<std::size_t, 3> const at{i % n, i / n % n, i / (n * n)};
    for (std::size_t c = 0; c < 3; ++c) {
      double place = nodes[0][c];
      for (std::size_t a = 0; a < index(dimension_); ++a)
        place += e[a][c] * static_cast<double>(at[a]) / k;
      if (std::abs(nodes[i][c] - place) > 1e-12 * size) return geometry;
    }
  }
  geometry.affine = true;
  geometry.jacobian = {dot(e[0], area(e, 0))};
  for (int d = 0; d < dimension_; ++d) {
    Point const s = area(e, d);
    geometry.metrics[index(d)].assign(s.begin(), s.begin() + dimension_);
  }
  return geometry;
}

std::array<Field, 3> ElementMaps::plane_metrics(std::span<Point const> nodes) const {
  bool const exact = map_degree_ <= metric_degree_ + 2;
  std::vector<Matrix const*> const to_lobatto(2, &to_lobatto_);
  std::array<Field, 3> const places =
      exact ? std::array{component(nodes, 0), component(nodes, 1), Field{}}
            : mapped(nodes, to_lobatto);
  std::array<Field, 3> metrics;
  for (int d : {0, 1}) {
    // The derivative along the other axis, at the flux points along d.
    std::vector<Matrix const*> along(2, exact ? &slope_at_solution_ : &lobatto_slope_at_solution_);
    along[index(d)] = exact ? &to_flux_ : &lobatto_to_flux_;
    std::array<Field, 3> slope;
    for (std::size_t a = 0; a < 2; ++a) slope[a] = tensor_product(along, places[a]);
    std::array<Field, 3> s{slope[1], slope[0], Field{}};
    for (double& value : s[d == 0 ? 1 : 0]) value = -value;
    metrics[index(d)] = in_metric_order(s, 2, d, degree_ + 1);
  }
  return metrics;
}

std::array<Field, 3> ElementMaps::space_metrics(std::span<Point const> nodes) const {
  std::vector<Matrix const*> const to_lobatto(3, &to_lobatto_);
  std::array<Field, 3> const x = mapped(nodes, to_lobatto);
  std::array<std::array<Field, 3>, 3> slope;  // [axis][component]
  for (int a = 0; a < 3; ++a)
    slope[index(a)] = mapped(nodes, along_axes(3, to_lobatto_, a, slope_at_lobatto_));
  std::array<Field, 3> metrics;
  std::array<std::array<Field, 3>, 3> s;  // [direction][component]
  for (int n = 0; n < 3; ++n) {
    std::size_t const m = index((n + 1) % 3);
    std::size_t const l = index((n + 2) % 3);
    std::array<Field, 3> potential;  // component n of it, along each axis
    for (std::size_t a = 0; a < 3; ++a) {
      for (std::size_t i = 0; i < x[0].size(); ++i)
        potential[a].push_back(0.5 * (x[m][i] * slope[a][l][i] - x[l][i] * slope[a][m][i]));
    }
    for (int d = 0; d < 3; ++d) {
      int const one = (d + 1) % 3;
      int const two = (d + 2) % 3;
      auto const slope_along = [&](int axis, Field const& of) {
        std::vector<Matrix const*> along(3, &lobatto_to_solution_);
        along[index(axis)] = &lobatto_slope_at_solution_;
        along[index(d)] = &lobatto_to_flux_;
        return tensor_product(along, of);
      };
      Field curl = slope_along(one, potential[index(two)]);
      Field const less = slope_along(two, potential[index(one)]);
      for (std::size_t i = 0; i < curl.size(); ++i) curl[i] -= less[i];
      s[index(d)][index(n)] = std::move(curl);
    }
  }
  for (int d = 0; d < 3; ++d) metrics[index(d)] = in_metric_order(s[index(d)], 3, d, degree_ + 1);
  return metrics;
}

std::vector<double> ElementMaps::jacobian(std::span<Point const> nodes) const {
  std::array<std::vector<Point>, 3> tangent;
  for (int a = 0; a < dimension_; ++a)
    tangent[index(a)] =
        as_points(mapped(nodes, along_axes(dimension_, to_solution_, a, slope_at_solution_)));
  std::vector<double> found;
  for (std::size_t i = 0; i < tangent[0].size(); ++i) {
    Point const third = dimension_ == 3 ? tangent[2][i] : Point{0, 0, 1};
    found.push_back(dot(tangent[0][i], cross(tangent[1][i], third)));
  }
  return found;
}

ElementGeometry ElementMaps::geometry(std::span<Point const> nodes, std::size_t element) const {
  ElementGeometry geometry = affine_geometry(nodes);
  if (!geometry.affine) {
    geometry.jacobian = jacobian(nodes);
    geometry.metrics = dimension_ == 2 ? plane_metrics(nodes) : space_metrics(nodes);
  }
  if (!(*std::ranges::min_element(geometry.jacobian) > 0)) {
    throw BadInput(fmt::format(
        "mesh: element {} near ({}, {}, {}) is turned inside out: its map has no positive Jacobian",
        element, nodes[0][0], nodes[0][1], nodes[0][2]));
  }
  return geometry;
}

std::vector<Point> map_points(int dimension, int map_degree, std::span<Point const> nodes,
                              std::span<double const> along_each_axis) {
  Matrix const m = interpolation(along_each_axis, equal_points(map_degree));
  std::vector<Matrix const*> const along(index(dimension), &m);
  return as_points(mapped(nodes, along));
}

}  // namespace tessera::spectral

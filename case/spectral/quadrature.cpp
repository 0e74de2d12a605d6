// SPDX-License-Identifier: MIT
#include "case/spectral/quadrature.hpp"

#include <array>
#include <span>

#include "case/spectral/determinant.hpp"

namespace tessera {
namespace {

using spectral::Matrix;
using spectral::Point;

/// Each component of the map, or of one of its slopes.
std::vector<Point> mapped(std::span<Point const> nodes, std::span<Matrix const* const> along) {
  std::vector<Point> found;
  std::vector<double> component(nodes.size());
  for (std::size_t a = 0; a < 3; ++a) {
    for (std::size_t i = 0; i < nodes.size(); ++i) component[i] = nodes[i][a];
    std::vector<double> const there = spectral::tensor_product(along, component);
    found.resize(there.size());
    for (std::size_t i = 0; i < there.size(); ++i) found[i][a] = there[i];
  }
  return found;
}

}  // namespace

Quadrature::Quadrature(spectral::Mesh const& mesh, int points)
    : mesh_(&mesh),
      points_(spectral::gauss_points(points)),
      weights_(spectral::gauss_weights(points)) {
  std::vector<double> const nodes = spectral::equal_points(mesh.map_degree);
  to_points_ = spectral::interpolation(points_, nodes);
  slope_ = spectral::differentiation(points_, nodes);
}

std::vector<Quadrature::Sample> Quadrature::samples(std::size_t element) const {
  auto const dimension = static_cast<std::size_t>(mesh_->dimension);
  std::span<Point const> const nodes = mesh_->nodes_of(element);
  std::vector<Matrix const*> along(dimension, &to_points_);
  std::vector<Point> const places = mapped(nodes, along);
  std::array<std::vector<Point>, 3> tangents;
  for (std::size_t d = 0; d < dimension; ++d) {
    along[d] = &slope_;
    tangents[d] = mapped(nodes, along);
    along[d] = &to_points_;
  }
  std::vector<Sample> samples(places.size());
  std::size_t const n = points_.size();
  for (std::size_t i = 0; i < samples.size(); ++i) {
    double weight = weights_[i % n] * weights_[i / n % n];
    if (dimension == 3) weight *= weights_[i / n / n];
    Point const third = dimension == 3 ? tangents[2][i] : Point{0, 0, 1};
    samples[i] = {places[i], weight * determinant(tangents[0][i], tangents[1][i], third)};
  }
  return samples;
}

}  // namespace tessera

// SPDX-License-Identifier: MIT
// The geometry of a mesh's elements, one by one, with the matrices that it takes for each degree.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "models/spectral/geometry.hpp"
#include "models/spectral/metric_degrees.hpp"
#include "partition/spectral/packs.hpp"

namespace tessera::spectral {

class ElementGeometries {
 public:
  explicit ElementGeometries(Mesh const& mesh)
      : mesh_(mesh), metric_degrees_(metric_degrees(mesh)) {}

  ElementMaps const& maps(int degree) { return maps(degree, degree); }
  ElementGeometry of(std::int32_t element) {
    auto const e = static_cast<std::size_t>(element);
    return maps(mesh_.degree[e], metric_degrees_[e]).geometry(mesh_.nodes_of(e), e);
  }

 private:
  ElementMaps const& maps(int degree, int metric_degree) {
    auto& made = made_[static_cast<std::size_t>(degree)][static_cast<std::size_t>(metric_degree)];
    if (!made) {
      made =
          std::make_unique<ElementMaps>(mesh_.dimension, mesh_.map_degree, degree, metric_degree);
    }
    return *made;
  }

  Mesh const& mesh_;
  std::vector<std::uint8_t> metric_degrees_;
  std::array<std::array<std::unique_ptr<ElementMaps>, most_degree + 1>, most_degree + 1>
      made_;  ///< by degree, and that of the metrics
};

/// Metrics of an element as a curved one has them.
inline double metric(ElementGeometry const& g, PackShape shape, int d, int f, int c, int line) {
  auto const& m = g.metrics[static_cast<std::size_t>(d)];
  if (g.affine) return m[static_cast<std::size_t>(c)];
  int const at = (f * shape.dimension + c) * shape.side_points() + line;
  return m[static_cast<std::size_t>(at)];
}

/// S_d of a side of an element at one of its points.
inline double side_area(ElementGeometry const& g, PackShape shape, int side, int c, int point) {
  return metric(g, shape, side / 2, side % 2 == 0 ? 0 : shape.degree + 1, c, point);
}

}  // namespace tessera::spectral

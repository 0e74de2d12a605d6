// SPDX-License-Identifier: MIT
// The geometry of a mesh's elements, one by one, with the matrices that it takes for each degree.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "spectral/geometry.hpp"
#include "spectral/packs.hpp"

namespace tessera::spectral {

class ElementGeometries {
 public:
  explicit ElementGeometries(Mesh const& mesh) : mesh_(mesh) {}

  ElementMaps const& maps(int degree) {
    auto& made = of_degree_[static_cast<std::size_t>(degree)];
    if (!made) made = std::make_unique<ElementMaps>(mesh_.dimension, mesh_.map_degree, degree);
    return *made;
  }
  ElementGeometry of(std::int32_t element) {
    auto const e = static_cast<std::size_t>(element);
    return maps(mesh_.degree[e]).geometry(mesh_.nodes_of(e), e);
  }

 private:
  Mesh const& mesh_;
  std::array<std::unique_ptr<ElementMaps>, most_degree + 1> of_degree_;
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

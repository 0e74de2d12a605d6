// SPDX-License-Identifier: MIT
// A surface of triangles that share their vertices.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "geometry/surface.hpp"

namespace tessera {

using Triangle = std::array<Vector3, 3>;

struct TriangleMesh {
  std::vector<Vector3> vertices;
  std::vector<std::array<std::uint32_t, 3>> triangles;
  /// Whether each edge is passed once in each direction, so that all triangles turn the same way
  /// around their outside.
  bool oriented = false;

  Triangle triangle(std::size_t index) const {
    auto const& corners = triangles[index];
    return {vertices[corners[0]], vertices[corners[1]], vertices[corners[2]]};
  }
  Bounds bounds() const;
};

/// Joins corners with equal coordinates, and leaves out triangles with two equal corners. Throws
/// BadInput, beginning with `name`, where no triangle is left, where an edge does not have exactly
/// two triangles, and for more than 2^30 triangles.
TriangleMesh closed_mesh(std::vector<Triangle> const& triangles, std::string const& name);

}  // namespace tessera

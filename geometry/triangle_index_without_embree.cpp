// SPDX-License-Identifier: MIT
// Stands in for triangle_index.cpp where there is no Embree.
#include "base/errors.hpp"
#include "geometry/triangle_index.hpp"

namespace tessera {

struct TriangleIndex::Scene {};

bool has_triangle_index() { return false; }

TriangleIndex::TriangleIndex(TriangleMesh const&) {
  throw EnvironmentError(
      "this build reads no STL: neither Embree 3 nor 4 was found when it was configured");
}

void TriangleIndex::find(Vector3, Vector3, std::vector<std::uint32_t>& found) const {
  found.clear();
}

}  // namespace tessera

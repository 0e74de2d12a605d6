// SPDX-License-Identifier: MIT
// Which triangles of a mesh a segment may meet: a bounding volume hierarchy, by Embree 3 (Wald et
// al., ACM Trans. Graph. 33 (2014) 143). For geometry/ alone.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "geometry/triangle_mesh.hpp"

namespace tessera {

/// Whether this build has Embree; without it a TriangleIndex throws EnvironmentError.
bool has_triangle_index();

class TriangleIndex {
 public:
  /// Builds the index, which does not keep the mesh. Throws EnvironmentError where Embree fails.
  explicit TriangleIndex(TriangleMesh const& mesh);

  /// Replaces `found` by the numbers of all triangles that the segment meets or comes near to, in
  /// no order. Embree computes in single precision, so the boxes are a little larger than the
  /// triangles: no triangle is missed, and the caller decides in double precision.
  void find(Vector3 from, Vector3 to, std::vector<std::uint32_t>& found) const;

 private:
  struct Scene;
  std::shared_ptr<Scene const> scene_;
};

}  // namespace tessera

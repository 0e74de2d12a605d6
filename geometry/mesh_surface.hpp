// SPDX-License-Identifier: MIT
// A closed surface of triangles as the surface of a solid.
#pragma once

#include <string>

#include "geometry/surface.hpp"
#include "geometry/triangle_mesh.hpp"

namespace tessera {

/// The surface of a mesh. A point is inside where the surface winds around it. If the mesh is not
/// oriented, a point is inside where a ray from it crosses the surface an odd number of times:
/// parts that overlap cancel there.
///
/// The test of a line against a triangle is done in two dimensions, across the line, from the edges
/// alone, and an edge gives both its triangles the same answer: no line passes between two
/// triangles or meets both of them, whatever the rounding. (Woop, Benthin, Wald, J. Comput. Graph.
/// Tech. 2 (2013) 65, do the same with the signs of areas.)
SurfacePointer mesh_surface(TriangleMesh mesh, std::string name);

}  // namespace tessera

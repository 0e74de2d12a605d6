// SPDX-License-Identifier: MIT
// Solids from STL files, binary or ASCII (3D Systems, StereoLithography Interface Specification,
// 1988).
#pragma once

#include <filesystem>
#include <vector>

#include "geometry/surface.hpp"
#include "geometry/triangle_mesh.hpp"

namespace tessera {

/// The triangles of a file in its own unit. The content decides between binary and ASCII, as many
/// binary files also begin with "solid". Normals, attributes and names are not used; several solids
/// in an ASCII file are read as one. Throws BadInput: missing, neither of the two formats,
/// truncated, bytes too many, no triangles, a coordinate that is not finite.
std::vector<Triangle> read_stl(std::filesystem::path const& path);

/// Where a file's coordinates lie in the box of voxels: `scale` * file + `translate`.
struct StlPlacement {
  double scale = 1;   ///< voxels for one unit of the file
  Vector3 translate;  ///< voxels
};

/// The solid that the triangles of a file enclose. Throws BadInput as read_stl(), and for a scale
/// that is not above 0, a surface that is not closed, and one larger than 10^6 voxels.
SurfacePointer stl_surface(std::filesystem::path const& path, StlPlacement const& placement);

}  // namespace tessera

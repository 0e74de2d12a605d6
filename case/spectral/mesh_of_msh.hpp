// SPDX-License-Identifier: MIT
// A mesh of elements from a mesh of Gmsh.
#pragma once

#include <functional>
#include <string>

#include "io/meshes/msh.hpp"
#include "models/spectral/mesh.hpp"

namespace tessera {

/// Converts a mesh. `degree`: of the element around a point. The groups of sides become boundaries,
/// except for groups that lie inside or are periodic. Throws BadInput "FILE: ..." if a side is in
/// no group.
spectral::Mesh mesh_of(MshMesh const& msh,
                       std::function<int(spectral::Point const& middle)> const& degree,
                       std::string const& file);

}  // namespace tessera

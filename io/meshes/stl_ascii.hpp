// SPDX-License-Identifier: MIT
// The ASCII form of STL. Not for use outside io/.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "geometry/triangle_mesh.hpp"

namespace tessera {

/// The triangles of one or more "solid ... endsolid". Throws BadInput "NAME: ...".
std::vector<Triangle> parse_ascii_stl(std::string_view text, std::string const& name);

}  // namespace tessera

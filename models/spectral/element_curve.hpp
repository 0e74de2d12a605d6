// SPDX-License-Identifier: MIT
// A curve through the elements of a mesh, on which neighbours are near each other.
#pragma once

#include <cstdint>
#include <vector>

#include "models/spectral/mesh.hpp"

namespace tessera::spectral {

/// The elements along a Z-order curve through places that follow from their neighbours, not from
/// their coordinates: from an element through opposite sides to the next, however the mesh is bent,
/// graded or turned. So eight successive elements make a cube in any box of cells. Where such a row
/// would return to an occupied place, as around an edge where three or five elements meet, another
/// patch begins, with a curve of its own.
std::vector<std::int32_t> along_curve(Mesh const& mesh);

}  // namespace tessera::spectral

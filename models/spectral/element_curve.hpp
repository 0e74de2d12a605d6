// SPDX-License-Identifier: MIT
// A curve through the elements of a mesh, on which neighbours are near each other.
#pragma once

#include <cstdint>
#include <vector>

#include "models/spectral/mesh.hpp"

namespace tessera::spectral {

/// The elements along a Z-order curve through places that they take by their neighbours, not by
/// their coordinates: from element to opposite side to element, however the mesh is bent, graded or
/// turned. So eight of them, one after the other, make a cube of any box of cells. Where such rows
/// would come back to a place that is taken, as around an edge where three or five elements meet,
/// another patch begins, with a curve of its own.
std::vector<std::int32_t> along_curve(Mesh const& mesh);

}  // namespace tessera::spectral

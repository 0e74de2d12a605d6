// SPDX-License-Identifier: MIT
// A mesh of equal cells in a box, which a function may bend.
#pragma once

#include <array>
#include <cstdint>
#include <functional>

#include "models/spectral/mesh.hpp"

namespace tessera::spectral {

struct BoxMesh {
  int dimension = 2;
  std::array<std::int32_t, 3> cells{1, 1, 1};  ///< in two dimensions the third is 1
  Point origin{};
  Point size{1, 1, 1};
  std::array<bool, 3> periodic{true, true, true};
  int map_degree = 1;
  std::function<Point(Point const&)> bend;         ///< where a point of the box goes; none: stays
  std::function<int(Point const& middle)> degree;  ///< of the cell around a point of the unbent box
  /// By how many quarter turns and flips an element's own axes differ from the box's: a number from
  /// 0 to turns_of_element() - 1. None: all agree. For tests: results do not depend on it.
  std::function<int(std::int32_t cell)> turn;
};

/// Right-handed ways to put the axes of an element: 4 or 24.
int turns_of_element(int dimension);

/// Makes the mesh. Cells are numbered x fastest. Sides that are not periodic are the boundaries
/// "x-", "x+", "y-" and so on, in this order. Throws BadInput for invalid counts, sizes and
/// degrees.
Mesh make_mesh(BoxMesh const& box);

}  // namespace tessera::spectral

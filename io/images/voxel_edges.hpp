// SPDX-License-Identifier: MIT
// The size of a voxel as files say it, each format in its own unit. Not for use outside io/.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "io/images/image.hpp"

namespace tessera {

/// What a file says of the edges of its voxels, along its axes, fastest first.
struct SaidEdges {
  std::array<double, 3> values{1, 1, 1};
  std::string_view where;        ///< "ElementSpacing", for messages
  std::optional<double> unit_m;  ///< if the file says one
  /// What the format means where its files say none. Programs do not keep to it.
  double usual_unit_m = 1;
  std::string unknown_unit;  ///< that the file says

  /// Notes the unit of all, as the file spells it; "pixel" and the like say nothing.
  void note_unit(std::string_view text);
  /// Of the value along one axis; what was noted before is the unit of the others.
  void note_unit(std::size_t axis, std::string_view text);
};

/// Notes them with the image: as its `edges`, or why not as its `doubtful_edges`. A spacing of 1
/// without a unit says nothing; another one is believed if that makes it an edge of 1 nm to 0.1 mm.
/// A unit that is not known is none to rely on.
void note_edges(Image& image, SaidEdges const& said);

}  // namespace tessera

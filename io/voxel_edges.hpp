// SPDX-License-Identifier: MIT
// The size of a voxel as files say it, each format in its own unit. Not for use outside io/.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "io/image.hpp"

namespace tessera {

/// Metres of a unit of length as image formats spell it: "um", "micron", "\u00b5m", "millimeter".
std::optional<double> metres_of_unit(std::string_view text);

/// What a file says of the edges of its voxels, along its axes, fastest first.
struct SaidEdges {
  std::array<double, 3> values{1, 1, 1};
  std::string_view where;        ///< "ElementSpacing", for messages
  std::optional<double> unit_m;  ///< if the file says one
  /// What the format means where its files say none. Programs do not keep to it.
  double usual_unit_m = 1;
};

/// Notes them with the image: as its `edges`, or why not as its `doubtful_edges`. A spacing of 1
/// without a unit says nothing; another one is believed if that makes it an edge of 1 nm to 0.1 mm.
void note_edges(Image& image, SaidEdges const& said);

}  // namespace tessera

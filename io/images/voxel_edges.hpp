// SPDX-License-Identifier: MIT
// The size of a voxel as given in files, each format in its own unit. Not for use outside io/.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "io/images/image.hpp"

namespace tessera {

/// The edges of voxels as given in a file, along its axes, fastest first.
struct SaidEdges {
  std::array<double, 3> values{1, 1, 1};
  std::string_view where;        ///< "ElementSpacing", for messages
  std::optional<double> unit_m;  ///< if the file gives one
  /// The format's unit where a file gives none. Programs do not keep to it.
  double usual_unit_m = 1;
  std::string unknown_unit;  ///< as in the file

  /// Notes the unit of all edges, as the file spells it; "pixel" and the like are ignored.
  void note_unit(std::string_view text);
  /// Notes the unit of the value along one axis; the unit that was noted before is the unit of the
  /// others.
  void note_unit(std::size_t axis, std::string_view text);
};

/// Notes the edges in the image: as its `edges`, or the reason against that as its
/// `doubtful_edges`. A spacing of 1 without a unit is ignored; another spacing is accepted if it
/// gives an edge of 1 nm to 0.1 mm. An unknown unit makes the edges doubtful.
void note_edges(Image& image, SaidEdges const& said);

}  // namespace tessera

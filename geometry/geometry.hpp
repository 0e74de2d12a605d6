// SPDX-License-Identifier: MIT
// The geometry of a run: which voxels of a box are pore, and which axes wrap around.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "base/box.hpp"

namespace tessera {

struct Geometry {
  Int3 shape;
  /// volume(shape) values, x fastest: 1 = pore, 0 = solid; 2, 3 and so on = grey voxels of several
  /// kinds, where somebody asks for such: pore for all that does not know of them.
  std::vector<std::uint8_t> pore;
  std::array<bool, 3> periodic{};  ///< per axis: wraps around; otherwise the outside is solid
  std::int64_t outside = 0;        ///< solid voxels beyond the sample, a core in its box
  /// What voxels of grey kinds let through: their permeability in voxels squared, or conductivity;
  /// of kind 2, then 3 and so on.
  std::vector<double> of_grey{};

  bool is_pore(Int3 at) const { return pore[linear_index(shape, at)] != 0; }
  std::int64_t pore_voxels() const;
  std::int64_t sample_voxels() const { return volume(shape) - outside; }
  /// Pore voxels over those of the sample.
  double porosity() const {
    return static_cast<double>(pore_voxels()) / static_cast<double>(sample_voxels());
  }
  /// porosity() without grey voxels.
  double open_porosity() const {
    return static_cast<double>(std::ranges::count(pore, std::uint8_t{1})) /
           static_cast<double>(sample_voxels());
  }
};

}  // namespace tessera

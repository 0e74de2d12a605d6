// SPDX-License-Identifier: MIT
// The memory layout of the populations of a box of another program's lattice.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/host_device.hpp"

namespace tessera {

/// A box with its outermost layer, the margin, which the other program computes. Each velocity has
/// one array, x fastest; along z it is cut into slabs of equal height, each a datum of its own, so
/// that several cores compute a box. Rows begin so that the first computed cell is aligned.
struct BoxShape {
  static constexpr std::int32_t aligned = 16;  ///< populations
  static constexpr int most_slabs = 32;

  std::int32_t size[3];  ///< cells along x, y, z
  std::int32_t
      margin[3];        ///< layers at either end that are not computed: 1, or 0 along z of a plane
  std::int32_t planes;  ///< of a slab
  std::int32_t slabs;

  TESSERA_HOST_DEVICE constexpr std::int64_t pitch() const {
    return (std::int64_t{size[0]} + aligned - 1) / aligned * aligned;
  }
  TESSERA_HOST_DEVICE constexpr std::int64_t plane() const { return pitch() * size[1]; }
  /// Distance from the first population of a velocity to the first one of the next; vectors may
  /// read before the first cell of a row and behind the last one.
  TESSERA_HOST_DEVICE constexpr std::int64_t stride() const {
    return plane() * planes + std::int64_t{2} * aligned;
  }
  constexpr std::size_t populations_of_slab(int velocities) const {
    return static_cast<std::size_t>(stride()) * static_cast<std::size_t>(velocities);
  }
  /// Number of computed cells along an axis.
  constexpr std::int64_t computed(int axis) const { return size[axis] - 2 * margin[axis]; }
};

/// The slabs of a box in a memory; slabs that a task does not use are null.
template <class Real>
struct BoxView {
  BoxShape shape;
  Real* slabs[BoxShape::most_slabs];

  /// Population q of cell (0, y, z); population q of the row's other cells follows.
  TESSERA_HOST_DEVICE Real* row(int q, std::int32_t y, std::int32_t z) const {
    std::int32_t const slab = shape.slabs == 1 ? 0 : z / shape.planes;
    return slabs[slab] + q * shape.stride() + (z - slab * shape.planes) * shape.plane() +
           y * shape.pitch() + (BoxShape::aligned - 1);
  }
};

}  // namespace tessera

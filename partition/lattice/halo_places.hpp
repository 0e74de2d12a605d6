// SPDX-License-Identifier: MIT
// Where the populations of a tile's halo stand, behind those of its own nodes.
//
// Of a row of foreign nodes only the populations that enter the tile are needed, five of nineteen
// at a face. They stand as those of own nodes do, one a stride behind the other, but that stride is
// short, and what lies between them is given to other rows.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "partition/lattice/block_shape.hpp"

namespace tessera {

/// From one population of a halo row to the next: room for a row.
inline constexpr std::uint32_t halo_stride = row_voxels;

/// Hands out places, row by row; rows of the same directions that come one after the other mostly
/// stand side by side. Where those of many directions come first, two thirds of the places are
/// used.
class HaloPlaces {
 public:
  /// Where population 0 of a row of 1 to row_voxels nodes would stand, of which `directions` (bit
  /// q, none 0) have a place: population q stands q strides behind it. Counted from the begin of
  /// the halo less one stride, as there is no population 0.
  std::uint32_t add(std::uint32_t directions, std::uint32_t nodes);

  /// All places are before this one, counted from the begin of the halo.
  std::uint32_t values() const { return values_; }

 private:
  /// Of the stretch of a stride from place halo_stride k on, the places that are taken.
  std::vector<std::uint32_t> taken_;
  /// For directions and lengths, where the row before was put: there was no room farther in front.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> last_;
  std::uint32_t values_ = 0;
};

}  // namespace tessera

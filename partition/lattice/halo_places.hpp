// SPDX-License-Identifier: MIT
// Where the populations of a tile's halo stand, behind those of its own nodes.
//
// Only the populations that enter the tile are needed of a row of foreign nodes, five of nineteen
// at a face. Like populations of own nodes they follow each other at a stride, but this stride is
// short, and other rows fill the places between them.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "partition/lattice/block_shape.hpp"

namespace tessera {

/// Distance from one population of a halo row to the next: room for a row.
inline constexpr std::uint32_t halo_stride = row_voxels;

/// Assigns places, row by row; successive rows of the same directions mostly stand side by side.
/// Where rows of many directions come first, two thirds of the places are used.
class HaloPlaces {
 public:
  /// Where population 0 of a row of 1 to row_voxels nodes would stand, of which `directions` (bit
  /// q, none 0) have a place: population q stands q strides behind it. Counted from the begin of
  /// the halo less one stride, as there is no population 0.
  std::uint32_t add(std::uint32_t directions, std::uint32_t nodes);

  /// All places are before this one, counted from the begin of the halo.
  std::uint32_t values() const { return values_; }

 private:
  /// Places that are taken, as bits: entry k is for the halo_stride places from halo_stride k on.
  std::vector<std::uint32_t> taken_;
  /// Where the last row of these directions and this length was put: there was no room farther in
  /// front.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> last_;
  std::uint32_t values_ = 0;
};

}  // namespace tessera

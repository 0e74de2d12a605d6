// SPDX-License-Identifier: MIT
// Which rank has each brick of a box, and the exchange of values from layers to bricks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/box.hpp"
#include "geometry/layer_range.hpp"
#include "io/fields/bricks.hpp"

namespace tessera {

class BrickOwners {
 public:
  explicit BrickOwners(Int3 shape);

  struct Place {
    int rank;
    std::size_t voxel;  ///< among the voxels of that rank's bricks (run/fields/whole_fields.hpp)
  };
  Place place_of(Int3 voxel) const;

 private:
  Bricks bricks_;
  std::vector<int> rank_of_brick_;
  std::vector<std::int64_t> voxels_before_;  ///< by rank
};

/// All ranks: sends values of so many bytes a voxel, of the own layers of a box, x fastest, to the
/// ranks that have their bricks. `in_bricks`: receives the values of the own bricks.
void layers_to_bricks(Int3 shape, LayerRange layers, std::size_t voxel_bytes,
                      std::span<std::byte const> in_layers, std::span<std::byte> in_bricks);

}  // namespace tessera

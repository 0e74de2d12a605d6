// SPDX-License-Identifier: MIT
// Whose each brick of a box is, and how values come there from layers.
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
    std::size_t voxel;  ///< among those of the bricks of that rank (run/fields/whole_fields.hpp)
  };
  Place place_of(Int3 voxel) const;

 private:
  Bricks bricks_;
  std::vector<int> rank_of_brick_;
  std::vector<std::int64_t> voxels_before_;  ///< by rank
};

/// All ranks: values of so many bytes a voxel, of the own layers of a box, x fastest, go to those
/// who have their bricks. `in_bricks`: of the own bricks, which are filled.
void layers_to_bricks(Int3 shape, LayerRange layers, std::size_t voxel_bytes,
                      std::span<std::byte const> in_layers, std::span<std::byte> in_bricks);

}  // namespace tessera

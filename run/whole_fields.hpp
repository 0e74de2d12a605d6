// SPDX-License-Identifier: MIT
// Fields whose bricks lie spread over the processes, put together on the first one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "geometry/layer_range.hpp"
#include "io/bricks.hpp"
#include "io/field.hpp"
#include "lattice/box.hpp"
#include "machine/thread_team.hpp"

namespace tessera {

/// Those of this rank, one behind the other.
LayerRange own_bricks(Bricks const& bricks);

/// How many voxels are in them.
std::size_t own_voxels(Bricks const& bricks);
/// Calls visit(place, voxel) for each: its place among those of this rank, and among those of all,
/// x fastest. From several threads.
template <class Visit>
void visit_own_voxels(Int3 shape, Visit const& visit) {
  Bricks const bricks(shape);
  LayerRange const own = own_bricks(bricks);
  in_parallel(own.count(), [&](std::int64_t b) {
    std::int64_t const brick = own.lower + b;
    auto place =
        static_cast<std::size_t>(bricks.voxels_before(brick) - bricks.voxels_before(own.lower));
    Int3 const size = bricks.extents(brick);
    for (std::int64_t z = 0; z < size.z; ++z) {
      for (std::int64_t y = 0; y < size.y; ++y) {
        std::size_t const row = linear_index(shape, bricks.lower(brick) + Int3{0, y, z});
        for (std::size_t i = row; i < row + static_cast<std::size_t>(size.x); ++i)
          visit(place++, i);
      }
    }
  });
}

class WholeFields {
 public:
  /// Of fields whose values are those of the own bricks, in their order (io/bricks.hpp).
  WholeFields(Int3 shape, std::span<Field const> own);

  /// All: puts one together. Throws std::bad_alloc on the first rank, when all are through.
  void gather(std::size_t field);
  /// On the first rank those that have been put together; the others have their own values.
  std::span<Field const> fields() const { return fields_; }

 private:
  Int3 shape_;
  Bricks bricks_;
  std::vector<Field> fields_;
  std::vector<std::vector<std::byte>> values_;  ///< by field
};

}  // namespace tessera

// SPDX-License-Identifier: MIT
// Fields whose bricks lie spread over the processes, put together on the first one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/box.hpp"
#include "geometry/layer_range.hpp"
#include "io/fields/bricks.hpp"
#include "io/fields/field.hpp"

namespace tessera {

/// Those of this rank, one behind the other.
LayerRange own_bricks(Bricks const& bricks);

/// How many voxels are in them.
std::size_t own_voxels(Bricks const& bricks);

class WholeFields {
 public:
  /// The values of each of `own` are those of this rank's bricks, in their order
  /// (io/fields/bricks.hpp).
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

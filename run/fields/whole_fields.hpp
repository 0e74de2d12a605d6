// SPDX-License-Identifier: MIT
// Fields whose bricks are distributed over the processes, gathered on rank 0.
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

/// The bricks of this rank, which are consecutive.
LayerRange own_bricks(Bricks const& bricks);

/// Number of voxels in the bricks of this rank.
std::size_t own_voxels(Bricks const& bricks);

class WholeFields {
 public:
  /// `own`: fields with the values of this rank's bricks, in their order (io/fields/bricks.hpp).
  WholeFields(Int3 shape, std::span<Field const> own);

  /// All ranks: gathers one field on rank 0. Throws std::bad_alloc there, when all ranks are done.
  void gather(std::size_t field);
  /// The gathered fields on rank 0; fields of the own values on other ranks.
  std::span<Field const> fields() const { return fields_; }

 private:
  Int3 shape_;
  Bricks bricks_;
  std::vector<Field> fields_;
  std::vector<std::vector<std::byte>> values_;  ///< by field
};

}  // namespace tessera

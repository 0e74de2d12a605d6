// SPDX-License-Identifier: MIT
#include "run/spread/numbers.hpp"

#include <utility>

#include "base/ranks/all_gather.hpp"

namespace tessera {

VoxelNumbers numbers_of_all(SpreadGeometry const& geometry, std::span<std::uint8_t const> own) {
  VoxelNumbers::Packed packed = VoxelNumbers::pack(geometry.own.shape, own);
  if (!geometry.everywhere) {
    // Rank by rank they are in the order of the whole.
    packed.bits = all_gather(std::move(packed.bits));
    packed.bytes = all_gather(std::move(packed.bytes));
  }
  return {geometry.shape, std::move(packed)};
}

}  // namespace tessera

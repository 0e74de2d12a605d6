// SPDX-License-Identifier: MIT
// Which layers of an image, or bricks of a box, each process writes or shows: equal numbers, or one
// more for some.
#pragma once

#include <cstdint>

#include "geometry/layer_range.hpp"

namespace tessera {

constexpr LayerRange even_part(int rank, int ranks, std::int64_t count) {
  return {count * rank / ranks, count * (rank + 1) / ranks};
}

}  // namespace tessera

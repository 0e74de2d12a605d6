// SPDX-License-Identifier: MIT
// Which layers of the image each process writes or shows: as many for each as for the others, or
// one more.
#pragma once

#include <cstdint>

#include "geometry/layer_range.hpp"

namespace tessera {

constexpr LayerRange even_layers(int rank, int ranks, std::int64_t layers) {
  return {layers * rank / ranks, layers * (rank + 1) / ranks};
}

}  // namespace tessera

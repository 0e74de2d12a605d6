// SPDX-License-Identifier: MIT
// How sums over nodes are added up, so that cores and GPUs, and any number of threads, give the
// same bits: 256 terms as a tree in each chunk, then the chunks in 256 strands, then these as a
// tree.
#pragma once

#include <cstdint>

#include "base/host_device.hpp"

namespace tessera::steady {

/// Nodes of a chunk: a block of threads on a GPU.
inline constexpr int chunk_size = 256;

/// V sums that are taken together.
template <int V>
struct Sums {
  double of[V];
};

/// Stores the sum of each group.
struct KeepSums {
  double* to = nullptr;
  int first = 0;
  TESSERA_HOST_DEVICE void operator()(std::int64_t group, Sums<1> const& sums) const {
    to[first + group] = sums.of[0];
  }
};

/// Chunks first to last - 1.
struct ChunkRange {
  std::int64_t first;
  std::int64_t last;
};

/// Adds 256 terms in place, as the threads of a block do: the sum is terms[0].
inline double tree_sum(double* terms) {
  for (int half = chunk_size / 2; half > 0; half /= 2) {
    for (int t = 0; t < half; ++t) terms[t] += terms[t + half];
  }
  return terms[0];
}

}  // namespace tessera::steady

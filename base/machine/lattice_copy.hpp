// SPDX-License-Identifier: MIT
// Upper limit of the speed of a bandwidth-bound step: copying nineteen arrays as fast as this
// machine can.
#pragma once

#include <cstddef>
#include <vector>

#include "base/machine/aligned_array.hpp"

namespace tessera {

/// Nineteen arrays of `nodes` floats, and nineteen more to copy them to.
class LatticeCopy {
 public:
  LatticeCopy(std::size_t nodes, unsigned threads);
  /// Copies once with all threads and non-temporal stores; returns GB/s, read and written.
  double run();

 private:
  std::size_t pitch_;
  unsigned threads_;
  AlignedArray<float> from_;
  AlignedArray<float> to_;
};

}  // namespace tessera

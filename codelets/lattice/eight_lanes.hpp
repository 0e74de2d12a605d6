// SPDX-License-Identifier: MIT
// Sums of a block are taken in eight lanes, whatever the processor has, so they are the same on all
// processors.
#pragma once

namespace tessera {

using EightLanes [[gnu::vector_size(8 * sizeof(double))]] = double;

/// Sum of the lanes, added pairwise.
inline double add_lanes(EightLanes const& l) {
  return ((l[0] + l[1]) + (l[2] + l[3])) + ((l[4] + l[5]) + (l[6] + l[7]));
}

}  // namespace tessera

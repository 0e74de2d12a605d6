// SPDX-License-Identifier: MIT
// The middle of repeated measurements.
#pragma once

#include <algorithm>
#include <vector>

namespace tessera {

/// Of one value at least.
inline double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

}  // namespace tessera

// SPDX-License-Identifier: MIT
// The median of repeated measurements.
#pragma once

#include <algorithm>
#include <vector>

namespace tessera {

/// The median of the values; there must be at least one.
inline double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

}  // namespace tessera

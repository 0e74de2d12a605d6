// SPDX-License-Identifier: MIT
// LayerRange of a box along z, one behind the other.
#pragma once

#include <cstdint>

namespace tessera {

/// From `lower` up to, not including, `upper`.
struct LayerRange {
  std::int64_t lower = 0;
  std::int64_t upper = 0;

  std::int64_t count() const { return upper - lower; }
  bool operator==(LayerRange const&) const = default;
};

}  // namespace tessera

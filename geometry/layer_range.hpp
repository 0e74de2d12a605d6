// SPDX-License-Identifier: MIT
// A range of layers of a box along z.
#pragma once

#include <cstdint>

namespace tessera {

/// The layers from `lower` up to, not including, `upper`.
struct LayerRange {
  std::int64_t lower = 0;
  std::int64_t upper = 0;

  std::int64_t count() const { return upper - lower; }
  bool operator==(LayerRange const&) const = default;
};

}  // namespace tessera

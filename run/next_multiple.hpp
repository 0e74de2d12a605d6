// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>

namespace tessera {

/// The step of what does not happen.
inline constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

/// The first multiple of `every` after a step: when what happens every so many steps comes next.
constexpr std::int64_t next_multiple(std::int64_t every, std::int64_t step) {
  return (step / every + 1) * every;
}

}  // namespace tessera

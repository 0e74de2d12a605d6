// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>

namespace tessera {

/// The step of an event that does not happen.
inline constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

/// The first multiple of `every` after a step: the next step of an event that happens every so many
/// steps.
constexpr std::int64_t next_multiple(std::int64_t every, std::int64_t step) {
  return (step / every + 1) * every;
}

}  // namespace tessera

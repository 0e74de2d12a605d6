// SPDX-License-Identifier: MIT
// The memory traffic of a time step, which speeds are compared with.
#pragma once

#include <cstdint>

#include "base/storage.hpp"
#include "models/lattice/d3q19.hpp"

namespace tessera {

/// Bytes that the update of a node has to read and write: each population once.
constexpr std::int64_t step_bytes(int velocities, Precision precision) {
  return std::int64_t{2} * velocities * static_cast<std::int64_t>(bytes_of(precision));
}
/// The step that the work of other solvers is compared with.
inline constexpr std::int64_t usual_step_bytes =
    step_bytes(D3Q19::size, Precision::single_precision);

}  // namespace tessera

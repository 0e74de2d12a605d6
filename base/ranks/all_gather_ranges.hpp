// SPDX-License-Identifier: MIT
// All-gather of arrays of which each rank has a range.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace tessera {

/// Collective. Rank r has the values [bounds[r], bounds[r + 1]) of the array that begins at
/// `values`, or of several arrays, one behind the other, of bounds.back() values each; afterwards
/// every rank has all of them. `bounds` is the same on all ranks.
void all_gather_bytes(std::byte* values, std::size_t value_bytes,
                      std::span<std::int64_t const> bounds, int arrays);
template <class T>
void all_gather_ranges(T* values, std::span<std::int64_t const> bounds, int arrays = 1) {
  all_gather_bytes(reinterpret_cast<std::byte*>(values), sizeof(T), bounds, arrays);
}

}  // namespace tessera

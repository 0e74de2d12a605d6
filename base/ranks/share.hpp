// SPDX-License-Identifier: MIT
// Arrays of which each rank has a range, until all have all of it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/ranks/ranks.hpp"

namespace tessera {

/// All ranks: rank r has the values [bounds[r], bounds[r + 1]) of the array that begins here, or of
/// several arrays, one behind the other, of bounds.back() values each. `bounds` is the same for
/// all.
void share_bytes(std::byte* values, std::size_t value_bytes, std::span<std::int64_t const> bounds,
                 int arrays);
template <class T>
void share(T* values, std::span<std::int64_t const> bounds, int arrays = 1) {
  share_bytes(reinterpret_cast<std::byte*>(values), sizeof(T), bounds, arrays);
}

/// All ranks: the values of all of them, in the order of ranks.
template <class T>
std::vector<T> values_of_all(std::vector<T> const& own) {
  std::vector<std::int64_t> bounds{0};
  for (std::int64_t const count : Ranks::all_numbers(static_cast<std::int64_t>(own.size())))
    bounds.push_back(bounds.back() + count);
  std::vector<T> all(static_cast<std::size_t>(bounds.back()));
  std::ranges::copy(own, all.begin() + bounds[static_cast<std::size_t>(Ranks::number())]);
  share(all.data(), bounds);
  return all;
}

}  // namespace tessera

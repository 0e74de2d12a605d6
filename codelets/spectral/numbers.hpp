// SPDX-License-Identifier: MIT
// What a gas is computed in, where it is known at run time only.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tessera::spectral {

enum class Numbers : std::uint8_t { float64, float32 };

constexpr std::size_t bytes_of(Numbers numbers) { return numbers == Numbers::float64 ? 8 : 4; }

/// Calls f.template operator()<N>() with double or float.
template <class Function>
decltype(auto) with_numbers(Numbers numbers, Function&& f) {
  if (numbers == Numbers::float64) return f.template operator()<double>();
  return f.template operator()<float>();
}

}  // namespace tessera::spectral

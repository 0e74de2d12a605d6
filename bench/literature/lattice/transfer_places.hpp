// SPDX-License-Identifier: MIT
// Where the elements of nineteen arrays stand that are read and written beside their aligned
// places.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/host_device.hpp"
#include "models/lattice/d3q19.hpp"

namespace tessera {

/// How far an access lies off the aligned place, in elements along x: nowhere; by one in all
/// arrays; or as far as the populations of D3Q19 travel, 10 of which do.
enum class Shift : std::uint8_t { none, one, lattice };

TESSERA_HOST_DEVICE constexpr int offset_of(Shift shift, int array) {
  return shift == Shift::none ? 0 : (shift == Shift::one ? 1 : D3Q19::x(array));
}

/// Nineteen arrays in one allocation, each aligned, with room for the shifts between them.
struct TransferPlaces {
  static constexpr std::size_t room = 64;  ///< elements: whole cache lines

  explicit constexpr TransferPlaces(std::size_t nodes)
      : pitch((nodes + room - 1) / room * room + room) {}

  /// Elements to allocate.
  constexpr std::size_t size() const { return room + D3Q19::size * pitch; }
  /// Element k of an array; k from -1 to the number of nodes.
  TESSERA_HOST_DEVICE constexpr std::size_t at(int array, std::int64_t k) const {
    return room + static_cast<std::size_t>(array) * pitch + static_cast<std::size_t>(k);
  }

  std::size_t pitch;
};

/// What element i of the source holds: its neighbours and the other arrays hold something else.
template <class T>
TESSERA_HOST_DEVICE constexpr T transfer_pattern(std::size_t i) {
  auto const mixed = static_cast<std::uint32_t>(i + (i >> 13)) * 2654435761U;
  return static_cast<T>(mixed >> 16);
}

}  // namespace tessera

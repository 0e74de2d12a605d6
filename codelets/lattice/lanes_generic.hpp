// SPDX-License-Identifier: MIT
// Vectors of 16 bytes in plain C++.
#pragma once

#include <cstdint>

#include "base/storage.hpp"

namespace tessera::generic {

template <class StorageType>
struct PlainLanes {
  using Storage = StorageType;
  using Real = Arithmetic<Storage>;
  using Vector [[gnu::vector_size(16)]] = Real;
  static constexpr std::uint32_t count = 16 / sizeof(Real);
  static constexpr std::uint32_t pulled_together = count;
  static constexpr bool fetches_runs = false;
  struct Stored {
    Storage value[count];
  };

  static Stored read(Storage const* p) { return *reinterpret_cast<Stored const*>(p); }
  static Stored merge(Stored s, std::uint32_t mask, Storage const* p) {
    for (std::uint32_t i = 0; i < count; ++i) {
      if ((mask >> i & 1U) != 0) s.value[i] = p[i];
    }
    return s;
  }
  static Vector widen(Stored const& s, std::uint32_t /*v*/) {
    Vector wide{};
    for (std::uint32_t i = 0; i < count; ++i) wide[i] = from_storage(s.value[i]);
    return wide;
  }
  static Vector load(Storage const* p) {
    Vector wide{};
    for (std::uint32_t i = 0; i < count; ++i) wide[i] = from_storage(p[i]);
    return wide;
  }
  static void store(Storage* p, Vector const& v) {
    for (std::uint32_t i = 0; i < count; ++i) p[i] = to_storage<Storage>(v[i]);
  }
};

using FloatLanes = PlainLanes<float>;
using DoubleLanes = PlainLanes<double>;
using HalfLanes = PlainLanes<Half>;

}  // namespace tessera::generic

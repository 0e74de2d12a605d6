// SPDX-License-Identifier: MIT
// The 8 lanes of a pack in vectors of an instruction set. The set is part of the name of all that
// is compiled for several of them, so that the linker does not mix them.
#pragma once

#include <cstdint>
#include <type_traits>

#include "base/host_device.hpp"
#include "partition/spectral/packs.hpp"

namespace tessera::spectral {

/// An instruction set by the size of its vectors: 16 (anything), 32 (AVX2), 64 (AVX-512).
template <int vector_bytes>
struct InstructionSet {
  static constexpr int bytes = vector_bytes;
};

namespace detail {
template <class N, int bytes>
struct VectorOf {
  using type [[gnu::vector_size(bytes)]] = N;
};
template <class N>
using IntegerLike = std::conditional_t<sizeof(N) == 8, std::int64_t, std::int32_t>;
}  // namespace detail

template <class Set, class N>
struct Vectors {
  /// Bytes of a vector, at most those of all lanes.
  static constexpr int bytes = Set::bytes < lanes * static_cast<int>(sizeof(N))
                                   ? Set::bytes
                                   : lanes * static_cast<int>(sizeof(N));
  static constexpr int width = bytes / static_cast<int>(sizeof(N));
  using Vector = typename detail::VectorOf<N, bytes>::type;
  /// Indices of lanes for shuffled().
  using Indices = typename detail::VectorOf<detail::IntegerLike<N>, bytes>::type;

  TESSERA_HOST_DEVICE static Vector load(N const* from) {
    Vector v;
    __builtin_memcpy(&v, from, bytes);
    return v;
  }
  TESSERA_HOST_DEVICE static void store(N* to, Vector const& v) { __builtin_memcpy(to, &v, bytes); }

  /// Lanes of two vectors: those below `width` are of the first one. On cores.
  static Vector shuffled(Vector const& first, Vector const& second, Indices const& lanes_of) {
#ifdef __clang__
    Vector result{};
    for (int lane = 0; lane < width; ++lane) {
      auto const from = static_cast<int>(lanes_of[lane]);
      result[lane] = from < width ? first[from] : second[from - width];
    }
    return result;
#else
    return __builtin_shuffle(first, second, lanes_of);
#endif
  }
};

}  // namespace tessera::spectral

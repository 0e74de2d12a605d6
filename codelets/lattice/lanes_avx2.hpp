// SPDX-License-Identifier: MIT
// AVX2: 8 nodes (4 in double precision) at a time; masked loads.
#pragma once

#include <immintrin.h>

#include <cstdint>

#include "base/storage.hpp"

namespace tessera::avx2 {

struct FloatLanes {
  using Storage = float;
  using Stored = __m256;
  using Vector = __m256;
  static constexpr std::uint32_t count = 8;
  static Stored read(float const* p) { return _mm256_load_ps(p); }
  static Stored merge(Stored const& s, std::uint32_t mask, float const* p) {
    __m256i const bits = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    __m256i const chosen =
        _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32(static_cast<int>(mask)), bits), bits);
    return _mm256_blendv_ps(s, _mm256_maskload_ps(p, chosen), _mm256_castsi256_ps(chosen));
  }
  static Vector widen(Stored const& s) { return s; }
  static void store(float* p, Vector const& v) { _mm256_store_ps(p, v); }
};

struct DoubleLanes {
  using Storage = double;
  using Stored = __m256d;
  using Vector = __m256d;
  static constexpr std::uint32_t count = 4;
  static Stored read(double const* p) { return _mm256_load_pd(p); }
  static Stored merge(Stored const& s, std::uint32_t mask, double const* p) {
    __m256i const bits = _mm256_setr_epi64x(1, 2, 4, 8);
    __m256i const chosen =
        _mm256_cmpeq_epi64(_mm256_and_si256(_mm256_set1_epi64x(mask), bits), bits);
    return _mm256_blendv_pd(s, _mm256_maskload_pd(p, chosen), _mm256_castsi256_pd(chosen));
  }
  static Vector widen(Stored const& s) { return s; }
  static void store(double* p, Vector const& v) { _mm256_store_pd(p, v); }
};

/// Values are converted by F16C, to the same bits as by from_storage() and to_storage().
struct HalfLanes {
  using Storage = Half;
  struct Stored {
    alignas(16) Half value[8];
  };
  using Vector = __m256;
  static constexpr std::uint32_t count = 8;
  static Stored read(Half const* p) { return *reinterpret_cast<Stored const*>(p); }
  static Stored merge(Stored s, std::uint32_t mask, Half const* p) {
    for (std::uint32_t left = mask & 0xFFU; left != 0; left &= left - 1) {
      auto const i = static_cast<unsigned>(__builtin_ctz(left));
      s.value[i] = p[i];
    }
    return s;
  }
  static Vector widen(Stored const& s) {
    __m128i const halves = _mm_load_si128(reinterpret_cast<__m128i const*>(s.value));
    return _mm256_cvtph_ps(halves) * (1.0F / half_format::scale);
  }
  static void store(Half* p, Vector const& v) {
    _mm_store_si128(reinterpret_cast<__m128i*>(p),
                    _mm256_cvtps_ph(v * half_format::scale, _MM_FROUND_TO_NEAREST_INT));
  }
};

}  // namespace tessera::avx2

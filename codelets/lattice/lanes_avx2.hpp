// SPDX-License-Identifier: MIT
// AVX2: 8 nodes (4 in double precision) are collided at a time; 16 (4 in double precision, as more
// do not fit the registers) are pulled at a time.
//
// What a mask leaves out is read, too, and blended away. A blend looks at the sign of a lane alone,
// so in single and double precision each lane shifts its own bit of the mask there.
#pragma once

#include <immintrin.h>

#include <cstdint>

#include "base/storage.hpp"

namespace tessera::avx2 {

struct FloatLanes {
  using Storage = float;
  struct Stored {
    __m256 vector[2];
  };
  using Vector = __m256;
  static constexpr std::uint32_t count = 8;
  static constexpr std::uint32_t pulled_together = 16;
  static constexpr bool fetches_runs = true;
  static Stored read(float const* p) { return {{_mm256_load_ps(p), _mm256_load_ps(p + count)}}; }
  static Stored merge(Stored const& s, std::uint32_t mask, float const* p) {
    __m256i const bits = _mm256_set1_epi16(static_cast<std::int16_t>(mask));
    __m256i const first =
        _mm256_sllv_epi32(bits, _mm256_setr_epi32(31, 30, 29, 28, 27, 26, 25, 24));
    __m256i const second =
        _mm256_sllv_epi32(bits, _mm256_setr_epi32(23, 22, 21, 20, 19, 18, 17, 16));
    return {
        {_mm256_blendv_ps(s.vector[0], _mm256_loadu_ps(p), _mm256_castsi256_ps(first)),
         _mm256_blendv_ps(s.vector[1], _mm256_loadu_ps(p + count), _mm256_castsi256_ps(second))}};
  }
  static Vector widen(Stored const& s, std::uint32_t v) { return s.vector[v]; }
  static Vector load(float const* p) { return _mm256_loadu_ps(p); }
  static void store(float* p, Vector const& v) { _mm256_store_ps(p, v); }
  static void stream(float* p, Vector const& v) { _mm256_stream_ps(p, v); }
};

struct DoubleLanes {
  using Storage = double;
  using Stored = __m256d;
  using Vector = __m256d;
  static constexpr std::uint32_t count = 4;
  static constexpr std::uint32_t pulled_together = count;
  static constexpr bool fetches_runs = false;
  static Stored read(double const* p) { return _mm256_load_pd(p); }
  static Stored merge(Stored const& s, std::uint32_t mask, double const* p) {
    __m256i const bits = _mm256_set1_epi32(static_cast<int>(mask));
    __m256i const chosen = _mm256_sllv_epi32(bits, _mm256_setr_epi32(0, 31, 0, 30, 0, 29, 0, 28));
    return _mm256_blendv_pd(s, _mm256_loadu_pd(p), _mm256_castsi256_pd(chosen));
  }
  static Vector widen(Stored const& s, std::uint32_t /*v*/) { return s; }
  static Vector load(double const* p) { return _mm256_loadu_pd(p); }
  static void store(double* p, Vector const& v) { _mm256_store_pd(p, v); }
  static void stream(double* p, Vector const& v) { _mm256_stream_pd(p, v); }
};

/// Values are converted by F16C, to the same bits as by from_storage() and to_storage().
struct HalfLanes {
  using Storage = Half;
  using Stored = __m256i;
  using Vector = __m256;
  static constexpr std::uint32_t count = 8;
  static constexpr std::uint32_t pulled_together = 16;
  static constexpr bool fetches_runs = true;
  static Stored read(Half const* p) {
    return _mm256_load_si256(reinterpret_cast<__m256i const*>(p));
  }
  static Stored merge(Stored const& s, std::uint32_t mask, Half const* p) {
    __m256i const bit = _mm256_setr_epi16(1, 2, 4, 8, 0x10, 0x20, 0x40, 0x80, 0x100, 0x200, 0x400,
                                          0x800, 0x1000, 0x2000, 0x4000, -0x8000);
    __m256i const bits = _mm256_set1_epi16(static_cast<std::int16_t>(mask));
    __m256i const chosen = _mm256_cmpeq_epi16(_mm256_and_si256(bits, bit), bit);
    __m256i const values = _mm256_loadu_si256(reinterpret_cast<__m256i const*>(p));
    return _mm256_blendv_epi8(s, values, chosen);
  }
  static Vector widen(Stored const& s, std::uint32_t v) {
    __m128i const halves = v == 0 ? _mm256_castsi256_si128(s) : _mm256_extracti128_si256(s, 1);
    return _mm256_cvtph_ps(halves) * (1.0F / half_format::scale);
  }
  static void store(Half* p, Vector const& v) {
    _mm_store_si128(reinterpret_cast<__m128i*>(p),
                    _mm256_cvtps_ph(v * half_format::scale, _MM_FROUND_TO_NEAREST_INT));
  }
};

}  // namespace tessera::avx2

// SPDX-License-Identifier: MIT
// AVX-512: 16 nodes (8 in double precision) at a time; masked loads.
#pragma once

#include <immintrin.h>

#include <cstdint>

#include "base/storage.hpp"

namespace tessera::avx512 {

struct FloatLanes {
  using Storage = float;
  using Stored = __m512;
  using Vector = __m512;
  static constexpr std::uint32_t count = 16;
  static constexpr std::uint32_t pulled_together = count;
  static constexpr bool fetches_runs = false;
  static Stored read(float const* p) { return _mm512_load_ps(p); }
  static Stored merge(Stored const& s, std::uint32_t mask, float const* p) {
    return _mm512_mask_loadu_ps(s, static_cast<__mmask16>(mask), p);
  }
  static Vector widen(Stored const& s, std::uint32_t /*v*/) { return s; }
  static Vector load(float const* p) { return _mm512_loadu_ps(p); }
  /// Stores past the cache, as the new lattice is not read in this step.
  static void store(float* p, Vector const& v) { _mm512_stream_ps(p, v); }
};

struct DoubleLanes {
  using Storage = double;
  using Stored = __m512d;
  using Vector = __m512d;
  static constexpr std::uint32_t count = 8;
  static constexpr std::uint32_t pulled_together = count;
  static constexpr bool fetches_runs = false;
  static Stored read(double const* p) { return _mm512_load_pd(p); }
  static Stored merge(Stored const& s, std::uint32_t mask, double const* p) {
    return _mm512_mask_loadu_pd(s, static_cast<__mmask8>(mask), p);
  }
  static Vector widen(Stored const& s, std::uint32_t /*v*/) { return s; }
  static Vector load(double const* p) { return _mm512_loadu_pd(p); }
  static void store(double* p, Vector const& v) { _mm512_stream_pd(p, v); }
};

struct HalfLanes {
  using Storage = Half;
  using Stored = __m256i;
  using Vector = __m512;
  static constexpr std::uint32_t count = 16;
  static constexpr std::uint32_t pulled_together = count;
  static constexpr bool fetches_runs = false;
  /// Conversions without a mask make GCC 12 warn of something uninitialised.
  static constexpr __mmask16 all_lanes = 0xFFFF;
  static Stored read(Half const* p) {
    return _mm256_load_si256(reinterpret_cast<__m256i const*>(p));
  }
  static Stored merge(Stored const& s, std::uint32_t mask, Half const* p) {
    return _mm256_mask_loadu_epi16(s, static_cast<__mmask16>(mask), p);
  }
  static Vector widen(Stored const& s, std::uint32_t /*v*/) {
    return _mm512_maskz_cvtph_ps(all_lanes, s) * (1.0F / half_format::scale);
  }
  static void store(Half* p, Vector const& v) {
    _mm256_store_si256(
        reinterpret_cast<__m256i*>(p),
        _mm512_maskz_cvtps_ph(all_lanes, v * half_format::scale, _MM_FROUND_TO_NEAREST_INT));
  }
};

}  // namespace tessera::avx512

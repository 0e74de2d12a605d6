// SPDX-License-Identifier: MIT
#include <immintrin.h>

#include "codelets/collide_stream_node.hpp"

namespace tessera {
namespace {

/// Eight halves, converted by F16C: the same bits as from_storage() and to_storage() give.
struct HalfLanes {
  using Vector = __m256;
  static Vector load(Half const* from) {
    __m128i const halves = _mm_load_si128(reinterpret_cast<__m128i const*>(from));
    return _mm256_cvtph_ps(halves) * (1.0F / half_format::scale);
  }
  static void store(Half* to, Vector const& v) {
    _mm_store_si128(reinterpret_cast<__m128i*>(to),
                    _mm256_cvtps_ph(v * half_format::scale, _MM_FROUND_TO_NEAREST_INT));
  }
};

}  // namespace

CpuKernels const avx2_kernels = kernels_by_node<32, HalfLanes>("AVX2");

}  // namespace tessera

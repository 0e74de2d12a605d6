// SPDX-License-Identifier: MIT
// The kernel for AVX-512: 16 (or 8) voxels of a row are pulled at once. A masked expanding load
// spreads the packed nodes of the source row over the lanes of their voxels, and a compression
// packs them again as the own row is packed.
#include <immintrin.h>

#include "codelets/collide_stream_kernel.hpp"
#include "codelets/cpu_kernels.hpp"

namespace tessera {
namespace {

// Vectors for the pull hold populations as they are stored, at any address: read, expand, insert,
// compress, select, write. Those for the collision hold numbers: load, store.

struct FloatLanes {
  using Storage = float;
  using Vector = __m512;
  static constexpr int count = 16;
  static __m512 read(float const* p) { return _mm512_loadu_ps(p); }
  static __m512 expand(std::uint32_t mask, float const* p) {
    return _mm512_maskz_expand_ps(static_cast<__mmask16>(mask), read(p));
  }
  static __m512 insert(__m512 v, std::uint32_t mask, float value) {
    return _mm512_mask_broadcastss_ps(v, static_cast<__mmask16>(mask), _mm_set_ss(value));
  }
  static __m512 compress(std::uint32_t mask, __m512 v) {
    return _mm512_maskz_compress_ps(static_cast<__mmask16>(mask), v);
  }
  static __m512 select(std::uint32_t mask, __m512 no, __m512 yes) {
    return _mm512_mask_blend_ps(static_cast<__mmask16>(mask), no, yes);
  }
  static void write(float* p, __m512 v) { _mm512_storeu_ps(p, v); }
  static Vector load(float const* p) { return _mm512_load_ps(p); }
  static void store(float* p, Vector const& v) { _mm512_stream_ps(p, v); }
};

struct DoubleLanes {
  using Storage = double;
  using Vector = __m512d;
  static constexpr int count = 8;
  static __m512d read(double const* p) { return _mm512_loadu_pd(p); }
  static __m512d expand(std::uint32_t mask, double const* p) {
    return _mm512_maskz_expand_pd(static_cast<__mmask8>(mask), read(p));
  }
  static __m512d insert(__m512d v, std::uint32_t mask, double value) {
    return _mm512_mask_broadcastsd_pd(v, static_cast<__mmask8>(mask), _mm_set_sd(value));
  }
  static __m512d compress(std::uint32_t mask, __m512d v) {
    return _mm512_maskz_compress_pd(static_cast<__mmask8>(mask), v);
  }
  static __m512d select(std::uint32_t mask, __m512d no, __m512d yes) {
    return _mm512_mask_blend_pd(static_cast<__mmask8>(mask), no, yes);
  }
  static void write(double* p, __m512d v) { _mm512_storeu_pd(p, v); }
  static Vector load(double const* p) { return _mm512_load_pd(p); }
  static void store(double* p, Vector const& v) { _mm512_stream_pd(p, v); }
};

/// While they are pulled, 16 bits stand in a lane of 32: x86-64-v4 expands none smaller.
struct HalfLanes {
  using Storage = Half;
  using Vector = __m512;
  static constexpr int count = 16;
  /// Conversions without a mask make GCC 12 warn of something uninitialised.
  static constexpr __mmask16 all_lanes = 0xFFFF;
  static __m512i read(Half const* p) {
    return _mm512_maskz_cvtepu16_epi32(all_lanes,
                                       _mm256_loadu_si256(reinterpret_cast<__m256i const*>(p)));
  }
  static __m512i expand(std::uint32_t mask, Half const* p) {
    return _mm512_maskz_expand_epi32(static_cast<__mmask16>(mask), read(p));
  }
  static __m512i insert(__m512i v, std::uint32_t mask, Half value) {
    return _mm512_mask_set1_epi32(v, static_cast<__mmask16>(mask), value.bits);
  }
  static __m512i compress(std::uint32_t mask, __m512i v) {
    return _mm512_maskz_compress_epi32(static_cast<__mmask16>(mask), v);
  }
  static __m512i select(std::uint32_t mask, __m512i no, __m512i yes) {
    return _mm512_mask_blend_epi32(static_cast<__mmask16>(mask), no, yes);
  }
  static void write(Half* p, __m512i v) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), _mm512_maskz_cvtepi32_epi16(all_lanes, v));
  }
  static Vector load(Half const* p) {
    __m256i const halves = _mm256_load_si256(reinterpret_cast<__m256i const*>(p));
    return _mm512_maskz_cvtph_ps(all_lanes, halves) * (1.0F / half_format::scale);
  }
  /// Through the cache: half a line is too little to stream.
  static void store(Half* p, Vector const& v) {
    _mm256_store_si256(
        reinterpret_cast<__m256i*>(p),
        _mm512_maskz_cvtps_ph(all_lanes, v * half_format::scale, _MM_FROUND_TO_NEAREST_INT));
  }
};

/// Pulls the nodes of a row, Lanes::count voxels at a time.
template <class Lanes>
struct PullByRow {
  using Storage = typename Lanes::Storage;
  /// How far ahead (values) the second-level cache is filled: measured, the hardware follows too
  /// few of the 19 streams.
  static constexpr std::ptrdiff_t prefetch_distance = 1500;
  static constexpr std::uint32_t all_lanes = (1U << Lanes::count) - 1;

  void operator()(Chunk<Storage>& chunk, Storage const* old, StagedRow const* rows, int y, int z,
                  int width) const {
    StagedRow const own = rows[staged_index(y, z)];
    std::uint32_t count = chunk.count;
    for (int x0 = 0; x0 < width; x0 += Lanes::count) {
      std::uint32_t const fluid = own.mask >> x0 & all_lanes;
      if (fluid == 0) continue;
      // x0 < 32. NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult)
      Storage const* const here = old + own.origin + count_bits(own.mask & ((1U << x0) - 1));
      Lanes::write(chunk.f[0] + count, Lanes::read(here));
      for_each_velocity([&]<int q>() {
        StagedRow const& row = rows[staged_index(y - D3Q19::y(q), z - D3Q19::z(q))];
        Lanes::write(chunk.f[q] + count,
                     pull<q>(row, old, fluid, x0, width,
                             here + std::size_t{D3Q19::opposite(q)} * own.stride));
      });
      count += static_cast<std::uint32_t>(count_bits(fluid));
    }
    chunk.count = count;
  }

 private:
  /// Population q of the fluid nodes among the voxels from x0 on, packed; `bounced` are their own
  /// opposite ones.
  template <int q>
  static auto pull(StagedRow const& row, Storage const* old, std::uint32_t fluid, int x0, int width,
                   Storage const* bounced) {
    constexpr int cx = D3Q19::x(q);
    // Bit x of `sources`: the voxel that streams to x is a node of this row.
    std::uint32_t const sources = cx > 0 ? row.mask << 1 : cx < 0 ? row.mask >> 1 : row.mask;
    std::uint32_t const skipped = cx < 0 ? row.mask & 1U : 0U;
    std::uint32_t present = sources >> x0 & all_lanes;
    Storage const* const packed = old + row.origin + std::size_t{q} * row.stride + skipped +
                                  count_bits(sources & ((1U << x0) - 1));
    _mm_prefetch(reinterpret_cast<char const*>(packed + prefetch_distance), _MM_HINT_T1);
    auto lanes = Lanes::expand(present, packed);
    if (cx > 0 && x0 == 0 && row.left != no_node) {
      lanes = Lanes::insert(lanes, 1U, old[row.left + q * row.left_stride]);
      present |= 1U;
    }
    if (cx < 0 && width - x0 <= Lanes::count && row.right != no_node) {
      std::uint32_t const end = 1U << (width - 1 - x0);
      lanes = Lanes::insert(lanes, end, old[row.right + q * row.right_stride]);
      present |= end;
    }
    std::uint32_t const streamed = _pext_u32(present, fluid);
    return Lanes::select(streamed, Lanes::read(bounced), Lanes::compress(fluid, lanes));
  }
};

template <class Lanes, Equilibrium equilibrium>
void collide_stream(TileView const& tile, void const* old_populations, void* new_populations,
                    CollisionParameters<double> const& p) {
  using Storage = typename Lanes::Storage;
  TileUpdate<Storage, equilibrium, PullByRow<Lanes>, Lanes> update(
      tile, static_cast<Storage const*>(old_populations), static_cast<Storage*>(new_populations),
      narrow<Arithmetic<Storage>>(p));
  update.run();
  _mm_sfence();
}

}  // namespace

CpuKernels const avx512_kernels{"AVX-512",
                                {{collide_stream<FloatLanes, Equilibrium::stokes>,
                                  collide_stream<FloatLanes, Equilibrium::navier_stokes>},
                                 {collide_stream<DoubleLanes, Equilibrium::stokes>,
                                  collide_stream<DoubleLanes, Equilibrium::navier_stokes>},
                                 {collide_stream<HalfLanes, Equilibrium::stokes>,
                                  collide_stream<HalfLanes, Equilibrium::navier_stokes>}}};

}  // namespace tessera

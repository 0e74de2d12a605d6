// SPDX-License-Identifier: MIT
// The kernel for AVX-512: 16 (or 8) voxels of a row are pulled at once. A masked expanding load
// spreads the packed nodes of the source row over the lanes of their voxels, and a compression
// packs them again as the own row is packed.
#include <immintrin.h>

#include "codelets/collide_stream_kernel.hpp"
#include "codelets/cpu_kernels.hpp"

namespace tessera {
namespace {

struct FloatLanes {
  using Real = float;
  static constexpr int count = 16;
  static __m512 load(float const* p) { return _mm512_loadu_ps(p); }
  static __m512 expand(std::uint32_t mask, float const* p) {
    return _mm512_maskz_expand_ps(static_cast<__mmask16>(mask), _mm512_loadu_ps(p));
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
  static void store(float* p, __m512 v) { _mm512_storeu_ps(p, v); }
  static void stream(float* p, __m512 v) { _mm512_stream_ps(p, v); }
};

struct DoubleLanes {
  using Real = double;
  static constexpr int count = 8;
  static __m512d load(double const* p) { return _mm512_loadu_pd(p); }
  static __m512d expand(std::uint32_t mask, double const* p) {
    return _mm512_maskz_expand_pd(static_cast<__mmask8>(mask), _mm512_loadu_pd(p));
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
  static void store(double* p, __m512d v) { _mm512_storeu_pd(p, v); }
  static void stream(double* p, __m512d v) { _mm512_stream_pd(p, v); }
};

/// Pulls the nodes of a row, Lanes::count voxels at a time.
template <class Lanes>
struct PullByRow {
  using Real = typename Lanes::Real;
  static constexpr std::uint32_t all_lanes = (1U << Lanes::count) - 1;

  void operator()(Chunk<Real>& chunk, Real const* old, StagedRow const* rows, int y, int z,
                  int width) const {
    StagedRow const own = rows[staged_index(y, z)];
    std::uint32_t count = chunk.count;
    for (int x0 = 0; x0 < width; x0 += Lanes::count) {
      std::uint32_t const fluid = own.mask >> x0 & all_lanes;
      if (fluid == 0) continue;
      // x0 < 32. NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult)
      Real const* const here = old + own.origin + count_bits(own.mask & ((1U << x0) - 1));
      Lanes::store(chunk.f[0] + count, Lanes::load(here));
      for_each_velocity([&]<int q>() {
        StagedRow const& row = rows[staged_index(y - D3Q19::y(q), z - D3Q19::z(q))];
        Lanes::store(chunk.f[q] + count,
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
  static auto pull(StagedRow const& row, Real const* old, std::uint32_t fluid, int x0, int width,
                   Real const* bounced) {
    constexpr int cx = D3Q19::x(q);
    // Bit x of `sources`: the voxel that streams to x is a node of this row.
    std::uint32_t const sources = cx > 0 ? row.mask << 1 : cx < 0 ? row.mask >> 1 : row.mask;
    std::uint32_t const skipped = cx < 0 ? row.mask & 1U : 0U;
    std::uint32_t present = sources >> x0 & all_lanes;
    Real const* const packed = old + row.origin + std::size_t{q} * row.stride + skipped +
                               count_bits(sources & ((1U << x0) - 1));
    // The same place in the next block, about.
    _mm_prefetch(reinterpret_cast<char const*>(packed + std::size_t{D3Q19::size} * row.stride),
                 _MM_HINT_T1);
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
    return Lanes::select(streamed, Lanes::load(bounced), Lanes::compress(fluid, lanes));
  }
};

template <class Lanes>
struct StreamStore {
  template <class Vector>
  void operator()(typename Lanes::Real* to, Vector const& v) const {
    Lanes::stream(to, v);
  }
};

template <class Lanes, Equilibrium equilibrium>
void collide_stream(TileView const& tile, void const* old_populations, void* new_populations,
                    CollisionParameters<double> const& p) {
  using Real = typename Lanes::Real;
  TileUpdate<Real, equilibrium, 64, PullByRow<Lanes>, StreamStore<Lanes>> update(
      tile, static_cast<Real const*>(old_populations), static_cast<Real*>(new_populations),
      narrow<Real>(p));
  update.run();
  _mm_sfence();
}

}  // namespace

CpuKernels const avx512_kernels{"AVX-512",
                                {{collide_stream<FloatLanes, Equilibrium::stokes>,
                                  collide_stream<FloatLanes, Equilibrium::navier_stokes>},
                                 {collide_stream<DoubleLanes, Equilibrium::stokes>,
                                  collide_stream<DoubleLanes, Equilibrium::navier_stokes>}}};

}  // namespace tessera

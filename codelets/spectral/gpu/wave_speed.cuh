// SPDX-License-Identifier: MIT
// Wave speeds of all packs of a tile, which limit the time step, on a GPU; on cores:
// codelets/spectral/wave_speed.hpp.
#pragma once

#include "codelets/spectral/stage_data.hpp"

namespace tessera::spectral::gpu {

inline constexpr int speed_threads = 128;

/// The larger one; NaN if one of them is.
__device__ inline double larger_or_none(double a, double b) { return b <= a || a != a ? a : b; }

/// One CUDA block a pack.
template <class N>
__global__ void __launch_bounds__(speed_threads)
    find_speeds(__grid_constant__ StageData<N> const data, int const dimension, Gas<N> const gas) {
  TilePack const& pack = data.tables.packs[blockIdx.x];
  PackShape const shape{dimension, pack.degree};
  MetricStrides const strides = metric_strides(shape, pack.affine != 0);
  int const lane = static_cast<int>(threadIdx.x) % lanes;
  N const* const state = data.state + pack.state + lane;
  N const* const jacobian = data.tables.geometry + pack.jacobian + lane;
  constexpr auto half = static_cast<N>(0.5);
  int const n = pack.degree + 1;
  double most = 0;
  for (int i = static_cast<int>(threadIdx.x) / lanes; i < shape.points();
       i += speed_threads / lanes) {
    State<N> q;
    for (int v = 0; v < variables; ++v) q[v] = state[shape.state_at(v, i)];
    Primitive<N> const primitives = primitive(q, gas);
    N const c = sound_speed(primitives, gas);
    N rate{};
    for (int d = 0; d < dimension; ++d) {
      int const stride = shape.line_stride(d);
      int const line = i % stride + i / (stride * n) * stride;
      N const* const before = data.tables.geometry + pack.metrics + d * strides.direction +
                              i / stride % n * strides.flux_point + line * strides.line + lane;
      N area[3] = {};
      for (int a = 0; a < dimension; ++a)
        area[a] = half * (before[a * strides.component] +
                          before[a * strides.component + strides.flux_point]);
      rate += wave_rate(primitives, c, direction_of(area));
    }
    rate *= jacobian[pack.affine != 0 ? 0 : i * lanes];
    most = larger_or_none(most, static_cast<double>(rate));
  }
  for (int other = 16; other > 0; other /= 2)
    most = larger_or_none(most, __shfl_xor_sync(0xFFFFFFFFU, most, other));
  __shared__ double of_warp[speed_threads / 32];
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = most;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (double const other : of_warp) most = larger_or_none(most, other);
  data.speeds[blockIdx.x] = most;
}

}  // namespace tessera::spectral::gpu

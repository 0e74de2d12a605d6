// SPDX-License-Identifier: MIT
// Wave speeds of a pack, which limit the time step, on cores.
#pragma once

#include <cmath>

#include "codelets/spectral/side_kernels.hpp"
#include "codelets/spectral/vectors.hpp"

namespace tessera::spectral {

template <class Set, class N>
double SideKernels<Set, N>::fastest_wave(TileView<N> const& tables, int dimension,
                                         std::int32_t number, N const* states, Gas<N> gas) {
  using V = Vectors<Set, N>;
  using Vector = typename V::Vector;
  TilePack const& pack = tables.packs[number];
  PackShape const shape{dimension, pack.degree};
  MetricStrides const strides = metric_strides(shape, pack.affine != 0);
  N const* const state = states + pack.state;
  N const* const jacobian = tables.geometry + pack.jacobian;
  bool const affine = pack.affine != 0;
  constexpr auto half = static_cast<N>(0.5);
  int const n = pack.degree + 1;
  Vector most[lanes / V::width] = {};
  for (int lane = 0; lane < lanes; lane += V::width) {
    Direction<Vector> directions[3] = {};  // of size |S_d|
    Vector per_volume{};
    for (int i = 0; i < shape.points(); ++i) {
      for (int d = 0; d < dimension && (i == 0 || !affine); ++d) {
        int const stride = shape.line_stride(d);
        int const line = i % stride + i / (stride * n) * stride;
        N const* const before = tables.geometry + pack.metrics + d * strides.direction +
                                i / stride % n * strides.flux_point + line * strides.line + lane;
        Vector area[3] = {};
        for (int a = 0; a < dimension; ++a)
          area[a] = half * (V::load(before + a * strides.component) +
                            V::load(before + a * strides.component + strides.flux_point));
        directions[d] = direction_of(area);
      }
      if (i == 0 || !affine) per_volume = V::load(jacobian + i * lanes + lane);
      State<Vector> q;
      for (int v = 0; v < variables; ++v) q[v] = V::load(state + shape.state_at(v, i) + lane);
      Primitive<Vector> const primitives = primitive(q, gas);
      Vector const c = sound_speed(primitives, gas);
      Vector rate{};
      for (int d = 0; d < dimension; ++d) rate += wave_rate(primitives, c, directions[d]);
      rate *= per_volume;
      Vector& so_far = most[lane / V::width];
      // Keeps what is no number.
      so_far = ((rate <= so_far) | (so_far != so_far)) ? so_far : rate;
    }
  }
  double result = 0;
  for (Vector const& vector : most) {
    for (int lane = 0; lane < V::width; ++lane) {
      auto const rate = static_cast<double>(vector[lane]);
      result = rate <= result || std::isnan(result) ? result : rate;
    }
  }
  return result;
}

}  // namespace tessera::spectral

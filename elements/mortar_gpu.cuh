// SPDX-License-Identifier: MIT
// Where elements of unlike degrees meet, on a GPU: any degree, by functions that are called, as
// most kernels have no mortar and should not pay for it in registers. Sums run along a, then along
// b, as on cores.
#pragma once

#include "elements/gpu_kernels.hpp"

namespace tessera::spectral::gpu {

/// A side of a lane.
template <class N>
struct MortarSide {
  int dimension;
  int degree;  ///< the own one
  int other;   ///< the neighbour's
  int side;
  Link link;
  N const* areas;   ///< if the neighbour's degree is the higher one: [component][point][8]
  N const* inside;  ///< the own trace: [variable][point][8]
  N* fluxes;        ///< shared memory for those at the neighbour's points: [variable][point][lane]
  int stride;       ///< of points there
};

/// A sum over the points of a side: row (a, b) of the tensor product of a matrix.
template <class N, class ValueAt>
__device__ N along_both(N const* matrix, int columns, int a, int b, bool plane,
                        ValueAt const& value_at) {
  auto const along_a = [&](int column_b) {
    N sum = matrix[a * columns] * value_at(0, column_b);
    for (int c = 1; c < columns; ++c) sum += matrix[a * columns + c] * value_at(c, column_b);
    return sum;
  };
  if (plane) return along_a(0);
  N sum = matrix[b * columns] * along_a(0);
  for (int c = 1; c < columns; ++c) sum += matrix[b * columns + c] * along_a(c);
  return sum;
}

/// The neighbour's trace of a lower degree, at a point of the own side; variable v to result[v
/// step].
template <class N>
__device__ __noinline__ void interpolate(GpuStage<N> const& stage, MortarSide<N> const& side,
                                         int point, N* result, int step) {
  int const n = side.degree + 1;
  int const theirs = side.other + 1;
  bool const plane = side.dimension == 2;
  int const their_points = plane ? theirs : theirs * theirs;
  N const* const matrix = stage.mortars->between(side.other, side.degree);
  N const* const from = stage.sources[side.link.source] + side.link.begin;
  for (int v = 0; v < variables; ++v) {
    result[v * step] = along_both(matrix, theirs, point % n, point / n, plane, [&](int a, int b) {
      int const at = turned_point(side.link.turn, theirs, a, b);
      return from[(v * their_points + at) * side.link.stride];
    });
  }
}

/// The common fluxes at the neighbour's points, which are more: those of `first`, first + step...
template <class N>
__device__ __noinline__ void solve_on_mortar(GpuStage<N> const& stage, MortarSide<N> const& side,
                                             int first, int step) {
  int const n = side.degree + 1;
  int const theirs = side.other + 1;
  bool const plane = side.dimension == 2;
  int const points = plane ? n : n * n;
  int const their_points = plane ? theirs : theirs * theirs;
  N const* const matrix = stage.mortars->between(side.degree, side.other);
  N const* const outside = stage.sources[side.link.source] + side.link.begin;
  for (int point = first; point < their_points; point += step) {
    int const a = point % theirs;
    int const b = point / theirs;
    int const there = turned_point(side.link.turn, theirs, a, b);
    State<N> left;
    State<N> right;
    for (int v = 0; v < variables; ++v) {
      N const own = along_both(matrix, n, a, b, plane, [&](int column_a, int column_b) {
        return side.inside[(v * points + column_b * n + column_a) * lanes];
      });
      N const other = outside[(v * their_points + there) * side.link.stride];
      left[v] = side.side % 2 == 0 ? other : own;
      right[v] = side.side % 2 == 0 ? own : other;
    }
    N area[3] = {};
    for (int c = 0; c < 3; ++c) {
      if (c < side.dimension) area[c] = side.areas[(c * their_points + point) * lanes];
    }
    GasParameters const& how = stage.parameters;
    State<N> const f =
        common_flux(how.riemann, left, right, area, Gas<N>{static_cast<N>(how.gas.gamma)},
                    static_cast<N>(how.entropy_fix));
    for (int v = 0; v < variables; ++v)
      side.fluxes[(v * their_points + point) * side.stride] = f[v];
  }
}

/// These fluxes at a point of the own side; variable v to result[v step].
template <class N>
__device__ __noinline__ void project(GpuStage<N> const& stage, MortarSide<N> const& side, int point,
                                     N* result, int step) {
  int const n = side.degree + 1;
  int const theirs = side.other + 1;
  bool const plane = side.dimension == 2;
  int const their_points = plane ? theirs : theirs * theirs;
  N const* const matrix = stage.mortars->between(side.other, side.degree);
  for (int v = 0; v < variables; ++v) {
    result[v * step] = along_both(matrix, theirs, point % n, point / n, plane, [&](int a, int b) {
      return side.fluxes[(v * their_points + b * theirs + a) * side.stride];
    });
  }
}

}  // namespace tessera::spectral::gpu

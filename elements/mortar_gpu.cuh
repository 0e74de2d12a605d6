// SPDX-License-Identifier: MIT
// A side where elements of unlike degrees meet, on a GPU: both states at the points of the higher
// degree, the fluxes back at the own ones. Matrices are taken along a, then along b, as on cores;
// between the two, values go through shared memory.
//
// The threads of a lane are as many as its side has points. They take the steps in turn: between
// any two, all threads of the block meet.
#pragma once

#include "elements/gpu_kernels.hpp"

namespace tessera::spectral::gpu {

template <int dimension, int p, class N, int block_lanes>
class Mortar {
  static constexpr int n = p + 1;
  static constexpr int rows = dimension == 2 ? 1 : n;
  static constexpr int points = n * rows;

 public:
  /// Of a lane, for neighbours of degree `most` at most.
  static constexpr int shared_numbers(int most) {
    return variables * (most + 1) * (rows + (dimension == 2 ? 1 : most + 1));
  }

  /// inside: the own trace; shared: of the lane, a number every `block_lanes`.
  __device__ Mortar(GpuStage<N> const& stage, SidePart const& part, Link const& link, int side,
                    int lane, int line, N const* inside, N* shared)
      : stage_(stage),
        part_(part),
        link_(link),
        side_(side),
        lane_(lane),
        line_(line),
        m_(part.degree + 1),
        their_rows_(dimension == 2 ? 1 : m_),
        inside_(inside),
        half_way_(shared),
        fluxes_(shared + variables * rows * (stage.most_degree_met + 1) * block_lanes) {}

  __device__ bool meets_higher() const { return part_.degree > p; }
  __device__ bool meets_lower() const { return part_.degree >= 0 && part_.degree < p; }

  /// Along a: the own state to the neighbour's points, or the neighbour's to the own ones.
  __device__ void begin() const {
    if (meets_higher()) {
      N const* const matrix = stage_.mortars->between(p, part_.degree);
      for (int item = line_; item < rows * m_; item += points) {
        int const a = item % m_;
        N const* const from = inside_ + item / m_ * n * lanes;
        multiply(matrix + a * n, n, from, points * lanes, lanes, half_way_ + item * block_lanes,
                 rows * m_);
      }
    } else if (meets_lower() && line_ < their_rows_ * n) {
      int const origin = turned_point(link_.turn, m_, 0, line_ / n);
      int const along_a = m_ == 1 ? 0 : turned_point(link_.turn, m_, 1, line_ / n) - origin;
      N const* const from = outside() + origin * link_.stride;
      multiply(from_theirs() + line_ % n * m_, m_, from, m_ * their_rows_ * link_.stride,
               along_a * link_.stride, half_way_ + line_ * block_lanes, their_rows_ * n);
    }
  }

  /// If the neighbour is of a higher degree: the fluxes at its points.
  __device__ void solve() const {
    N const* const matrix = stage_.mortars->between(p, part_.degree);
    int const their_points = m_ * their_rows_;
    N const* const areas = stage_.data.tables.geometry + part_.values + lane_;
    GasParameters const& how = stage_.parameters;
    for (int item = line_; item < their_points; item += points) {
      int const a = item % m_;
      int const b = item / m_;
      N const* const there = outside() + turned_point(link_.turn, m_, a, b) * link_.stride;
      State<N> own;
      State<N> other;
#pragma unroll
      for (int v = 0; v < variables; ++v) {
        N const* const column = half_way_ + (v * rows * m_ + a) * block_lanes;
        own[v] = dimension == 2 ? column[0] : along(matrix + b * n, n, column, m_ * block_lanes);
        other[v] = there[v * their_points * link_.stride];
      }
      N area[3] = {};
#pragma unroll
      for (int c = 0; c < dimension; ++c) area[c] = areas[(c * their_points + item) * lanes];
      bool const begin = side_ % 2 == 0;
      State<N> left;
      State<N> right;
#pragma unroll
      for (int v = 0; v < variables; ++v) {
        left[v] = begin ? other[v] : own[v];
        right[v] = begin ? own[v] : other[v];
      }
      State<N> const f =
          common_flux(how.riemann, left, right, area, Gas<N>{static_cast<N>(how.gas.gamma)},
                      static_cast<N>(how.entropy_fix));
#pragma unroll
      for (int v = 0; v < variables; ++v) fluxes_[(v * their_points + item) * block_lanes] = f[v];
    }
  }

  /// Along a: these fluxes to the own points.
  __device__ void project() const {
    for (int item = line_; item < their_rows_ * n; item += points) {
      N const* const from = fluxes_ + item / n * m_ * block_lanes;
      multiply(from_theirs() + item % n * m_, m_, from, m_ * their_rows_ * block_lanes, block_lanes,
               half_way_ + item * block_lanes, their_rows_ * n);
    }
  }

  /// Along b: what there is at the thread's own point, variable v to result[v step].
  __device__ void finish(N* result, int step) const {
    N const* const row = from_theirs() + line_ / n * m_;
#pragma unroll
    for (int v = 0; v < variables; ++v) {
      N const* const column = half_way_ + (v * their_rows_ * n + line_ % n) * block_lanes;
      result[v * step] = dimension == 2 ? column[0] : along(row, m_, column, n * block_lanes);
    }
  }

 private:
  __device__ N const* outside() const { return stage_.sources[link_.source] + link_.begin; }
  __device__ N const* from_theirs() const { return stage_.mortars->between(part_.degree, p); }

  __device__ static N along(N const* row, int columns, N const* from, int step) {
    N sum = row[0] * from[0];
    for (int c = 1; c < columns; ++c) sum += row[c] * from[c * step];
    return sum;
  }
  /// Of all variables; variable v is at from + v `of_variable`, and goes to to + v `their_values`.
  __device__ static void multiply(N const* row, int columns, N const* from, int of_variable,
                                  int step, N* to, int their_values) {
    N sum[variables];
#pragma unroll
    for (int v = 0; v < variables; ++v) sum[v] = row[0] * from[v * of_variable];
    for (int c = 1; c < columns; ++c) {
      N const factor = row[c];
#pragma unroll
      for (int v = 0; v < variables; ++v) sum[v] += factor * from[v * of_variable + c * step];
    }
#pragma unroll
    for (int v = 0; v < variables; ++v) to[v * their_values * block_lanes] = sum[v];
  }

  GpuStage<N> const& stage_;
  SidePart const& part_;
  Link link_;
  int side_;
  int lane_;
  int line_;
  int m_;           ///< the neighbour's points along an axis
  int their_rows_;  ///< and rows of them
  N const* inside_;
  N* half_way_;  ///< [variable][row][point of a row][lane]: one matrix has been applied
  N* fluxes_;    ///< likewise, at the neighbour's points
};

}  // namespace tessera::spectral::gpu

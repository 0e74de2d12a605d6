// SPDX-License-Identifier: MIT
// Sides where elements of unlike degrees meet, on a GPU: both states at the points of the higher
// degree, the common fluxes there, and for an element of the lower degree these at its own points.
// A kernel of its own, before the stage's, leaves a side's fluxes where the stage will write the
// side's next trace: so other sides take no more time, and fluxes take no memory. Where both
// elements are in the tile and their axes agree, the block of the lower degree computes them for
// both: the same bits.
//
// Matrices are taken along a, then along b, as on cores. A thread takes a line of a variable: it
// reads each number once and computes all results of a matrix, so between the two little goes
// through shared memory, and the matrices are constants of the kernel.
#pragma once

#include <algorithm>

#include "codelets/spectral/gpu/gpu_kernels.hpp"

namespace tessera::spectral::gpu {

/// Matrices between `low` and `high` points along an axis; the higher degree is known at compile
/// time, the lower one is not.
template <int high, class N>
struct MatricesOfMortar {
  int low;
  N up[high - 1][high];    ///< [column][row]
  N down[high - 1][high];  ///< [row][column]
};

/// A CUDA block: some faces of a group; a thread has a face's point of the higher degree, and lines
/// of the others.
template <int dimension, int high, class N>
class MortarThread {
  static constexpr int rows = dimension == 2 ? 1 : high;
  static constexpr int points = high * rows;
  /// Rows of an odd number of points: lines side by side do not meet in the banks of the memory.
  static constexpr int row = high | 1;
  static constexpr int of_variable = rows * row;
  static constexpr bool in_double = sizeof(N) == sizeof(double);

 public:
  /// Faces of a CUDA block, enough for some warps: 8 at most degrees, as many as are adjacent in a
  /// pack. Half of these, where that leaves more blocks a multiprocessor (docs/performance.md).
  static constexpr int faces = in_double && points > 32 ? 4
                               : points >= 16           ? 8
                               : points >= 8            ? 16
                                                        : 32;
  static constexpr int threads = points * faces;
  static constexpr std::size_t shared_bytes =
      std::size_t{2} * variables * of_variable * faces * sizeof(N);

  __device__ MortarThread(GpuStage<N> const& stage, MatricesOfMortar<high, N> const& matrices,
                          MortarGroup const& group, N* shared)
      : stage_(stage),
        matrices_(matrices),
        low_(matrices.low),
        is_low_(group.degree < group.other),
        item_(static_cast<int>(threadIdx.x) / faces),
        one_(shared + threadIdx.x % faces),
        two_(one_ + variables * of_variable * faces) {
    int const number = static_cast<int>(blockIdx.x) * faces + static_cast<int>(threadIdx.x) % faces;
    // Threads behind the last face do as its own do, but write nothing.
    works_ = number < group.faces;
    face_ = &stage.data.tables.mortars[group.first + (works_ ? number : group.faces - 1)];
  }

  __device__ void run() const {
    raise();
    __syncthreads();
    State<N> const found = common_flux_of_both();
    if (!is_low_) {
      if (works_) write(found, stage_.data.next_traces + face_->trace);
      return;
    }
    store(found);
    // The neighbour is in this tile, and its axes are the same.
    if (works_ && face_->for_both != 0) write(found, stage_.data.next_traces + face_->link.begin);
    __syncthreads();
    lower(stage_.data.next_traces + face_->trace);
  }

 private:
  /// The trace of one side of the face: its first point, and how to find the others.
  struct Trace {
    N const* first;
    int stride;
    int turn;
  };
  __device__ Trace inside() const { return {stage_.sources[0] + face_->trace, lanes, 0}; }
  __device__ Trace outside() const {
    Link const link = face_->link;
    return {stage_.sources[link.source] + link.begin, link.stride, link.turn};
  }

  __device__ int low_rows() const { return dimension == 2 ? 1 : low_; }
  __device__ int low_points() const { return low_ * low_rows(); }
  /// Where a point of a variable of row b stands in shared memory.
  __device__ static int place(int v, int b, int a) {
    return (v * of_variable + b * row + a) * faces;
  }
  /// Calls use(variable, line of it) for the block's threads in turn.
  template <class Use>
  __device__ void for_each_line(Use&& use) const {
#pragma unroll
    for (int k = 0; k < (variables * rows + points - 1) / points; ++k) {
      int const line = item_ + k * points;
      if (line < variables * rows) use(line / rows, line % rows);
    }
  }

  /// Writes the state of the lower degree at all points of the higher one to the second array.
  __device__ void raise() const {
    Trace const trace = is_low_ ? inside() : outside();
    for_each_line([&](int v, int b) {
      if (b >= low_rows()) return;
      int const origin = turned_point(trace.turn, low_, 0, b);
      int const step = low_ == 1 ? 0 : turned_point(trace.turn, low_, 1, b) - origin;
      raise_line(trace.first + (v * low_points() + origin) * trace.stride, step * trace.stride,
                 (dimension == 2 ? two_ : one_) + place(v, b, 0), faces);
    });
    if constexpr (dimension == 3) {
      __syncthreads();
      for_each_line([&](int v, int a) {
        raise_line(one_ + place(v, 0, a), row * faces, two_ + place(v, 0, a), row * faces);
      });
    }
  }
  __device__ void raise_line(N const* from, int step, N* to, int to_step) const {
    N sums[high];
#pragma unroll
    for (int i = 0; i < high; ++i) sums[i] = matrices_.up[0][i] * *from;
    for (int c = 1; c < low_; ++c) {
      N const value = from[c * step];
#pragma unroll
      for (int i = 0; i < high; ++i) sums[i] += matrices_.up[c][i] * value;
    }
#pragma unroll
    for (int i = 0; i < high; ++i) to[i * to_step] = sums[i];
  }

  /// Brings fluxes at the points of the higher degree, in the first array, to the points of the
  /// lower one.
  __device__ void lower(N* result) const {
    for_each_line([&](int v, int b) {
      N const* const from = one_ + place(v, b, 0);
      if constexpr (dimension == 3) {
        lower_line(from, faces, two_ + place(v, b, 0), faces);
      } else if (works_) {
        lower_line(from, faces, result + v * low_ * lanes, lanes);
      }
    });
    if constexpr (dimension == 3) {
      __syncthreads();
      for_each_line([&](int v, int a) {
        if (a < low_ && works_)
          lower_line(two_ + place(v, 0, a), row * faces, result + (v * low_points() + a) * lanes,
                     low_ * lanes);
      });
    }
  }
  __device__ void lower_line(N const* from, int step, N* to, int to_step) const {
    N values[high];
#pragma unroll
    for (int c = 0; c < high; ++c) values[c] = from[c * step];
    for (int i = 0; i < low_; ++i) {
      N sum = matrices_.down[i][0] * values[0];
#pragma unroll
      for (int c = 1; c < high; ++c) sum += matrices_.down[i][c] * values[c];
      to[i * to_step] = sum;
    }
  }

  /// The common flux of both elements at the thread's point.
  __device__ State<N> common_flux_of_both() const {
    Trace const trace = is_low_ ? outside() : inside();
    N const* const from =
        trace.first + turned_point(trace.turn, high, item_ % high, item_ / high) * trace.stride;
    bool const low_is_left = is_low_ == (face_->is_end != 0);
    State<N> left;
    State<N> right;
#pragma unroll
    for (int v = 0; v < variables; ++v) {
      N const of_high = from[v * points * trace.stride];
      N const of_low = two_[place(v, item_ / high, item_ % high)];
      left[v] = low_is_left ? of_low : of_high;
      right[v] = low_is_left ? of_high : of_low;
    }
    N const* const areas = stage_.data.tables.geometry + face_->areas + item_ * face_->of_point;
    N area[3] = {};
#pragma unroll
    for (int c = 0; c < dimension; ++c) area[c] = areas[c * face_->of_component];
    GasParameters const& how = stage_.parameters;
    return common_flux(how.riemann, left, right, area, Gas<N>{static_cast<N>(how.gas.gamma)},
                       static_cast<N>(how.entropy_fix));
  }
  __device__ void store(State<N> const& found) const {
#pragma unroll
    for (int v = 0; v < variables; ++v) one_[place(v, item_ / high, item_ % high)] = found[v];
  }
  /// Writes fluxes as a pack's trace of the higher degree.
  __device__ void write(State<N> const& found, N* trace) const {
#pragma unroll
    for (int v = 0; v < variables; ++v) trace[(v * points + item_) * lanes] = found[v];
  }

  GpuStage<N> const& stage_;
  MatricesOfMortar<high, N> const& matrices_;
  int low_;      ///< points along an axis
  bool is_low_;  ///< whether the face's own element is of the lower degree
  int item_;
  bool works_;
  MortarFace const* face_;
  N* one_;  ///< [variable][row][point of a row][face]: one matrix has been applied; later fluxes
  N* two_;  ///< [variable][row][point of a row][face]: states of the lower degree, later fluxes
            ///< after one matrix
};

template <int dimension, int high, class N, int blocks>
__global__ void __launch_bounds__(MortarThread<dimension, high, N>::threads, blocks)
    find_mortar_fluxes(__grid_constant__ GpuStage<N> const stage,
                       __grid_constant__ MatricesOfMortar<high, N> const matrices,
                       MortarGroup const group) {
  extern __shared__ __align__(16) unsigned char shared[];
  MortarThread<dimension, high, N>(stage, matrices, group, reinterpret_cast<N*>(shared)).run();
}

/// Blocks a multiprocessor: a few spilled registers cost less than a block fewer.
template <int dimension, int high, class N>
constexpr int blocks_of_mortars() {
  constexpr int registers = sizeof(N) == sizeof(double) ? 80 : 48;
  constexpr int warps = (MortarThread<dimension, high, N>::threads + 31) / 32;
  return std::clamp(65536 / (registers * 32 * warps), 1, 16);
}

template <int high, class N>
MatricesOfMortar<high, N> matrices_of_mortar(int low) {
  MatricesOfMortar<high, N> made{.low = low, .up = {}, .down = {}};
  N const* const up = mortar_matrices<N>().between(low - 1, high - 1);
  N const* const down = mortar_matrices<N>().between(high - 1, low - 1);
  for (int l = 0; l < low; ++l) {
    for (int h = 0; h < high; ++h) {
      made.up[l][h] = up[h * low + l];
      made.down[l][h] = down[l * high + h];
    }
  }
  return made;
}

/// Launches the faces of a group whose higher degree is `high` - 1.
template <int dimension, int high, class N>
cudaError_t launch_mortars(GpuStage<N> const& stage, MortarGroup const& group,
                           cudaStream_t stream) {
  using Thread = MortarThread<dimension, high, N>;
  auto const kernel =
      find_mortar_fluxes<dimension, high, N, blocks_of_mortars<dimension, high, N>()>;
  constexpr std::size_t bytes = Thread::shared_bytes;
  if (bytes > 48 * 1024) {
    cudaError_t const status = cudaFuncSetAttribute(
        kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
    if (status != cudaSuccess) return status;
  }
  int const blocks = (group.faces + Thread::faces - 1) / Thread::faces;
  kernel<<<static_cast<unsigned>(blocks), Thread::threads, bytes, stream>>>(
      stage, matrices_of_mortar<high, N>(std::min(group.degree, group.other) + 1), group);
  return cudaGetLastError();
}

}  // namespace tessera::spectral::gpu

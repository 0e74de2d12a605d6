// SPDX-License-Identifier: MIT
// Sides where elements of unlike degrees meet, on a GPU: both states at the points of the higher
// degree, the common fluxes there, and for an element of the lower degree these at its own points.
// A kernel of its own, before the stage's, which finds a side's fluxes where it will put the side's
// next trace: so it costs no other side anything, and fluxes take no memory. Where both elements
// are in the tile and their axes agree, the lower one's block finds them for both: the same bits.
//
// Matrices are taken along a, then along b, as on cores; between the two, values go through shared
// memory. A thread that took the whole sum over the other side's points for each of its own was
// eight times as slow. What is read from memory is asked for at once, as few warps fit.
#pragma once

#include "elements/gpu_kernels.hpp"

namespace tessera::spectral::gpu {

/// A CUDA block: all lanes of a side whose neighbours are of one other degree; a thread has a lane
/// of a point of the higher degree.
template <int dimension, class N>
class MortarThread {
 public:
  /// For degrees up to `most`.
  static int threads(int most) { return power(most + 1, dimension - 1) * lanes; }
  static std::size_t shared_bytes(int most) {
    return static_cast<std::size_t>(2 * variables) * threads(most) * sizeof(N);
  }

  __device__ MortarThread(GpuStage<N> const& stage, MortarMatrices<N> const& matrices, N* shared)
      : stage_(stage),
        mortar_(stage.data.tables.mortars[blockIdx.x]),
        lane_(static_cast<int>(threadIdx.x) % lanes),
        item_(static_cast<int>(threadIdx.x) / lanes),
        is_low_(mortar_.degree < mortar_.other),
        low_((is_low_ ? mortar_.degree : mortar_.other) + 1),
        high_((is_low_ ? mortar_.other : mortar_.degree) + 1),
        upwards_(matrices.between(low_ - 1, high_ - 1)),
        downwards_(matrices.between(high_ - 1, low_ - 1)),
        one_(shared + lane_),
        two_(one_ + variables * blockDim.x) {}

  __device__ void run() const {
    bool const works = (mortar_.lanes >> lane_ & 1) != 0;
    Link const link = stage_.data.tables.links[mortar_.links + lane_];
    bool const is_high_point = works && item_ < points(high_);
    // The states of both sides, and the areas.
    State<N> high;
    N area[3] = {};
    if (is_high_point) {
      load(is_low_ ? outside(link, high_) : inside(), is_low_ ? link.stride : lanes, high_, high);
      N const* const areas = stage_.data.tables.geometry + mortar_.areas + lane_;
#pragma unroll
      for (int c = 0; c < dimension; ++c)
        area[c] = areas[c * mortar_.of_component + item_ * mortar_.of_point];
    }
    if (works && item_ < points(low_)) {
      State<N> state;
      load(is_low_ ? inside() : outside(link, low_), is_low_ ? lanes : link.stride, low_, state);
      store(state, one_, item_, points(low_));
    }
    __syncthreads();
    if (works && item_ < rows(low_) * high_) along_a(upwards_, low_, high_, low_);
    __syncthreads();
    State<N> found;
    if (is_high_point) {
      State<N> low;
      along_b(upwards_, low_, high_, low);
      found = common(low, high, area);
    }
    if (!is_low_) {
      if (is_high_point) store(found, result(), item_, points(high_));
      return;
    }
    if (is_high_point) {
      store(found, one_, item_, points(high_));
      if ((mortar_.for_both >> lane_ & 1) != 0) give(found, link);
    }
    __syncthreads();
    if (works && item_ < rows(high_) * low_) along_a(downwards_, high_, low_, high_);
    __syncthreads();
    if (!works || item_ >= points(low_)) return;
    along_b(downwards_, high_, low_, found);
    store(found, result(), item_, points(low_));
  }

 private:
  __device__ static int rows(int n) { return dimension == 2 ? 1 : n; }
  __device__ static int points(int n) { return n * rows(n); }

  /// The thread's point of the own trace, and that of the neighbour's, of n points along an axis.
  __device__ N const* inside() const {
    return stage_.sources[0] + mortar_.trace + lane_ + item_ * lanes;
  }
  __device__ N const* outside(Link const& link, int n) const {
    return stage_.sources[link.source] + link.begin +
           turned_point(link.turn, n, item_ % n, item_ / n) * link.stride;
  }
  /// Where fluxes go.
  __device__ N* result() const { return stage_.data.next_traces + mortar_.trace + lane_; }

  /// To the neighbour, in this tile and with the same axes, which has the higher degree.
  __device__ void give(State<N> const& found, Link const& link) const {
    N* const to = stage_.data.next_traces + link.begin + item_ * lanes;
#pragma unroll
    for (int v = 0; v < variables; ++v) to[v * points(high_) * lanes] = found[v];
  }

  __device__ static void load(N const* from, int stride, int n, State<N>& state) {
#pragma unroll
    for (int v = 0; v < variables; ++v) state[v] = from[v * points(n) * stride];
  }
  __device__ static void store(State<N> const& state, N* to, int item, int items) {
#pragma unroll
    for (int v = 0; v < variables; ++v) to[(v * items + item) * lanes] = state[v];
  }

  /// state = sum over c of row[c] from[c step], of all variables.
  __device__ static void multiply(N const* row, int columns, N const* from, int step,
                                  int of_variable, State<N>& state) {
    if constexpr (sizeof(N) == sizeof(float)) {
      multiply_unrolled(row, columns, from, step, of_variable, state);
    } else {
      // Unrolled, it takes registers that the fluxes miss.
      multiply_first<1>(row, from, step, of_variable, state);
      for (int c = 1; c < columns; ++c) {
        N const factor = row[c];
        from += step;
#pragma unroll
        for (int v = 0; v < variables; ++v) state[v] += factor * from[v * of_variable];
      }
    }
  }
  /// The same number of columns for all threads of the block.
  template <int most = most_degree + 1>
  __device__ static void multiply_unrolled(N const* row, int columns, N const* from, int step,
                                           int of_variable, State<N>& state) {
    if (columns == most) {
      multiply_first<most>(row, from, step, of_variable, state);
    } else if constexpr (most > 1) {
      multiply_unrolled<most - 1>(row, columns, from, step, of_variable, state);
    }
  }
  /// Of the first columns.
  template <int columns>
  __device__ static void multiply_first(N const* row, N const* from, int step, int of_variable,
                                        State<N>& state) {
#pragma unroll
    for (int v = 0; v < variables; ++v) state[v] = row[0] * from[v * of_variable];
#pragma unroll
    for (int c = 1; c < columns; ++c) {
#pragma unroll
      for (int v = 0; v < variables; ++v) state[v] += row[c] * from[c * step + v * of_variable];
    }
  }
  /// From `of` points along a to `to` of them, in so many rows: from the first array to the second.
  __device__ void along_a(N const* matrix, int of, int to, int row_count) const {
    State<N> state;
    multiply(matrix + item_ % to * of, of, one_ + item_ / to * of * lanes, lanes,
             of * rows(row_count) * lanes, state);
    store(state, two_, item_, rows(row_count) * to);
  }
  /// From `of` rows to `to` of them, which have as many points; from the second array.
  __device__ void along_b(N const* matrix, int of, int to, State<N>& state) const {
    N const* const column = two_ + item_ % to * lanes;
    int const of_variable = rows(of) * to * lanes;
    if constexpr (dimension == 2) {
#pragma unroll
      for (int v = 0; v < variables; ++v) state[v] = column[v * of_variable];
    } else {
      multiply(matrix + item_ / to * of, of, column, to * lanes, of_variable, state);
    }
  }

  __device__ State<N> common(State<N> const& low, State<N> const& high, N const (&area)[3]) const {
    bool const low_is_left = is_low_ == (mortar_.is_end != 0);
    State<N> left;
    State<N> right;
#pragma unroll
    for (int v = 0; v < variables; ++v) {
      left[v] = low_is_left ? low[v] : high[v];
      right[v] = low_is_left ? high[v] : low[v];
    }
    GasParameters const& how = stage_.parameters;
    return common_flux(how.riemann, left, right, area, Gas<N>{static_cast<N>(how.gas.gamma)},
                       static_cast<N>(how.entropy_fix));
  }

  GpuStage<N> const& stage_;
  MortarSide const mortar_;
  int lane_;
  int item_;
  bool is_low_;  ///< whether the pack is of the lower degree
  int low_;      ///< points along an axis
  int high_;
  N const* upwards_;
  N const* downwards_;
  N* one_;  ///< [variable][point][lane]: of a side
  N* two_;  ///< [variable][row][point of a row][lane]: one matrix has been applied
};

template <int dimension, class N, int most_threads, int blocks>
__global__ void __launch_bounds__(most_threads, blocks)
    find_mortar_fluxes(__grid_constant__ GpuStage<N> const stage,
                       MortarMatrices<N> const* const matrices) {
  extern __shared__ __align__(16) unsigned char shared[];
  MortarThread<dimension, N>(stage, *matrices, reinterpret_cast<N*>(shared)).run();
}

/// `most`: the highest degree that meets another one.
template <int dimension, class N>
cudaError_t launch_mortars(TileCounts const& counts, GpuStage<N> const& stage,
                           MortarMatrices<N> const* matrices, cudaStream_t stream) {
  using Thread = MortarThread<dimension, N>;
  int const most = counts.highest_at_mortars;
  int const threads = Thread::threads(most);
  std::size_t const bytes = Thread::shared_bytes(most);
  auto const start = [&](auto kernel) {
    cudaError_t const status = cudaFuncSetAttribute(
        kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
    if (status != cudaSuccess) return status;
    kernel<<<static_cast<unsigned>(counts.mortars), static_cast<unsigned>(threads), bytes,
             stream>>>(stage, matrices);
    return cudaGetLastError();
  };
  if constexpr (dimension == 3) {
    // Of single numbers a thread has fewer bytes in registers (docs/performance.md).
    constexpr bool single = sizeof(N) == sizeof(float);
    if (threads > 416) return start(find_mortar_fluxes<dimension, N, 672, 1>);
    if (threads > 224) return start(find_mortar_fluxes < dimension, N, 416, single ? 3 : 2 >);
    return start(find_mortar_fluxes < dimension, N, 224, single ? 6 : 4 >);
  }
  return start(find_mortar_fluxes<dimension, N, 224, 4>);
}

}  // namespace tessera::spectral::gpu

// SPDX-License-Identifier: MIT
// The stage of packs on a GPU: one kernel from states and traces to states and traces.
//
// A thread has a lane of a line, in each direction after the other: p + 1 values of a variable are
// read through the cache and become p + 2 in registers, the states there become fluxes, and the
// fluxes derivatives, which all directions add up in shared memory. Along the last direction the
// thread updates what it has added up itself, and leaves the new state in its place, where the
// lines of the other directions find it for the traces.
#pragma once

#include "codelets/spectral/gpu/ahead.cuh"
#include "codelets/spectral/gpu/gpu_kernels.hpp"
#include "codelets/spectral/gpu/side.cuh"
#include "models/spectral/line.hpp"

namespace tessera::spectral::gpu {

/// What a CUDA block does: some lanes of a pack, or all lanes of some packs. With so many blocks on
/// a multiprocessor, a thread has 65536 / (threads blocks_per_processor) registers.
template <int lanes_of_block, int packs_of_block, int blocks>
struct BlockShape {
  static constexpr int lanes = lanes_of_block;
  static constexpr int packs = packs_of_block;
  static constexpr int blocks_per_processor = blocks;
};

template <int dimension, int p, class N, bool curved, class Block>
class PackThread {
  __host__ __device__ static constexpr PackShape shape() { return {dimension, p}; }
  static constexpr int n = p + 1;
  static constexpr int lines = power(p + 1, dimension - 1);
  static constexpr int last = dimension - 1;
  /// Rows of an odd number of points: lines side by side do not meet in the banks of the memory.
  static constexpr int row = n | 1;
  static constexpr int variable_size = lines * row * Block::lanes;

 public:
  static constexpr int threads_of_pack = Block::lanes * lines;
  static constexpr int threads = threads_of_pack * Block::packs;
  static constexpr int parts_of_pack = lanes / Block::lanes;
  static constexpr int sides = 2 * dimension;
  static constexpr int sides_of_block = sides * Block::lanes * Block::packs;  ///< of all its lanes

  using Ahead = AheadOfUse<dimension, p, N, curved, threads>;
  static constexpr std::size_t shared_bytes =
      (std::size_t{variables} * variable_size * Block::packs + Ahead::at_a_time * threads) *
      sizeof(N);

  /// `behind`: place for `sides_of_block`.
  __device__ PackThread(GpuStage<N> const& stage, Operators<p, N> const& matrices, N* shared,
                        Behind<N>* behind, DegreeGroup const& group)
      : stage_(stage), matrices_(matrices) {
    int const lane_here = static_cast<int>(threadIdx.x) % Block::lanes;
    int const pack_here = static_cast<int>(threadIdx.x) / threads_of_pack;
    line_ = static_cast<int>(threadIdx.x) % threads_of_pack / Block::lanes;
    int const unit = static_cast<int>(blockIdx.x) * Block::packs + pack_here;
    lane_ = lane_here + unit % parts_of_pack * Block::lanes;
    // Threads behind the last pack compute as its own threads do, but write nothing.
    int const pack = unit / parts_of_pack;
    works_ = pack < group.packs;
    number_ = group.first + (works_ ? pack : group.packs - 1);
    pack_ = &stage.data.tables.packs[number_];
    behind_ = behind + pack_here * (sides * Block::lanes) + lane_here;
    sums_ = shared + pack_here * (variables * variable_size) + lane_here;
    brought_ = shared + Block::packs * (variables * variable_size) + threadIdx.x;
  }

  __device__ void run() {
    if (stage_.task == PackTask::stage) {
      ahead().bring_areas(0);
      for (int side = line_; side < sides; side += lines)
        behind_[side * Block::lanes] = find_behind(stage_, shape(), number_, side, lane_);
#pragma unroll 1
      for (int d = 0; d < dimension; ++d) {
        __syncthreads();
        add_direction(d);
      }
      update();
    } else {
      fetch();
    }
    __syncthreads();
#pragma unroll 1
    for (int d = 0; d < last; ++d) write_traces(d);
    fill_outbox();
  }

 private:
  /// Where a line begins in shared memory, and from point to point.
  __device__ int sums_begin(int d) const {
    int const at =
        d == 0 ? line_ * row : line_ % n + line_ / n * (dimension == 3 && d == 1 ? n * row : row);
    return at * Block::lanes;
  }
  __device__ static int sums_stride(int d) {
    return (d == 0 ? 1 : d == 1 ? row : n * row) * Block::lanes;
  }

  __device__ Gas<N> gas() const { return {static_cast<N>(stage_.parameters.gas.gamma)}; }
  __device__ Ahead ahead() const { return {stage_, *pack_, line_, lane_, brought_}; }
  __device__ N const* state() const { return stage_.data.state + pack_->state + lane_; }

  /// Adds the derivatives of the fluxes along the thread's line in direction d.
  __device__ void add_direction(int d) {
    State<N> along[p + 2];  // states, then fluxes
    along[0] = load_end(2 * d);
    along[p + 1] = load_end(2 * d + 1);
    Ahead::await_brought();
    LineEnds<dimension, p, N> const ends(stage_, line_);
    // Straight elements have the same area at both ends.
    Direction<N> at_both;
    if constexpr (!curved) at_both = direction_at(d, 0);
#pragma unroll 1
    for (int end = 0; end < 2; ++end) {
      // One piece of code for both ends, as it is long. Each round passes on the other end.
      Direction<N> const through = curved ? direction_at(d, end == 0 ? 0 : p + 1) : at_both;
      State<N> const found =
          ends.flux_through(behind_[(2 * d + end) * Block::lanes], end != 0, along[0], through);
      along[0] = along[p + 1];
      along[p + 1] = found;
    }
    int const stride = shape().line_stride(d) * lanes;
    N const* const from = state() + shape().line_begin(d, line_) * lanes;
#pragma unroll
    for (int v = 0; v < variables; ++v) {
      N values[n];
#pragma unroll
      for (int i = 0; i < n; ++i) values[i] = from[shape().state_at(v, 0) + i * stride];
#pragma unroll
      for (int f = 1; f <= p; ++f) along[f][v] = extrapolated<p>(matrices_, f, values);
    }
#pragma unroll
    for (int f = 1; f <= p; ++f) {
      N area[3];
      load_area(d, f, area);
      along[f] = flux(along[f], area, gas());
    }
    if constexpr (curved) {
      __syncwarp();
      if (d < last) {
        ahead().bring_areas(d + 1);
      } else {
        ahead().bring_jacobian();
      }
    }
    N* const sums = sums_ + sums_begin(d);
    int const sums_step = sums_stride(d);
#pragma unroll
    for (int v = 0; v < variables; ++v) {
      N fluxes[p + 2];
#pragma unroll
      for (int f = 0; f <= p + 1; ++f) fluxes[f] = along[f][v];
#pragma unroll
      for (int i = 0; i < n; ++i) {
        N const slope = differentiated<p>(matrices_, i, fluxes);
        N& sum = sums[v * variable_size + i * sums_step];
        sum = d == 0 ? slope : sum + slope;
      }
    }
  }

  /// The state at an end of the thread's line, from the own trace of that side.
  __device__ State<N> load_end(int side) const {
    N const* const trace = stage_.sources[0] + pack_->traces + lane_;
    State<N> found;
#pragma unroll
    for (int v = 0; v < variables; ++v) found[v] = trace[shape().trace_at(side, v, line_)];
    return found;
  }
  __device__ Direction<N> direction_at(int d, int f) const {
    N area[3];
    load_area(d, f, area);
    return direction_of(area);
  }
  /// S_d at a flux point of the thread's line.
  __device__ void load_area(int d, int f, N (&area)[3]) const {
    N const* const metrics =
        stage_.data.tables.geometry + pack_->metrics + d * dimension * lanes + lane_;
#pragma unroll
    for (int a = 0; a < 3; ++a) {
      area[a] = a >= dimension ? N{}
                : curved       ? ahead().number(f * dimension + a)
                               : metrics[a * lanes];
    }
  }

  /// The Runge-Kutta update of the line along the last direction, and its traces.
  __device__ void update() {
    StageFactors<N> const factors = factors_of<N>(stage_.stage, *stage_.dt);
    Ahead::await_brought();
    N const of_all = stage_.data.tables.geometry[pack_->jacobian + lane_];
    N per_volume[n];
#pragma unroll
    for (int i = 0; i < n; ++i) per_volume[i] = curved ? ahead().number(i) : of_all;
    std::int64_t const first = pack_->state + line_ * lanes + lane_;
    N* const sums = sums_ + sums_begin(last);
#pragma unroll
    for (int v = 0; v < variables; ++v) {
      N* const state = stage_.data.state + first + shape().state_at(v, 0);
      N* const kept = stage_.data.kept + first + shape().state_at(v, 0);
      N values[n];
      N before[n];
#pragma unroll
      for (int i = 0; i < n; ++i) {
        values[i] = state[i * lines * lanes];
        before[i] = factors.first ? N{} : kept[i * lines * lanes];
      }
#pragma unroll
      for (int i = 0; i < n; ++i) {
        N& sum = sums[v * variable_size + i * sums_stride(last)];
        take_stage(factors, -sum * per_volume[i], values[i], before[i]);
        sum = values[i];
      }
      if (!works_) continue;
#pragma unroll
      for (int i = 0; i < n; ++i) {
        state[i * lines * lanes] = values[i];
        if (factors.first || factors.low_storage) kept[i * lines * lanes] = before[i];
      }
      write_ends(last, v, values);
    }
  }

  /// Copies the current state to shared memory, and writes the traces of the last direction.
  __device__ void fetch() {
    N const* const from = state() + line_ * lanes;
    for (int v = 0; v < variables; ++v) {
      N values[n];
#pragma unroll
      for (int i = 0; i < n; ++i) {
        values[i] = from[shape().state_at(v, 0) + i * lines * lanes];
        sums_[sums_begin(last) + v * variable_size + i * sums_stride(last)] = values[i];
      }
      if (works_) write_ends(last, v, values);
    }
  }

  __device__ void write_traces(int d) const {
    N const* const state = sums_ + sums_begin(d);
    int const stride = sums_stride(d);
#pragma unroll
    for (int v = 0; v < variables; ++v) {
      N values[n];
#pragma unroll
      for (int i = 0; i < n; ++i) values[i] = state[v * variable_size + i * stride];
      if (works_) write_ends(d, v, values);
    }
  }

  __device__ void write_ends(int d, int v, N const (&values)[n]) const {
    N* const to = stage_.data.next_traces + pack_->traces + lane_;
    to[shape().trace_at(2 * d, v, line_)] = extrapolated<p>(matrices_, 0, values);
    to[shape().trace_at(2 * d + 1, v, line_)] = extrapolated<p>(matrices_, p + 1, values);
  }

  /// Writes what leaves the tile. All lanes of a pack that are in this block take part.
  __device__ void fill_outbox() const {
    __syncthreads();
    if (!works_ || pack_->leaving == 0) return;
    Leaving const* const sides = stage_.data.tables.leaving + pack_->first_leaving;
    int const first_lane = lane_ / Block::lanes * Block::lanes;
    int const thread = static_cast<int>(threadIdx.x) % threads_of_pack;
    for (int i = 0; i < pack_->leaving; ++i) {
      Leaving const side = sides[i];
      auto const lane = static_cast<int>(side.from % lanes);
      if (lane < first_lane || lane >= first_lane + Block::lanes) continue;
      for (int k = thread; k < side.numbers; k += threads_of_pack)
        stage_.outboxes[side.outbox][side.to + k] = stage_.data.next_traces[side.from + k * lanes];
    }
  }

  GpuStage<N> const& stage_;
  Operators<p, N> const& matrices_;
  TilePack const* pack_;
  Behind<N>* behind_;  ///< [side]: a lane every Block::lanes
  N* brought_;         ///< for this thread: a number every `threads`
  N* sums_;            ///< [variable][point][lane]: of derivatives, later the new state
  int number_;
  int lane_;
  int line_;
  bool works_;
};

template <int dimension, int p, class N, bool curved, class Block>
__global__ void __launch_bounds__(PackThread<dimension, p, N, curved, Block>::threads,
                                  Block::blocks_per_processor)
    advance_packs(__grid_constant__ GpuStage<N> const stage,
                  __grid_constant__ Operators<p, N> const matrices, DegreeGroup const group) {
  extern __shared__ __align__(16) unsigned char shared[];
  using Thread = PackThread<dimension, p, N, curved, Block>;
  __shared__ Behind<N> behind[Thread::sides_of_block];
  Thread(stage, matrices, reinterpret_cast<N*>(shared), behind, group).run();
}

template <int dimension, int p, class N, bool curved, class Block>
cudaError_t launch_packs(GpuStage<N> const& stage, DegreeGroup const& group, cudaStream_t stream) {
  using Thread = PackThread<dimension, p, N, curved, Block>;
  auto const kernel = advance_packs<dimension, p, N, curved, Block>;
  constexpr std::size_t bytes = Thread::shared_bytes;
  if (bytes > 48 * 1024) {
    cudaError_t const status = cudaFuncSetAttribute(
        kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
    if (status != cudaSuccess) return status;
  }
  int const units = group.packs * Thread::parts_of_pack;
  int const blocks = (units + Block::packs - 1) / Block::packs;
  kernel<<<static_cast<unsigned>(blocks), Thread::threads, bytes, stream>>>(stage, operators<p, N>,
                                                                            group);
  return cudaGetLastError();
}

}  // namespace tessera::spectral::gpu

// SPDX-License-Identifier: MIT
// The stage of packs on a GPU: one kernel from states and traces to states and traces.
//
// A thread has a lane of a line, in each direction after the other: p + 1 values of a variable come
// out of the cache and become p + 2 in registers, the states there become fluxes, and these
// derivatives, which all directions add up in shared memory. Along the last direction the thread
// updates what it has added up itself, and leaves the new state in its place, where the lines of
// the other directions find it for the traces.
#pragma once

#include "elements/gpu_kernels.hpp"
#include "elements/mortar_gpu.cuh"
#include "spectral/line.hpp"

namespace tessera::spectral::gpu {

/// What a CUDA block does: some lanes of a pack, or all lanes of some packs. With so many blocks on
/// a multiprocessor, a thread has 65536 / (threads blocks_per_processor) registers.
template <int lanes_of_block, int packs_of_block, int blocks>
struct BlockShape {
  static constexpr int lanes = lanes_of_block;
  static constexpr int packs = packs_of_block;
  static constexpr int blocks_per_processor = blocks;
};

template <int dimension, int p, class N, bool mortars, class Block>
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

  /// most: the highest degree that meets another one, 0 without mortars.
  static constexpr std::size_t shared_bytes(int most) {
    std::size_t const numbers = variables * variable_size +
                                (mortars ? 2 * variables * threads_of_pack + mortar_size(most) : 0);
    return numbers * Block::packs * sizeof(N);
  }

  __device__ PackThread(GpuStage<N> const& stage, Operators<p, N> const& matrices, N* shared,
                        DegreeGroup const& group)
      : stage_(stage), matrices_(matrices) {
    int const lane_here = static_cast<int>(threadIdx.x) % Block::lanes;
    int const pack_here = static_cast<int>(threadIdx.x) / threads_of_pack;
    line_ = static_cast<int>(threadIdx.x) % threads_of_pack / Block::lanes;
    int const unit = static_cast<int>(blockIdx.x) * Block::packs + pack_here;
    lane_ = lane_here + unit % parts_of_pack * Block::lanes;
    // Threads behind the last pack do as its own do, but write nothing.
    int const pack = unit / parts_of_pack;
    works_ = pack < group.packs;
    number_ = group.first + (works_ ? pack : group.packs - 1);
    pack_ = &stage.data.tables.packs[number_];
    sums_ = shared + pack_here * (variables * variable_size) + lane_here;
    if constexpr (mortars) {
      N* const behind = shared + Block::packs * (variables * variable_size);
      met_ = behind + pack_here * (2 * variables * threads_of_pack) +
             static_cast<int>(threadIdx.x) % threads_of_pack;
      mortar_ = behind + Block::packs * (2 * variables * threads_of_pack) +
                pack_here * mortar_size(stage.most_degree_met) + lane_here;
    }
  }

  __device__ void run() {
    if (stage_.task == PackTask::stage) {
      announce();
#pragma unroll 1
      for (int d = 0; d < dimension; ++d) {
        if (d > 0) __syncthreads();
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
  static constexpr int mortar_size(int most) {
    return Mortar<dimension, p, N, Block::lanes>::shared_numbers(most) * Block::lanes;
  }

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
  __device__ N const* state() const { return stage_.data.state + pack_->state + lane_; }

  /// Has what is needed later on the way to the second-level cache: one thread of a pack does.
  __device__ void announce() const {
#if __CUDA_ARCH__ >= 900
    if (static_cast<int>(threadIdx.x) % threads_of_pack != 0) return;
    auto const fetch = [](N const* from, int numbers) {
      asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(from),
                   "r"(numbers * static_cast<int>(sizeof(N))));
    };
    fetch(stage_.sources[0] + pack_->traces, shape().traces_size());
    if (!stage_.stage.first) fetch(stage_.data.kept + pack_->state, shape().state_size());
    if (pack_->affine == 0) {
      fetch(stage_.data.tables.geometry + pack_->metrics, shape().metrics_size(false));
      fetch(stage_.data.tables.geometry + pack_->jacobian, shape().jacobian_size(false));
    }
#endif
  }

  /// Adds the derivatives of the fluxes along the thread's line.
  __device__ void add_direction(int d) {
    State<N> begin;
    State<N> end;
    if constexpr (mortars) meet_on_mortars(d);
      // One piece of code for both: it is a long one.
#pragma unroll 1
    for (int side = 2 * d; side < 2 * d + 2; ++side) {
      begin = end;
      end = flux_through(side);
    }
    MetricStrides const strides = metric_strides(shape(), pack_->affine != 0);
    N const* const metrics = first_area(d, strides);
    int const stride = shape().line_stride(d) * lanes;
    N const* const from = state() + shape().line_begin(d, line_) * lanes;
    State<N> inner[p + 1];  // states, then fluxes
#pragma unroll
    for (int v = 0; v < variables; ++v) {
      N values[n];
#pragma unroll
      for (int i = 0; i < n; ++i) values[i] = from[shape().state_at(v, 0) + i * stride];
#pragma unroll
      for (int f = 1; f <= p; ++f) inner[f][v] = extrapolated<p>(matrices_, f, values);
    }
#pragma unroll
    for (int f = 1; f <= p; ++f) {
      N area[3];
      load_area(metrics + f * strides.flux_point, strides.component, area);
      inner[f] = flux(inner[f], area, gas());
    }
    N* const sums = sums_ + sums_begin(d);
    int const sums_step = sums_stride(d);
#pragma unroll
    for (int v = 0; v < variables; ++v) {
      N fluxes[p + 2];
      fluxes[0] = begin[v];
      fluxes[p + 1] = end[v];
#pragma unroll
      for (int f = 1; f <= p; ++f) fluxes[f] = inner[f][v];
#pragma unroll
      for (int i = 0; i < n; ++i) {
        N const slope = differentiated<p>(matrices_, i, fluxes);
        N& sum = sums[v * variable_size + i * sums_step];
        sum = d == 0 ? slope : sum + slope;
      }
    }
  }

  /// The metrics of the first flux point of the thread's line.
  __device__ N const* first_area(int d, MetricStrides const& strides) const {
    return stage_.data.tables.geometry + pack_->metrics + d * strides.direction +
           line_ * strides.line + lane_;
  }
  __device__ static void load_area(N const* from, int component, N (&area)[3]) {
#pragma unroll
    for (int a = 0; a < 3; ++a) area[a] = a < dimension ? from[a * component] : N{};
  }

  __device__ SidePart const& part_of(int side) const {
    SidePart const* part = stage_.data.tables.parts + pack_->first_part[side];
    while ((part->lanes >> lane_ & 1) == 0) ++part;
    return *part;
  }
  __device__ Link link_of(int side) const {
    return stage_.data.tables.links[(number_ * shape().sides() + side) * lanes + lane_];
  }
  /// The own trace.
  __device__ N const* inside(int side) const {
    return stage_.sources[0] + pack_->traces + shape().trace_at(side, 0, 0) + lane_;
  }

  /// What the sides of a direction need of neighbours of other degrees: of higher ones the common
  /// fluxes, of lower ones the outside states. For all threads of the block.
  __device__ void meet_on_mortars(int d) {
#pragma unroll 1
    for (int side = 2 * d; side < 2 * d + 2; ++side) {
      Mortar<dimension, p, N, Block::lanes> const mortar(stage_, part_of(side), link_of(side), side,
                                                         lane_, line_, inside(side), mortar_);
      mortar.begin();
      if (__syncthreads_or(mortar.meets_higher() ? 1 : 0) != 0) {
        if (mortar.meets_higher()) mortar.solve();
        __syncthreads();
        if (mortar.meets_higher()) mortar.project();
        __syncthreads();
      }
      if (mortar.meets_higher() || mortar.meets_lower())
        mortar.finish(met_ + (side % 2) * variables * threads_of_pack, threads_of_pack);
      __syncthreads();
    }
  }

  /// The common flux of a side, towards the positive axis.
  __device__ State<N> flux_through(int side) const {
    bool const is_end = side % 2 != 0;
    MetricStrides const strides = metric_strides(shape(), pack_->affine != 0);
    N area[3];
    load_area(first_area(side / 2, strides) + (is_end ? (p + 1) * strides.flux_point : 0),
              strides.component, area);
    Direction<N> const through = direction_of(area);
    SidePart const& part = part_of(side);
    State<N> own;
    State<N> outside;
    N const* const trace = inside(side) + line_ * lanes;
#pragma unroll
    for (int v = 0; v < variables; ++v) own[v] = trace[v * lines * lanes];
    if (part.degree == p) {
      Link const link = link_of(side);
      int const a = dimension == 3 ? line_ % n : line_;
      int const b = dimension == 3 ? line_ / n : 0;
      N const* const from =
          stage_.sources[link.source] + link.begin + turned_point(link.turn, n, a, b) * link.stride;
#pragma unroll
      for (int v = 0; v < variables; ++v) outside[v] = from[v * lines * link.stride];
    } else if (part.degree >= 0) {
      N const* const met = met_ + (side % 2) * variables * threads_of_pack;
#pragma unroll
      for (int v = 0; v < variables; ++v) outside[v] = met[v * threads_of_pack];
      if (part.degree > p) return outside;
    } else {
      outside = behind_boundary(part, side, own, through.n);
    }
    // Left and right as the neighbour has them.
    State<N> left;
    State<N> right;
#pragma unroll
    for (int v = 0; v < variables; ++v) {
      left[v] = is_end ? own[v] : outside[v];
      right[v] = is_end ? outside[v] : own[v];
    }
    return common_flux(stage_.parameters.riemann, left, right, through, gas(),
                       static_cast<N>(stage_.parameters.entropy_fix));
  }

  __device__ State<N> behind_boundary(SidePart const& part, int side, State<N> const& own,
                                      N const (&n_of_axis)[3]) const {
    N const* const given = stage_.data.tables.geometry + part.values + line_ * lanes + lane_;
    State<N> there;
#pragma unroll
    for (int v = 0; v < variables; ++v) there[v] = given[v * lines * lanes];
    N const outwards = side % 2 == 0 ? N{-1} : N{1};
    N const normal[3] = {n_of_axis[0] * outwards, n_of_axis[1] * outwards, n_of_axis[2] * outwards};
    return outside_state(static_cast<BoundaryKind>(part.boundary), own, there, normal, gas());
  }

  /// The Runge-Kutta update of the line along the last direction, and its traces.
  __device__ void update() {
    StageFactors<N> const factors = factors_of<N>(stage_.stage, *stage_.dt);
    bool const affine = pack_->affine != 0;
    N const* const jacobian =
        stage_.data.tables.geometry + pack_->jacobian + lane_ + (affine ? 0 : line_ * lanes);
    int const jacobian_stride = affine ? 0 : lines * lanes;
    N per_volume[n];
#pragma unroll
    for (int i = 0; i < n; ++i) per_volume[i] = jacobian[i * jacobian_stride];
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

  /// The state as it is to shared memory, and the traces of the last direction.
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

  /// What leaves the tile. All of a pack's lanes that are in this block do it.
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
  N* sums_;              ///< [variable][point][lane]: of derivatives, later the new state
  N* met_ = nullptr;     ///< what comes from mortars, [end][variable]; none if the tile has none
  N* mortar_ = nullptr;  ///< for Mortar
  int number_;
  int lane_;
  int line_;
  bool works_;
};

/// `mortars`: whether packs of the tile have neighbours of other degrees.
template <int dimension, int p, class N, bool mortars, class Block>
__global__ void __launch_bounds__(PackThread<dimension, p, N, mortars, Block>::threads,
                                  Block::blocks_per_processor)
    advance_packs(__grid_constant__ GpuStage<N> const stage,
                  __grid_constant__ Operators<p, N> const matrices, DegreeGroup const group) {
  extern __shared__ __align__(16) unsigned char shared[];
  PackThread<dimension, p, N, mortars, Block>(stage, matrices, reinterpret_cast<N*>(shared), group)
      .run();
}

template <int dimension, int p, class N, bool mortars, class Block>
cudaError_t launch_packs(GpuStage<N> const& stage, DegreeGroup const& group, cudaStream_t stream) {
  using Thread = PackThread<dimension, p, N, mortars, Block>;
  auto const kernel = advance_packs<dimension, p, N, mortars, Block>;
  std::size_t const bytes = Thread::shared_bytes(stage.most_degree_met);
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

// SPDX-License-Identifier: MIT
#include "codelets/lattice/block_sums_terms.hpp"
#include "codelets/lattice/codelet.hpp"
#include "codelets/lattice/gpu/gpu.hpp"
#include "codelets/lattice/measure.hpp"
#include "graph/tasks/gpu_call.hpp"

namespace tessera {
namespace {

/// Eight lanes for each population, in whole warps.
template <class Lattice>
constexpr unsigned threads_of_sums = (sum_lanes * Lattice::size + 31) / 32 * 32;

/// The sum of eight neighbouring threads, as add_lanes() on a core takes it.
__device__ double add_lanes(double value) {
  for (int step = 1; step < static_cast<int>(sum_lanes); step *= 2)
    value += __shfl_xor_sync(~0U, value, step);
  return value;
}

/// The lane of a sum over consecutive values.
template <class Storage>
__device__ double lane_of_sum(Storage const* values, std::uint32_t count, std::uint32_t lane) {
  double sum = 0;
  for (std::uint32_t i = lane; i < count; i += sum_lanes)
    sum += static_cast<double>(from_storage(values[i]));
  return sum;
}

/// One CUDA block a lattice block, eight threads a population.
template <class Lattice, class Storage>
__global__ void __launch_bounds__(threads_of_sums<Lattice>)
    measure(TileView const tile, AverageBox const* __restrict__ average_boxes,
            Storage const* __restrict__ f, BlockSums* __restrict__ sums) {
  __shared__ StagedRow rows[staged_rows];
  __shared__ PopulationSums of_population[Lattice::size];
  TileBlock const block = tile.blocks[blockIdx.x];
  AverageBox const box = average_boxes[blockIdx.x];
  for_each_staged_row(tile, blockIdx.x, static_cast<int>(threadIdx.x), threads_of_sums<Lattice>,
                      [&](int i, StagedRow const& row) { rows[i] = row; });
  __syncthreads();

  // The threads behind the last population double it: all threads of a warp meet in the sums.
  constexpr std::uint32_t last = Lattice::size - 1;
  std::uint32_t const q = threadIdx.x / sum_lanes < last ? threadIdx.x / sum_lanes : last;
  std::uint32_t const lane = threadIdx.x % sum_lanes;
  Storage const* const population = f + population_at(block, q, 0);
  PopulationSums own;
  own.all = add_lanes(lane_of_sum(population + block.first, block.nodes, lane));
  if (covers(box, block)) {
    own.inside = own.all;
  } else {
    for_each_row_in_box(tile, blockIdx.x, box, [&](std::uint32_t first, std::uint32_t count) {
      own.inside += add_lanes(lane_of_sum(population + first, count, lane));
    });
  }
  bool const meets_walls = q > 0 && lane < block.extent[1];
  own.handed_over = add_lanes(
      meets_walls ? handed_over<Lattice>(block, rows, q, static_cast<int>(lane), f) : 0.0);
  if (lane == 0 && threadIdx.x / sum_lanes < Lattice::size) of_population[q] = own;
  __syncthreads();
  if (threadIdx.x == 0)
    sums[blockIdx.x] = combine<Lattice>(of_population, nodes_in_box(tile, blockIdx.x, box));
}

}  // namespace

void measure_on_gpu(void** buffers, void* argument) noexcept {
  auto const& arguments = *static_cast<MeasureArguments const*>(argument);
  TileView const tile = view_tables(arguments.counts, vector_data<std::byte>(buffers, 1));
  with_lattice(arguments.lattice, [&]<class Lattice>() {
    with_storage(arguments.precision, [&]<class Storage>() {
      measure<Lattice><<<arguments.counts.blocks, threads_of_sums<Lattice>, 0,
                         starpu_cuda_get_local_stream()>>>(
          tile, vector_data<AverageBox const>(buffers, 2), vector_data<Storage const>(buffers, 0),
          vector_data<BlockSums>(buffers, 3));
    });
  });
  check_gpu(cudaGetLastError());
}

}  // namespace tessera

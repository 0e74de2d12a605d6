// SPDX-License-Identifier: MIT
#include "codelets/spectral/gpu/gpu_tasks.hpp"
#include "codelets/spectral/measure.hpp"
#include "graph/tasks/gpu_call.hpp"
#include "graph/tasks/vector_data.hpp"

namespace tessera::spectral {
namespace {

__device__ constexpr PointWeights point_weights = make_point_weights();

constexpr int measuring_threads = lanes * sums_of_element;

/// One CUDA block a pack.
template <class N>
__global__ void __launch_bounds__(measuring_threads)
    measure(TileView<N> const tables, int const dimension, N const* const states,
            Gas<double> const gas, PackMeasurement* const measured) {
  __shared__ __align__(16) unsigned char room[measuring_threads * sizeof(PointSums)];
  auto* const sums = reinterpret_cast<PointSums*>(room);  // [row][lane]
  TilePack const& pack = tables.packs[blockIdx.x];
  auto const thread = static_cast<int>(threadIdx.x);
  int const lane = thread % lanes;
  int const first = thread / lanes;
  sums[thread] = sums_of_points(tables, pack, dimension, states, lane, first, point_weights, gas);
  __syncthreads();
  if (first == 0) {
    for (int i = 1; i < sums_of_element; ++i) sums[lane].add(sums[i * lanes + lane]);
  }
  __syncthreads();
  if (thread != 0) return;
  for (int other = 1; other < pack.elements; ++other) sums[0].add(sums[other]);
  PackMeasurement result;
  sums[0].put_into(result);
  measured[blockIdx.x] = result;
}

}  // namespace

void measure_on_gpu(void** buffers, void* argument) noexcept {
  std::unique_ptr<GasMeasureArguments> const arguments(static_cast<GasMeasureArguments*>(argument));
  with_numbers(arguments->numbers, [&]<class N>() {
    TileCounts const& counts = arguments->counts;
    measure<<<static_cast<unsigned>(counts.packs), measuring_threads, 0,
              starpu_cuda_get_local_stream()>>>(
        view_of<N>(counts, vector_data<std::byte const>(buffers, 1)), counts.dimension,
        vector_data<N const>(buffers, 0), arguments->of->gas,
        vector_data<PackMeasurement>(buffers, 3));
  });
  check_gpu(cudaGetLastError());
}

}  // namespace tessera::spectral

// SPDX-License-Identifier: MIT
#include <type_traits>
#include <utility>

#include "bench/literature/lattice/gpu_dense.hpp"

namespace tessera {
namespace {

/// Launch: <<<blocks_for(edge^3, threads), threads>>>.
template <class Real, DenseLayout layout, EquilibriumForm equilibrium, int threads>
__global__ void __launch_bounds__(threads)
    dense_step(Real const* __restrict__ old, Real* __restrict__ next, std::uint32_t edge,
               std::uint32_t voxels, CollisionParameters<Real> const parameters) {
  std::uint32_t const voxel = blockIdx.x * threads + threadIdx.x;
  if (voxel < voxels) step_dense<layout, equilibrium>(old, next, voxel, edge, parameters);
}

/// Launch: <<<blocks_for(voxels, usual_threads), usual_threads>>>.
template <class Real>
__global__ void write_start(Real* populations, DenseLayout layout, std::uint32_t voxels) {
  std::uint32_t const voxel = blockIdx.x * usual_threads + threadIdx.x;
  if (voxel >= voxels) return;
  for (int q = 0; q < D3Q19::size; ++q)
    populations[place_of(layout, q, voxel, voxels)] = initial_population<Real>(voxel, q);
}

__global__ void do_nothing() {}

unsigned blocks_for(std::uint32_t voxels, int threads) {
  auto const each = static_cast<unsigned>(threads);
  return (voxels + each - 1) / each;
}

template <class Real>
using Kernel = void (*)(Real const*, Real*, std::uint32_t, std::uint32_t,
                        CollisionParameters<Real>);

template <class Real, DenseLayout layout>
Kernel<Real> usual_kernel(EquilibriumForm equilibrium) {
  return equilibrium == EquilibriumForm::linear
             ? dense_step<Real, layout, EquilibriumForm::linear, usual_threads>
             : dense_step<Real, layout, EquilibriumForm::second_order, usual_threads>;
}

template <std::size_t... i>
Kernel<float> kernel_of_threads(int threads, std::index_sequence<i...>) {
  Kernel<float> found = nullptr;
  ((threads == dense_threads[i]
        ? void(found = dense_step<float, DenseLayout::structure_of_arrays, EquilibriumForm::linear,
                                  dense_threads[i]>)
        : void()),
   ...);
  return found;
}

template <class Real>
Kernel<Real> kernel_for(DenseLayout layout, EquilibriumForm equilibrium, int threads) {
  if (layout == DenseLayout::structure_of_arrays) {
    if constexpr (std::is_same_v<Real, float>) {
      if (equilibrium == EquilibriumForm::linear)
        return kernel_of_threads(threads, std::make_index_sequence<dense_threads.size()>{});
    }
    return usual_kernel<Real, DenseLayout::structure_of_arrays>(equilibrium);
  }
  return usual_kernel<Real, DenseLayout::array_of_structures>(equilibrium);
}

}  // namespace

template <class Real>
GpuDense<Real>::GpuDense(std::int64_t edge, DenseLayout layout, EquilibriumForm equilibrium,
                         FlowParameters const& parameters)
    : edge_(static_cast<std::uint32_t>(edge)),
      voxels_(edge_ * edge_ * edge_),
      layout_(layout),
      equilibrium_(equilibrium),
      parameters_(parameters),
      lattices_{DeviceArray<Real>(std::size_t{D3Q19::size} * voxels_),
                DeviceArray<Real>(std::size_t{D3Q19::size} * voxels_)} {}

template <class Real>
void GpuDense<Real>::start() {
  parity_ = 0;
  write_start<<<blocks_for(voxels_, usual_threads), usual_threads, 0, stream_.get()>>>(
      lattices_[0].get(), layout_, voxels_);
  check_cuda(cudaGetLastError(), "launching a kernel");
}

template <class Real>
double GpuDense<Real>::run(std::int64_t steps) {
  Kernel<Real> const kernel = kernel_for<Real>(layout_, equilibrium_, threads_);
  auto const parameters = two_rates<Real>(parameters_);
  unsigned const blocks = blocks_for(voxels_, threads_);
  return timer_.seconds(stream_.get(), [&] {
    for (std::int64_t s = 0; s < steps; ++s) {
      kernel<<<blocks, static_cast<unsigned>(threads_), 0, stream_.get()>>>(
          lattices_[parity_].get(), lattices_[1 - parity_].get(), edge_, voxels_, parameters);
      check_cuda(cudaGetLastError(), "launching a step");
      parity_ = 1 - parity_;
    }
  });
}

template <class Real>
KernelUse GpuDense<Real>::kernel_use() const {
  Kernel<Real> const kernel = kernel_for<Real>(layout_, equilibrium_, threads_);
  cudaFuncAttributes attributes{};
  check_cuda(cudaFuncGetAttributes(&attributes, reinterpret_cast<void const*>(kernel)),
             "asking for registers");
  int device = 0;
  int most = 0;
  int blocks = 0;
  check_cuda(cudaGetDevice(&device), "asking for the device");
  check_cuda(cudaDeviceGetAttribute(&most, cudaDevAttrMaxThreadsPerMultiProcessor, device),
             "asking for its threads");
  check_cuda(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
                 &blocks, reinterpret_cast<void const*>(kernel), threads_, 0),
             "asking for the occupancy");
  return {attributes.numRegs, static_cast<int>(attributes.localSizeBytes),
          static_cast<double>(blocks * threads_) / most};
}

template <class Real>
std::size_t GpuDense<Real>::bytes_needed(std::int64_t edge) {
  auto const n = static_cast<std::size_t>(edge);
  return 2 * D3Q19::size * n * n * n * sizeof(Real);
}

template class GpuDense<float>;
template class GpuDense<double>;

double run_empty_kernels(std::int64_t count) {
  GpuStream const stream;
  GpuTimer timer;
  return timer.seconds(stream.get(), [&] {
    for (std::int64_t i = 0; i < count; ++i) {
      do_nothing<<<1, usual_threads, 0, stream.get()>>>();
      check_cuda(cudaGetLastError(), "launching a kernel");
    }
  });
}

}  // namespace tessera

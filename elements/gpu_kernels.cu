// SPDX-License-Identifier: MIT
#include "elements/gpu_kernels.hpp"
#include "elements/gpu_launches.cuh"
#include "elements/mortar_gpu.cuh"
#include "elements/wave_speed_gpu.cuh"

namespace tessera::spectral {
namespace gpu {

#define TESSERA_DEGREES(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8)
#define TESSERA_DECLARE(p)                           \
  extern Launches<double> const launches_double_##p; \
  extern Launches<float> const launches_float_##p;
TESSERA_DEGREES(TESSERA_DECLARE)

namespace {

#define TESSERA_OF_DOUBLE(p) &launches_double_##p,
#define TESSERA_OF_FLOAT(p) &launches_float_##p,
constexpr Launches<double> const* of_double[] = {TESSERA_DEGREES(TESSERA_OF_DOUBLE)};
constexpr Launches<float> const* of_float[] = {TESSERA_DEGREES(TESSERA_OF_FLOAT)};

__device__ constexpr MortarMatrices<double> mortars_of_double = make_mortar_matrices<double>();
__device__ constexpr MortarMatrices<float> mortars_of_float = make_mortar_matrices<float>();

template <class N>
Launches<N> const& launches_of(std::int32_t degree) {
  if constexpr (std::is_same_v<N, double>) {
    return *of_double[degree];
  } else {
    return *of_float[degree];
  }
}

template <class N>
cudaError_t find_matrices(MortarMatrices<N> const*& matrices) {
  void* address = nullptr;
  cudaError_t status = cudaSuccess;
  if constexpr (std::is_same_v<N, double>) {
    status = cudaGetSymbolAddress(&address, mortars_of_double);
  } else {
    status = cudaGetSymbolAddress(&address, mortars_of_float);
  }
  matrices = static_cast<MortarMatrices<N> const*>(address);
  return status;
}

template <class N>
cudaError_t find_fluxes_at_mortars(TileCounts const& counts, GpuStage<N> const& stage,
                                   cudaStream_t stream) {
  MortarMatrices<N> const* matrices = nullptr;
  cudaError_t const status = find_matrices(matrices);
  if (status != cudaSuccess) return status;
  return counts.dimension == 2 ? launch_mortars<2>(counts, stage, matrices, stream)
                               : launch_mortars<3>(counts, stage, matrices, stream);
}

}  // namespace
}  // namespace gpu

template <class N>
cudaError_t launch(TileCounts const& counts, GpuStage<N> const& stage, cudaStream_t stream) {
  if (counts.mortars > 0 && stage.task == PackTask::stage) {
    cudaError_t const status = gpu::find_fluxes_at_mortars(counts, stage, stream);
    if (status != cudaSuccess) return status;
  }
  auto const in_space = static_cast<std::size_t>(counts.dimension - 2);
  for (std::int32_t g = 0; g < counts.groups; ++g) {
    DegreeGroup const& group = counts.group[g];
    auto const curved = static_cast<std::size_t>(group.curved);
    cudaError_t const status =
        gpu::launches_of<N>(group.degree)[in_space][curved](stage, group, stream);
    if (status != cudaSuccess) return status;
  }
  if (stage.data.speeds == nullptr) return cudaSuccess;
  gpu::find_speeds<<<static_cast<unsigned>(counts.packs), gpu::speed_threads, 0, stream>>>(
      stage.data, counts.dimension, Gas<N>{static_cast<N>(stage.parameters.gas.gamma)});
  return cudaGetLastError();
}

template cudaError_t launch<double>(TileCounts const&, GpuStage<double> const&, cudaStream_t);
template cudaError_t launch<float>(TileCounts const&, GpuStage<float> const&, cudaStream_t);

}  // namespace tessera::spectral

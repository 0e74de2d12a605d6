// SPDX-License-Identifier: MIT
#include "codelets/spectral/gpu/gpu_kernels.hpp"
#include "codelets/spectral/gpu/gpu_launches.cuh"
#include "codelets/spectral/gpu/wave_speed.cuh"

namespace tessera::spectral {
namespace gpu {

#define TESSERA_DEGREES(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8)
#define TESSERA_DECLARE(p)                                        \
  extern Launches<double> const launches_double_##p;              \
  extern Launches<float> const launches_float_##p;                \
  extern MortarLaunches<double> const mortar_launches_double_##p; \
  extern MortarLaunches<float> const mortar_launches_float_##p;
TESSERA_DEGREES(TESSERA_DECLARE)

namespace {

template <class N>
struct LaunchesOfDegree {
  Launches<N> const* packs;
  MortarLaunches<N> const* mortars;
};
#define TESSERA_OF_DOUBLE(p) {&launches_double_##p, &mortar_launches_double_##p},
#define TESSERA_OF_FLOAT(p) {&launches_float_##p, &mortar_launches_float_##p},
constexpr LaunchesOfDegree<double> of_double[] = {TESSERA_DEGREES(TESSERA_OF_DOUBLE)};
constexpr LaunchesOfDegree<float> of_float[] = {TESSERA_DEGREES(TESSERA_OF_FLOAT)};

template <class N>
LaunchesOfDegree<N> const& launches_of(std::int32_t degree) {
  if constexpr (std::is_same_v<N, double>) {
    return of_double[degree];
  } else {
    return of_float[degree];
  }
}

}  // namespace
}  // namespace gpu

template <class N>
cudaError_t launch(TileCounts const& counts, GpuStage<N> const& stage, cudaStream_t stream) {
  auto const in_space = static_cast<std::size_t>(counts.dimension - 2);
  for (std::int32_t g = 0; stage.task == PackTask::stage && g < counts.mortar_groups; ++g) {
    MortarGroup const& group = counts.mortar_group[g];
    auto const& of_higher = gpu::launches_of<N>(std::max(group.degree, group.other));
    cudaError_t const status = (*of_higher.mortars)[in_space](stage, group, stream);
    if (status != cudaSuccess) return status;
  }
  for (std::int32_t g = 0; g < counts.groups; ++g) {
    DegreeGroup const& group = counts.group[g];
    auto const curved = static_cast<std::size_t>(group.curved);
    auto const& of_degree = gpu::launches_of<N>(group.degree);
    cudaError_t const status = (*of_degree.packs)[in_space][curved](stage, group, stream);
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

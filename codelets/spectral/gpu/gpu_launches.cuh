// SPDX-License-Identifier: MIT
// The threads of a CUDA block, and the blocks a multiprocessor, that suit a degree and a precision.
#pragma once

#include <algorithm>

#include "codelets/spectral/gpu/mortar.cuh"
#include "codelets/spectral/gpu/stage.cuh"

namespace tessera::spectral::gpu {

/// In the plane as many packs as make some warps; in space all lanes of a pack, as long as there
/// are registers enough, and some packs of low degrees, to fill the warps.
template <int dimension, int p, class N>
struct UsualBlock : BlockShape<lanes, std::max(1, 128 / (lanes * (p + 1))), 4> {};
#define TESSERA_BLOCK(N, p, lanes, packs, blocks) \
  template <>                                     \
  struct UsualBlock<3, p, N> : BlockShape<lanes, packs, blocks> {};
TESSERA_BLOCK(double, 0, 8, 4, 8)
TESSERA_BLOCK(double, 1, 8, 2, 8)
TESSERA_BLOCK(double, 2, 8, 2, 3)
TESSERA_BLOCK(double, 3, 8, 1, 4)
TESSERA_BLOCK(double, 4, 8, 1, 2)
TESSERA_BLOCK(double, 5, 4, 1, 3)
TESSERA_BLOCK(double, 6, 8, 1, 1)
TESSERA_BLOCK(double, 7, 4, 1, 1)
TESSERA_BLOCK(double, 8, 4, 1, 1)
TESSERA_BLOCK(float, 0, 8, 4, 8)
TESSERA_BLOCK(float, 1, 8, 4, 6)
TESSERA_BLOCK(float, 2, 8, 2, 5)
TESSERA_BLOCK(float, 3, 8, 1, 7)
TESSERA_BLOCK(float, 4, 8, 1, 3)
TESSERA_BLOCK(float, 5, 8, 1, 3)
TESSERA_BLOCK(float, 6, 8, 1, 1)
TESSERA_BLOCK(float, 7, 8, 1, 1)
TESSERA_BLOCK(float, 8, 4, 1, 1)
#undef TESSERA_BLOCK

template <class N>
using Launch = cudaError_t (*)(GpuStage<N> const& stage, DegreeGroup const& group,
                               cudaStream_t stream);
/// Launches in the plane and in space, each for straight elements and for others.
template <class N>
using Launches = std::array<std::array<Launch<N>, 2>, 2>;

template <class N, int p>
inline constexpr Launches<N> launches{{{launch_packs<2, p, N, false, UsualBlock<2, p, N>>,
                                        launch_packs<2, p, N, true, UsualBlock<2, p, N>>},
                                       {launch_packs<3, p, N, false, UsualBlock<3, p, N>>,
                                        launch_packs<3, p, N, true, UsualBlock<3, p, N>>}}};

template <class N>
using MortarLaunch = cudaError_t (*)(GpuStage<N> const& stage, MortarGroup const& group,
                                     cudaStream_t stream);
/// Launches for mortars in the plane and in space.
template <class N>
using MortarLaunches = std::array<MortarLaunch<N>, 2>;

/// Launches where p is the higher degree; no degree is lower than 0.
template <class N, int p>
constexpr MortarLaunches<N> mortar_launches() {
  if constexpr (p == 0) {
    return {};
  } else {
    return {launch_mortars<2, p + 1, N>, launch_mortars<3, p + 1, N>};
  }
}

}  // namespace tessera::spectral::gpu

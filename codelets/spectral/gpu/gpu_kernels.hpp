// SPDX-License-Identifier: MIT
// The kernels for GPUs, where Tessera is built with CUDA.
#pragma once

#include "graph/tasks/on_gpu.hpp"  // IWYU pragma: export

#ifdef TESSERA_HAS_CUDA

#include <cuda_runtime_api.h>

#include "codelets/spectral/core_kernels.hpp"
#include "codelets/spectral/inboxes.hpp"
#include "models/spectral/matrices.hpp"

namespace tessera::spectral {

/// Arguments of a task on a tile on a GPU; all pointers are the GPU's, except `data.sources` and
/// `data.outboxes`, which are not used.
template <class N>
struct GpuStage {
  StageData<N> data;
  N const* sources[1 + most_inboxes];  ///< as data.sources
  N* outboxes[most_outboxes];          ///< as data.outboxes
  GasParameters parameters;
  Stage stage;
  double const* dt = nullptr;
  PackTask task{};
};

/// Does a task on all packs of a tile, and computes their speeds if data.speeds is set. Returns at
/// once: the work follows on the stream.
template <class N>
cudaError_t launch(TileCounts const& counts, GpuStage<N> const& stage, cudaStream_t stream);

extern template cudaError_t launch<double>(TileCounts const&, GpuStage<double> const&,
                                           cudaStream_t);
extern template cudaError_t launch<float>(TileCounts const&, GpuStage<float> const&, cudaStream_t);

}  // namespace tessera::spectral

#endif

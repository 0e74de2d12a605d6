// SPDX-License-Identifier: MIT
#include <starpu.h>

#include "codelets/codelet.hpp"
#include "codelets/collide_stream.hpp"
#include "codelets/collide_stream_gpu.cuh"
#include "codelets/gpu.hpp"
#include "codelets/gpu_call.hpp"
#include "codelets/gpu_step.hpp"
#include "codelets/gpu_streams.hpp"
#include "codelets/halo_gpu.cuh"

namespace tessera {
namespace {

/// Launches collide-stream with the threads a CUDA block, and the blocks a multiprocessor, that
/// suit how full the tile's blocks are (measured: docs/performance.md). Many threads keep the
/// memory accesses of a block together, few leave none idle at its end.
template <class Storage, Equilibrium equilibrium>
void launch_collide_stream(TileView const& tile, Storage const* old_populations,
                           Storage* new_populations, CollisionParameters<double> const& parameters,
                           cudaStream_t stream) {
  auto const launch = [&]<int threads, int blocks_per_processor>() {
    gpu::collide_stream<Storage, equilibrium, threads, blocks_per_processor>
        <<<tile.layout.blocks, threads, 0, stream>>>(tile, old_populations, new_populations,
                                                     narrow<Arithmetic<Storage>>(parameters));
  };
  std::uint32_t const nodes_per_block = tile.layout.nodes / tile.layout.blocks;
  if constexpr (sizeof(Storage) == 2) {
    launch.template operator()<128, 8>();
  } else if constexpr (sizeof(Storage) == 4) {
    if (nodes_per_block < 500) return launch.template operator()<128, 8>();
    if (nodes_per_block < 1000) return launch.template operator()<256, 4>();
    if (nodes_per_block < 1700) return launch.template operator()<320, 3>();
    launch.template operator()<512, 2>();
  } else {
    if (nodes_per_block < 500) return launch.template operator()<128, 4>();
    if (nodes_per_block < 1000) return launch.template operator()<192, 3>();
    if (nodes_per_block < 1700) return launch.template operator()<256, 2>();
    launch.template operator()<512, 1>();
  }
}

/// Makes `later` wait for what has been launched on `earlier`.
cudaError_t order(cudaStream_t earlier, cudaStream_t later, cudaEvent_t event) {
  if (earlier == later) return cudaSuccess;
  cudaError_t const status = cudaEventRecord(event, earlier);
  return status == cudaSuccess ? cudaStreamWaitEvent(later, event, 0) : status;
}

template <class Storage, Equilibrium equilibrium>
cudaError_t launch(GpuStep const& step, CollisionParameters<double> const& parameters,
                   StepStreams const& streams) {
  constexpr unsigned segments_per_block = gpu::halo_threads / 32;
  auto const halo_blocks = [](std::uint32_t segments) {
    return (segments + segments_per_block - 1) / segments_per_block;
  };
  TileLayout const& layout = step.tile.layout;
  auto* const old_populations = static_cast<Storage*>(step.old_populations);
  auto* const new_populations = static_cast<Storage*>(step.new_populations);
  if (layout.receives > 0) {
    gpu::unpack<<<halo_blocks(layout.receives), gpu::halo_threads, 0, streams.halo>>>(
        step.tile, step.inboxes, old_populations);
  }
  cudaError_t status = order(streams.halo, streams.bulk, streams.unpacked);
  launch_collide_stream<Storage, equilibrium>(step.tile, old_populations, new_populations,
                                              parameters, streams.bulk);
  if (status == cudaSuccess) status = order(streams.bulk, streams.halo, streams.updated);
  if (layout.sends > 0) {
    gpu::pack<<<halo_blocks(layout.sends), gpu::halo_threads, 0, streams.halo>>>(
        step.tile, new_populations, static_cast<Storage*>(step.outbox));
  }
  cudaError_t const launched = cudaGetLastError();
  return status == cudaSuccess ? launched : status;
}

}  // namespace

cudaError_t launch_step(Precision precision, Equilibrium equilibrium, GpuStep const& step,
                        CollisionParameters<double> const& parameters, StepStreams const& streams) {
  return with_storage(precision, [&]<class Storage>() {
    return equilibrium == Equilibrium::stokes
               ? launch<Storage, Equilibrium::stokes>(step, parameters, streams)
               : launch<Storage, Equilibrium::navier_stokes>(step, parameters, streams);
  });
}

void collide_stream_on_gpu(void** buffers, void* argument) noexcept {
  auto const& arguments = *static_cast<StepArguments const*>(argument);
  GpuStep step{
      .tile = view_tables(arguments.layout, vector_data<std::byte>(buffers, 2)),
      .old_populations = vector_data<void>(buffers, 0),
      .new_populations = vector_data<void>(buffers, 1),
      .outbox = arguments.layout.sends > 0 ? vector_data<void>(buffers, first_inbox - 1) : nullptr,
      .inboxes = {}};
  auto const count = static_cast<std::size_t>(starpu_task_get_current()->nbuffers);
  for (std::size_t i = first_inbox; i < count; ++i)
    step.inboxes.box[i - first_inbox] = vector_data<void>(buffers, i);
  SideStreams const streams;
  check_gpu(launch_step(arguments.precision, arguments.equilibrium, step, arguments.parameters,
                        streams.get()));
}

void initialise_on_gpu(void** buffers, void*) noexcept {
  int const count = starpu_task_get_current()->nbuffers;
  for (int i = 0; i < count; ++i) {
    std::size_t const bytes =
        STARPU_VECTOR_GET_NX(buffers[i]) * STARPU_VECTOR_GET_ELEMSIZE(buffers[i]);
    check_gpu(cudaMemsetAsync(vector_data<void>(buffers, static_cast<std::size_t>(i)), 0, bytes,
                              starpu_cuda_get_local_stream()));
  }
}

}  // namespace tessera

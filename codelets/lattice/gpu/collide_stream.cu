// SPDX-License-Identifier: MIT
#include <starpu.h>

#include <algorithm>
#include <vector>

#include "codelets/lattice/codelet.hpp"
#include "codelets/lattice/collide_stream.hpp"
#include "codelets/lattice/gpu/boundary_step.cuh"
#include "codelets/lattice/gpu/collide_stream_launch.cuh"
#include "codelets/lattice/gpu/gpu.hpp"
#include "codelets/lattice/gpu/gpu_step.hpp"
#include "codelets/lattice/gpu/halo.cuh"
#include "graph/tasks/gpu_call.hpp"
#include "graph/tasks/gpu_streams.hpp"

namespace tessera {

TESSERA_DECLARE_MODEL_TABLE(gpu::ModelLaunches, gpu_kernels_on)

namespace {

constexpr ModelTable<gpu::ModelLaunches> kernels TESSERA_MODEL_TABLE(gpu_kernels_on);

/// Blocks of threads for so many segments.
unsigned halo_blocks(std::uint32_t segments) {
  constexpr unsigned segments_per_block = gpu::halo_threads / 32;
  return (segments + segments_per_block - 1) / segments_per_block;
}

Outboxes outboxes_of(std::vector<void*> const& pointers) {
  Outboxes outboxes{};
  std::ranges::copy(pointers, outboxes.box);
  return outboxes;
}

Inboxes inboxes_of(std::vector<void const*> const& pointers) {
  Inboxes inboxes{};
  std::ranges::copy(pointers, inboxes.box);
  return inboxes;
}

template <class Storage>
void launch_unpack(TileView const& tile, Inboxes const& inboxes, void* populations,
                   cudaStream_t stream) {
  if (tile.counts.receives == 0) return;
  gpu::unpack<<<halo_blocks(tile.counts.receives), gpu::halo_threads, 0, stream>>>(
      tile, inboxes, static_cast<Storage*>(populations));
}

constexpr unsigned fill_threads = 256;

/// One block of threads for each block of nodes.
template <class Storage>
__global__ void __launch_bounds__(fill_threads)
    fill(TileView const tile, std::uint32_t velocities,
         std::array<Storage, most_velocities> const value, Storage* __restrict__ populations) {
  TileBlock const block = tile.blocks[blockIdx.x];
  for (std::uint32_t q = 0; q < velocities; ++q) {
    for (std::uint32_t n = threadIdx.x; n < block.nodes; n += fill_threads)
      populations[population_at(block, q, block.first + n)] = value[q];
  }
}

template <class Storage>
void fill_tile(void** buffers, InitialArguments const& arguments, cudaStream_t stream) {
  TileView const tile = view_tables(arguments.counts, vector_data<std::byte>(buffers, 1));
  auto* const populations = vector_data<Storage>(buffers, 0);
  auto const velocities = static_cast<std::uint32_t>(velocities_of(arguments.lattice).size);
  fill<Storage><<<tile.counts.blocks, fill_threads, 0, stream>>>(
      tile, velocities, arguments.stored<Storage>(), populations);
  if (tile.counts.sends > 0) {
    gpu::pack<<<halo_blocks(tile.counts.sends), gpu::halo_threads, 0, stream>>>(
        tile, static_cast<Storage const*>(populations),
        outboxes_of(vectors_data<void>(buffers, 2, tile.counts.outboxes)));
  }
  check_gpu(cudaGetLastError());
}

/// Makes `later` wait for what has been launched on `earlier`.
cudaError_t order(cudaStream_t earlier, cudaStream_t later, cudaEvent_t event) {
  if (earlier == later) return cudaSuccess;
  cudaError_t const status = cudaEventRecord(event, earlier);
  return status == cudaSuccess ? cudaStreamWaitEvent(later, event, 0) : status;
}

template <class Lattice, class Storage>
cudaError_t launch(gpu::Launch collide_stream, GpuStep const& step,
                   FlowParameters const& parameters, StepStreams const& streams) {
  TileCounts const& counts = step.tile.counts;
  if (!step.halo_is_filled)
    launch_unpack<Storage>(step.tile, step.inboxes, step.old_populations, streams.halo);
  gpu::apply_boundaries<Lattice>(step.boundaries, step.boundary_parameters,
                                 static_cast<Storage*>(step.old_populations), step.entering,
                                 step.wall_forces, step.memory, streams.halo);
  cudaError_t status = order(streams.halo, streams.bulk, streams.unpacked);
  collide_stream(step.tile, step.old_populations, step.new_populations, parameters, streams.bulk);
  if (status == cudaSuccess) status = order(streams.bulk, streams.halo, streams.updated);
  if (counts.sends > 0) {
    gpu::pack<<<halo_blocks(counts.sends), gpu::halo_threads, 0, streams.halo>>>(
        step.tile, static_cast<Storage const*>(step.new_populations), step.outboxes);
  }
  cudaError_t const launched = cudaGetLastError();
  return status == cudaSuccess ? launched : status;
}

}  // namespace

cudaError_t launch_step(Precision precision, FlowModel const& model, GpuStep const& step,
                        FlowParameters const& parameters, StepStreams const& streams) {
  gpu::ModelLaunches const* const launches = kernels.find(model);
  if (launches == nullptr) return cudaErrorInvalidValue;
  gpu::Launch const collide_stream = (*launches)[static_cast<std::size_t>(precision)];
  return with_lattice(model.lattice, [&]<class Lattice>() {
    return with_storage(precision, [&]<class Storage>() {
      return launch<Lattice, Storage>(collide_stream, step, parameters, streams);
    });
  });
}

void collide_stream_on_gpu(void** buffers, void* argument) noexcept {
  auto const& arguments = *static_cast<StepArguments const*>(argument);
  StepBuffers const found(buffers, arguments.counts, arguments.boundaries);
  auto const inboxes = found.inboxes<void>();
  GpuStep step{.tile = view_tables(arguments.counts, found.tables()),
               .old_populations = found.old_populations(),
               .new_populations = found.new_populations(),
               .outboxes = outboxes_of(found.outboxes<void>()),
               .inboxes = inboxes_of(inboxes),
               .halo_is_filled = inboxes.empty(),
               .boundaries = {},
               .boundary_parameters = {}};
  if (any(arguments.boundaries)) {
    step.boundaries = view_boundaries(arguments.boundaries, found.lists());
    step.boundary_parameters = arguments.boundary_parameters;
    step.entering = found.entering();
    step.wall_forces = found.wall_forces();
    step.memory = found.memory();
  }
  SideStreams const streams;
  check_gpu(
      launch_step(arguments.precision, arguments.model, step, arguments.parameters, streams.get()));
}

void fill_halo_on_gpu(void** buffers, void* argument) noexcept {
  auto const& arguments = *static_cast<StepArguments const*>(argument);
  HaloBuffers const halo(buffers);
  with_storage(arguments.precision, [&]<class Storage>() {
    launch_unpack<Storage>(view_tables(arguments.counts, halo.tables()),
                           inboxes_of(halo.inboxes<void>()), halo.old_populations(),
                           starpu_cuda_get_local_stream());
  });
  check_gpu(cudaGetLastError());
}

void initialise_on_gpu(void** buffers, void* argument) noexcept {
  auto const& arguments = *static_cast<InitialArguments const*>(argument);
  cudaStream_t const stream = starpu_cuda_get_local_stream();
  int const count = starpu_task_get_current()->nbuffers;
  for (int i = 0; i < count; ++i) {
    if (i == 1) continue;  // the tables
    std::size_t const bytes =
        STARPU_VECTOR_GET_NX(buffers[i]) * STARPU_VECTOR_GET_ELEMSIZE(buffers[i]);
    check_gpu(
        cudaMemsetAsync(vector_data<void>(buffers, static_cast<std::size_t>(i)), 0, bytes, stream));
  }
  if (arguments.at_rest()) return;
  with_storage(arguments.precision,
               [&]<class Storage>() { fill_tile<Storage>(buffers, arguments, stream); });
}

}  // namespace tessera

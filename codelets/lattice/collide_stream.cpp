// SPDX-License-Identifier: MIT
#include "codelets/lattice/collide_stream.hpp"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "codelets/lattice/boundary_step.hpp"
#include "codelets/lattice/codelet.hpp"
#include "codelets/lattice/gpu/gpu.hpp"
#include "codelets/lattice/halo.hpp"
#include "codelets/lattice/huge_pages.hpp"

namespace tessera {
namespace {

template <class Storage>
void step_on_core(StepBuffers const& buffers, StepArguments const& arguments) {
  TileView const tile = view_tables(arguments.counts, buffers.tables());
  auto* const old_populations = static_cast<Storage*>(buffers.old_populations());
  auto* const new_populations = static_cast<Storage*>(buffers.new_populations());
  advise_huge_pages(new_populations, buffers.values() * sizeof(Storage));

  auto const inboxes = buffers.inboxes<Storage>();
  if (!inboxes.empty()) unpack(tile, inboxes.data(), old_populations);
  if (any(arguments.boundaries)) {
    with_lattice(arguments.model.lattice, [&]<class Lattice>() {
      apply_boundaries<Lattice>(view_boundaries(arguments.boundaries, buffers.lists()),
                                arguments.boundary_parameters, old_populations, buffers.entering(),
                                buffers.wall_forces(), buffers.memory());
    });
  }
  if (arguments.plan->empty()) *arguments.plan = plan_pull(arguments.model.lattice, tile);
  arguments.kernel(tile, *arguments.plan, old_populations, new_populations, arguments.parameters);
  pack(tile, new_populations, buffers.outboxes<Storage>().data());
}

void collide_stream_on_core(void** buffers, void* argument) noexcept {
  auto const& arguments = *static_cast<StepArguments const*>(argument);
  StepBuffers const step(buffers, arguments.counts, arguments.boundaries);
  with_storage(arguments.precision,
               [&]<class Storage>() { step_on_core<Storage>(step, arguments); });
}

void fill_halo_on_core(void** buffers, void* argument) noexcept {
  auto const& arguments = *static_cast<StepArguments const*>(argument);
  HaloBuffers const halo(buffers);
  with_storage(arguments.precision, [&]<class Storage>() {
    unpack(view_tables(arguments.counts, halo.tables()), halo.inboxes<Storage>().data(),
           static_cast<Storage*>(halo.old_populations()));
  });
}

template <class Storage>
void fill_tile(void** buffers, InitialArguments const& arguments) {
  TileView const tile = view_tables(arguments.counts, vector_data<std::byte>(buffers, 1));
  auto* const populations = vector_data<Storage>(buffers, 0);
  std::array const value = arguments.stored<Storage>();
  auto const velocities = static_cast<std::uint32_t>(velocities_of(arguments.lattice).size);
  for (std::uint32_t b = 0; b < tile.counts.blocks; ++b) {
    TileBlock const& block = tile.blocks[b];
    for (std::uint32_t q = 0; q < velocities; ++q)
      std::fill_n(populations + population_at(block, q, block.first), block.nodes, value[q]);
  }
  pack(tile, populations, vectors_data<Storage>(buffers, 2, tile.counts.outboxes).data());
}

void initialise_on_core(void** buffers, void* argument) noexcept {
  auto const& arguments = *static_cast<InitialArguments const*>(argument);
  int const count = starpu_task_get_current()->nbuffers;
  for (int i = 0; i < count; ++i) {
    if (i == 1) continue;  // the tables
    std::size_t const bytes =
        STARPU_VECTOR_GET_NX(buffers[i]) * STARPU_VECTOR_GET_ELEMSIZE(buffers[i]);
    auto* const data = vector_data<std::byte>(buffers, static_cast<std::size_t>(i));
    advise_huge_pages(data, bytes);
    std::memset(data, 0, bytes);  // halo and gaps, too
  }
  if (arguments.at_rest()) return;
  with_storage(arguments.precision,
               [&]<class Storage>() { fill_tile<Storage>(buffers, arguments); });
}

starpu_codelet& collide_stream_codelet() {
  static starpu_perfmodel model = {.type = STARPU_HISTORY_BASED,
                                   .footprint = tile_footprint<StepArguments>,
                                   .symbol = "tessera_collide_stream"};
  static starpu_codelet codelet = {.cpu_funcs = {collide_stream_on_core},
                                   .cuda_funcs = {TESSERA_ON_GPU(collide_stream_on_gpu)},
                                   .cuda_flags = {STARPU_CUDA_ASYNC},
                                   .nbuffers = STARPU_VARIABLE_NBUFFERS,
                                   .model = &model,
                                   .name = "collide_stream"};
  return codelet;
}

starpu_codelet& fill_halo_codelet() {
  static starpu_perfmodel model = {.type = STARPU_HISTORY_BASED,
                                   .footprint = tile_footprint<StepArguments>,
                                   .symbol = "tessera_fill_halo"};
  static starpu_codelet codelet = {.cpu_funcs = {fill_halo_on_core},
                                   .cuda_funcs = {TESSERA_ON_GPU(fill_halo_on_gpu)},
                                   .cuda_flags = {STARPU_CUDA_ASYNC},
                                   .nbuffers = STARPU_VARIABLE_NBUFFERS,
                                   .model = &model,
                                   .name = "fill_halo"};
  return codelet;
}

/// Buffers: 0 W populations; 1 R tables; from 2 on W own outboxes.
starpu_codelet& initialise_codelet() {
  static starpu_codelet codelet = {.cpu_funcs = {initialise_on_core},
                                   .cuda_funcs = {TESSERA_ON_GPU(initialise_on_gpu)},
                                   .cuda_flags = {STARPU_CUDA_ASYNC},
                                   .nbuffers = STARPU_VARIABLE_NBUFFERS,
                                   .model = &starpu_perfmodel_nop,
                                   .name = "initialise"};
  return codelet;
}

}  // namespace

void submit_fill_halo(HaloHandles const& halo, Argument arguments, Placement const& placement) {
  submit(fill_halo_codelet(), accesses_of(halo), std::move(arguments), placement);
}

void submit_collide_stream(StepHandles const& step, Argument arguments, Placement const& placement,
                           Callback const& callback) {
  submit(collide_stream_codelet(), accesses_of(step), std::move(arguments), placement, callback);
}

void submit_initialise(DataHandle const& populations, DataHandle const& tables,
                       std::span<DataHandle const* const> outboxes,
                       InitialArguments const& arguments, Placement const& placement) {
  Accesses data;
  data.writes(populations).reads(tables);
  for (DataHandle const* const outbox : outboxes) data.writes(*outbox);
  submit(initialise_codelet(), data, &arguments, placement);
}

}  // namespace tessera

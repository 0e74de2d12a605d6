// SPDX-License-Identifier: MIT
#include "codelets/collide_stream.hpp"

#include <cstring>
#include <vector>

#include "codelets/boundary_step.hpp"
#include "codelets/codelet.hpp"
#include "codelets/gpu.hpp"
#include "codelets/halo.hpp"
#include "codelets/huge_pages.hpp"

namespace tessera {
namespace {

template <class Storage>
void step_on_core(void** buffers, StepArguments const& arguments) {
  TileView const tile = view_tables(arguments.layout, vector_data<std::byte>(buffers, 2));
  auto* const old_populations = vector_data<Storage>(buffers, 0);
  auto* const new_populations = vector_data<Storage>(buffers, 1);
  advise_huge_pages(new_populations, STARPU_VECTOR_GET_NX(buffers[1]) * sizeof(Storage));

  BoundaryCounts const& boundaries = arguments.boundaries;
  auto const all_buffers = static_cast<std::size_t>(starpu_task_get_current()->nbuffers);
  std::size_t const first_boundary = all_buffers - boundary_buffers(boundaries);
  std::vector<Storage const*> outboxes;
  for (std::size_t i = first_inbox; i < first_boundary; ++i)
    outboxes.push_back(vector_data<Storage>(buffers, i));
  unpack(tile, outboxes.data(), old_populations);
  if (boundary_buffers(boundaries) > 0) {
    with_lattice(arguments.model.lattice, [&]<class Lattice>() {
      apply_boundaries<Lattice>(
          view_boundaries(boundaries, vector_data<std::byte>(buffers, first_boundary)),
          arguments.boundary_parameters, old_populations,
          vector_data<double>(buffers, first_boundary + 1),
          boundaries.groups > 0 ? vector_data<WallForce>(buffers, first_boundary + 2) : nullptr,
          boundaries.remembered > 0 ? vector_data<double>(buffers, all_buffers - 1) : nullptr);
    });
  }
  if (arguments.plan->empty()) *arguments.plan = plan_pull(arguments.model.lattice, tile);
  arguments.kernel(tile, *arguments.plan, old_populations, new_populations, arguments.parameters);
  if (arguments.layout.sends > 0)
    pack(tile, new_populations, vector_data<Storage>(buffers, first_inbox - 1));
}

void collide_stream_on_core(void** buffers, void* argument) noexcept {
  auto const& arguments = *static_cast<StepArguments const*>(argument);
  with_storage(arguments.precision,
               [&]<class Storage>() { step_on_core<Storage>(buffers, arguments); });
}

void initialise_on_core(void** buffers, void*) noexcept {
  int const count = starpu_task_get_current()->nbuffers;
  for (int i = 0; i < count; ++i) {
    std::size_t const bytes =
        STARPU_VECTOR_GET_NX(buffers[i]) * STARPU_VECTOR_GET_ELEMSIZE(buffers[i]);
    auto* const data = vector_data<std::byte>(buffers, static_cast<std::size_t>(i));
    advise_huge_pages(data, bytes);
    std::memset(data, 0, bytes);
  }
}

}  // namespace

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

starpu_codelet& initialise_codelet() {
  static starpu_codelet codelet = {.cpu_funcs = {initialise_on_core},
                                   .cuda_funcs = {TESSERA_ON_GPU(initialise_on_gpu)},
                                   .cuda_flags = {STARPU_CUDA_ASYNC},
                                   .nbuffers = STARPU_VARIABLE_NBUFFERS,
                                   .model = &starpu_perfmodel_nop,
                                   .name = "initialise"};
  return codelet;
}

}  // namespace tessera

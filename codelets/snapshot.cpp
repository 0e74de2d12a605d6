// SPDX-License-Identifier: MIT
#include "codelets/snapshot.hpp"

#include "codelets/codelet.hpp"
#include "codelets/gpu.hpp"
#include "codelets/node_state.hpp"

namespace tessera {
namespace {

template <class Lattice, class Storage>
void snapshot_tile(void** buffers, SnapshotArguments const& arguments) {
  auto const* const populations = vector_data<Storage>(buffers, 0);
  TileView const tile = view_tables(arguments.layout, vector_data<std::byte>(buffers, 1));
  auto* const states = vector_data<NodeState>(buffers, 2);
  for (std::uint32_t b = 0; b < arguments.layout.blocks; ++b) {
    TileBlock const& block = tile.blocks[b];
    for (std::uint32_t n = block.first; n < block.first + block.nodes; ++n)
      states[n] =
          node_state<Lattice>(populations + population_at(block, 0, n), block.stride, arguments);
  }
}

void snapshot_on_core(void** buffers, void* argument) noexcept {
  auto const& arguments = *static_cast<SnapshotArguments const*>(argument);
  with_lattice(arguments.model.lattice, [&]<class Lattice>() {
    with_storage(arguments.precision,
                 [&]<class Storage>() { snapshot_tile<Lattice, Storage>(buffers, arguments); });
  });
}

}  // namespace

starpu_codelet& snapshot_codelet() {
  static starpu_perfmodel model = {.type = STARPU_HISTORY_BASED,
                                   .footprint = tile_footprint<SnapshotArguments>,
                                   .symbol = "tessera_snapshot"};
  static starpu_codelet codelet = {.cpu_funcs = {snapshot_on_core},
                                   .cuda_funcs = {TESSERA_ON_GPU(snapshot_on_gpu)},
                                   .cuda_flags = {STARPU_CUDA_ASYNC},
                                   .nbuffers = 3,
                                   .modes = {STARPU_R, STARPU_R, STARPU_W},
                                   .model = &model,
                                   .name = "snapshot"};
  return codelet;
}

}  // namespace tessera

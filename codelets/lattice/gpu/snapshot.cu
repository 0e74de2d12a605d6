// SPDX-License-Identifier: MIT
#include "codelets/lattice/codelet.hpp"
#include "codelets/lattice/gpu/gpu.hpp"
#include "codelets/lattice/node_state.hpp"
#include "graph/tasks/gpu_call.hpp"

namespace tessera {
namespace {

constexpr unsigned threads_of_states = 128;

template <class Lattice, class Storage>
__global__ void __launch_bounds__(threads_of_states)
    snapshot(TileView const tile, SnapshotArguments const arguments,
             Storage const* __restrict__ populations, NodeState* __restrict__ states) {
  TileBlock const block = tile.blocks[blockIdx.x];
  // The gap behind the nodes travels as well: nothing in there may be left unset.
  std::uint32_t const end =
      blockIdx.x + 1 < tile.counts.blocks ? tile.blocks[blockIdx.x + 1].first : tile.counts.slots;
  for (std::uint32_t n = block.first + threadIdx.x; n < end; n += threads_of_states) {
    states[n] =
        n - block.first < block.nodes
            ? node_state<Lattice>(populations + population_at(block, 0, n), block.stride, arguments)
            : NodeState{};
  }
}

}  // namespace

void snapshot_on_gpu(void** buffers, void* argument) noexcept {
  auto const& arguments = *static_cast<SnapshotArguments const*>(argument);
  TileView const tile = view_tables(arguments.counts, vector_data<std::byte>(buffers, 1));
  with_lattice(arguments.model.lattice, [&]<class Lattice>() {
    with_storage(arguments.precision, [&]<class Storage>() {
      snapshot<Lattice>
          <<<arguments.counts.blocks, threads_of_states, 0, starpu_cuda_get_local_stream()>>>(
              tile, arguments, vector_data<Storage const>(buffers, 0),
              vector_data<NodeState>(buffers, 2));
    });
  });
  check_gpu(cudaGetLastError());
}

}  // namespace tessera

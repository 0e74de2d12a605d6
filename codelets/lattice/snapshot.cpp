// SPDX-License-Identifier: MIT
#include "codelets/lattice/snapshot.hpp"

#include <utility>

#include "codelets/lattice/codelet.hpp"
#include "codelets/lattice/gpu/gpu.hpp"
#include "codelets/lattice/node_state.hpp"

namespace tessera {
namespace {

constexpr std::uint32_t nodes_at_once = 16;

/// node_state() of consecutive nodes at once, in the same order of operations: population by
/// population, each a run of memory, for the compiler to vectorise.
template <class Lattice, class Storage>
void node_states(Storage const* f, std::size_t stride, SnapshotArguments const& arguments,
                 NodeState* states) {
  double density_shift[nodes_at_once] = {};
  double momentum[3][nodes_at_once] = {};
  auto const add = [&]<int q>() {
    Storage const* const populations = f + static_cast<std::size_t>(q) * stride;
    for (std::uint32_t n = 0; n < nodes_at_once; ++n) {
      auto const population = static_cast<double>(from_storage(populations[n]));
      density_shift[n] += population;
      if constexpr (Lattice::x(q) != 0) momentum[0][n] += Lattice::x(q) * population;
      if constexpr (Lattice::y(q) != 0) momentum[1][n] += Lattice::y(q) * population;
      if constexpr (Lattice::z(q) != 0) momentum[2][n] += Lattice::z(q) * population;
    }
  };
  [&]<int... q>(std::integer_sequence<int, q...>) { (add.template operator()<q>(), ...); }
  (std::make_integer_sequence<int, Lattice::size>{});
  for (std::uint32_t n = 0; n < nodes_at_once; ++n) {
    states[n] =
        state_of({density_shift[n], {momentum[0][n], momentum[1][n], momentum[2][n]}}, arguments);
  }
}

template <class Lattice, class Storage>
void snapshot_tile(void** buffers, SnapshotArguments const& arguments) {
  auto const* const populations = vector_data<Storage>(buffers, 0);
  TileView const tile = view_tables(arguments.counts, vector_data<std::byte>(buffers, 1));
  auto* const states = vector_data<NodeState>(buffers, 2);
  for (std::uint32_t b = 0; b < arguments.counts.blocks; ++b) {
    TileBlock const& block = tile.blocks[b];
    std::uint32_t const end = block.first + block.nodes;
    std::uint32_t n = block.first;
    for (; n + nodes_at_once <= end; n += nodes_at_once) {
      node_states<Lattice>(populations + population_at(block, 0, n), block.stride, arguments,
                           states + n);
    }
    for (; n < end; ++n)
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

/// Buffers: 0 R populations; 1 R tables; 2 W states.
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

}  // namespace

void submit_snapshot(DataHandle const& populations, DataHandle const& tables,
                     DataHandle const& states, Argument arguments, Placement const& placement) {
  Accesses data;
  data.reads(populations).reads(tables).writes(states);
  submit(snapshot_codelet(), data, std::move(arguments), placement);
}

}  // namespace tessera

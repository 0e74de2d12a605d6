// SPDX-License-Identifier: MIT
#include "codelets/lattice/block_populations.hpp"

#include <algorithm>
#include <type_traits>

#include "codelets/lattice/codelet.hpp"
#include "codelets/lattice/halo.hpp"
#include "codelets/lattice/huge_pages.hpp"

namespace tessera {
namespace {

/// Walks over the populations of a tile's blocks: visit(first in the tile, first outside, nodes,
/// nodes and the gap behind them).
template <class Storage, class Visit>
void for_each_array(TileView const& tile, TransferArguments const& arguments, Storage* in_tile,
                    Visit&& visit) {
  auto const velocities = static_cast<std::uint32_t>(arguments.populations->velocities());
  for (std::uint32_t b = 0; b < tile.counts.blocks; ++b) {
    TileBlock const& block = tile.blocks[b];
    std::uint32_t const end =
        b + 1 < tile.counts.blocks ? tile.blocks[b + 1].first : tile.counts.slots;
    auto* outside = arguments.populations->of<std::remove_const_t<Storage>>((*arguments.blocks)[b]);
    for (std::uint32_t q = 0; q < velocities; ++q, outside += block.nodes)
      visit(in_tile + population_at(block, q, block.first), outside, block.nodes,
            end - block.first);
  }
}

template <class Storage>
void unload_tile(void** buffers, TransferArguments const& arguments) {
  TileView const tile = view_tables(arguments.counts, vector_data<std::byte>(buffers, 1));
  for_each_array(tile, arguments, vector_data<Storage const>(buffers, 0),
                 [](Storage const* from, Storage* to, std::uint32_t nodes, std::uint32_t) {
                   std::copy_n(from, nodes, to);
                 });
}

template <class Storage>
void load_tile(void** buffers, TransferArguments const& arguments) {
  TileView const tile = view_tables(arguments.counts, vector_data<std::byte>(buffers, 1));
  auto* const populations = vector_data<Storage>(buffers, 0);
  advise_huge_pages(populations, STARPU_VECTOR_GET_NX(buffers[0]) * sizeof(Storage));
  for_each_array(tile, arguments, populations,
                 [](Storage* to, Storage const* from, std::uint32_t nodes, std::uint32_t with_gap) {
                   std::copy_n(from, nodes, to);
                   // Cores compute the gaps as well: what stood here may be slow to compute with.
                   std::fill(to + nodes, to + with_gap, Storage{});
                 });
  pack(tile, populations, vectors_data<Storage>(buffers, 2, arguments.counts.outboxes).data());
}

void unload_on_core(void** buffers, void* argument) noexcept {
  auto const& arguments = *static_cast<TransferArguments const*>(argument);
  with_storage(arguments.precision,
               [&]<class Storage>() { unload_tile<Storage>(buffers, arguments); });
}

void load_on_core(void** buffers, void* argument) noexcept {
  auto const& arguments = *static_cast<TransferArguments const*>(argument);
  with_storage(arguments.precision,
               [&]<class Storage>() { load_tile<Storage>(buffers, arguments); });
}

/// Buffers: 0 R populations; 1 R tables.
starpu_codelet& unload_codelet() {
  static starpu_codelet codelet = {.cpu_funcs = {unload_on_core},
                                   .nbuffers = 2,
                                   .modes = {STARPU_R, STARPU_R},
                                   .model = &starpu_perfmodel_nop,
                                   .name = "unload"};
  return codelet;
}

/// Buffers: 0 W populations; 1 R tables; from 2 on W own outboxes.
starpu_codelet& load_codelet() {
  static starpu_codelet codelet = {.cpu_funcs = {load_on_core},
                                   .nbuffers = STARPU_VARIABLE_NBUFFERS,
                                   .model = &starpu_perfmodel_nop,
                                   .name = "load"};
  return codelet;
}

}  // namespace

BlockPopulations::BlockPopulations(std::vector<std::uint32_t> const& nodes_of_block,
                                   LatticeKind lattice, Precision precision)
    : velocities_(velocities_of(lattice).size) {
  first_.push_back(0);
  for (std::uint32_t const nodes : nodes_of_block)
    first_.push_back(first_.back() +
                     static_cast<std::size_t>(velocities_) * bytes_of(precision) * nodes);
  data_ = std::make_unique_for_overwrite<std::byte[]>(bytes());
}

void submit_unload(DataHandle const& populations, DataHandle const& tables,
                   TransferArguments const& arguments, Placement const& placement) {
  Accesses data;
  data.reads(populations).reads(tables);
  submit(unload_codelet(), data, &arguments, on_cores(placement));
}

void submit_load(DataHandle const& populations, DataHandle const& tables,
                 std::span<DataHandle const* const> outboxes, TransferArguments const& arguments,
                 Placement const& placement) {
  Accesses data;
  data.writes(populations).reads(tables);
  for (DataHandle const* const outbox : outboxes) data.writes(*outbox);
  submit(load_codelet(), data, &arguments, on_cores(placement));
}

}  // namespace tessera

// SPDX-License-Identifier: MIT
// Populations that leave their tiles and enter others: where a flow is cut anew while it runs, and
// where it is saved and goes on later.
#include <fmt/format.h>

#include <chrono>
#include <span>
#include <string>
#include <utility>

#include "graph/flow_graph.hpp"
#include "graph/main_memory.hpp"
#include "lattice/errors.hpp"

namespace tessera {
namespace {

/// The tasks that carry populations run on cores; StarPU brings them what lies on a GPU.
Placement on_cores(Placement const& placement) {
  return (placement.kinds & STARPU_CPU) != 0 ? Placement{STARPU_CPU, placement.worker}
                                             : Placement{.kinds = STARPU_CPU};
}

/// Room for the populations of some of the tiles.
BlockPopulations room_for(std::span<Tile const> tiles, Tiling const& tiling, Precision precision) {
  std::vector<std::uint32_t> nodes(static_cast<std::size_t>(tiling.blocks));
  for (Tile const& tile : tiles) {
    TileView const view = view_tables(tile.layout, tile.tables.data());
    for (std::size_t b = 0; b < tile.blocks.size(); ++b)
      nodes[static_cast<std::size_t>(tile.blocks[b])] = view.blocks[b].nodes;
  }
  return {nodes, tiling.lattice, precision};
}

std::vector<TransferArguments> transfers(std::span<Tile const> tiles, Precision precision,
                                         BlockPopulations& populations) {
  std::vector<TransferArguments> arguments;
  for (Tile const& tile : tiles)
    arguments.push_back({tile.layout, precision, &tile.blocks, &populations});
  return arguments;
}

/// Equilibrium in all nodes.
template <class Lattice, class Storage>
void write_equilibrium(BlockPopulations& populations, Tiling const& tiling, EquilibriumForm form,
                       std::function<Moments(Int3 voxel)> const& state) {
  for (Tile const& tile : tiling.tiles) {
    TileView const view = view_tables(tile.layout, tile.tables.data());
    for (std::size_t b = 0; b < tile.blocks.size(); ++b) {
      TileBlock const& block = view.blocks[b];
      Int3 const origin = tiling.block_origins[static_cast<std::size_t>(tile.blocks[b])];
      auto* const outside = populations.of<Storage>(tile.blocks[b]);
      for_each_node(view, b, [&](Int3 in_block, std::uint32_t node) {
        double f[Lattice::size];
        equilibrium_populations<Lattice>(form, state(origin + in_block), f);
        for (std::size_t q = 0; q < Lattice::size; ++q) {
          outside[q * block.nodes + node - block.first] =
              to_storage<Storage>(static_cast<Arithmetic<Storage>>(f[q]));
        }
      });
    }
  }
}

}  // namespace

void FlowGraph::adopt(Tiling tiling) {
  check_tiles(tiling);
  wait();
  auto const start = std::chrono::steady_clock::now();
  BlockPopulations populations = unload_tiles();
  order_ = order_of(tiling);
  own_tiling_ = std::make_unique<Tiling const>(std::move(tiling));
  add_tiles();
  load_tiles(populations);
  std::chrono::duration<double> const seconds = std::chrono::steady_clock::now() - start;
  balancer_.note_cut(steps_, seconds.count(), populations.bytes());
}

void FlowGraph::submit_unloading(std::size_t t, TransferArguments const& arguments) {
  TileData const& tile = tiles_[t];
  Accesses data;
  data.reads(tile.populations[parity(steps_)]).reads(tile.tables);
  submit(unload_codelet(), data, &arguments, on_cores(tile.placement));
}

void FlowGraph::submit_loading(std::size_t t, TransferArguments const& arguments) {
  TileData const& tile = tiles_[t];
  Accesses data;
  data.writes(tile.populations[parity(steps_)]).reads(tile.tables);
  if (tile.outbox[parity(steps_)]) data.writes(tile.outbox[parity(steps_)]);
  submit(load_codelet(), data, &arguments, on_cores(tile.placement));
}

BlockPopulations FlowGraph::unload_tiles() {
  BlockPopulations populations = room_for(tiling().tiles, tiling(), options_.precision);
  auto const arguments = transfers(tiling().tiles, options_.precision, populations);
  for (std::size_t t = 0; t < tiles_.size(); ++t) submit_unloading(t, arguments[t]);
  for (std::size_t t = 0; t < tiles_.size(); ++t) unload_memory(t, populations);
  // One after the other, as soon as it has been read: so never much more than one lattice and what
  // is there of the copy takes up memory. The new tiles have use for no buffer of this size.
  FreedForGood const freed;
  tiles_.clear();
  return populations;
}

void FlowGraph::load_tiles(BlockPopulations& populations) {
  auto const arguments = transfers(tiling().tiles, options_.precision, populations);
  for (std::size_t t = 0; t < tiles_.size(); ++t) submit_loading(t, arguments[t]);
  for (std::size_t t = 0; t < tiles_.size(); ++t) load_memory(t, populations);
  wait();
}

void FlowGraph::save(VisitPopulations const& visit) {
  for (std::size_t t = 0; t < tiles_.size(); ++t) {
    Tile const& tile = tiling().tiles[t];
    BlockPopulations populations = room_for({&tile, 1}, tiling(), options_.precision);
    auto const arguments = transfers({&tile, 1}, options_.precision, populations);
    submit_unloading(t, arguments.front());
    unload_memory(t, populations);
    wait();
    visit(tile, populations);
  }
}

void FlowGraph::restore(std::int64_t step, VisitPopulations const& fill) {
  wait();
  for (TileData const& tile : tiles_) {
    starpu_data_invalidate_submit(tile.populations[parity(steps_)].get());
    if (tile.outbox[0]) starpu_data_invalidate_submit(tile.outbox[parity(steps_)].get());
  }
  steps_ = step;
  no_forces_before_ = step;
  step_of_values_ = -1;
  to_measure_.clear();
  balancer_.begin_at(step);
  for (std::size_t t = 0; t < tiles_.size(); ++t) {
    Tile const& tile = tiling().tiles[t];
    BlockPopulations populations = room_for({&tile, 1}, tiling(), options_.precision);
    fill(tile, populations);
    auto const arguments = transfers({&tile, 1}, options_.precision, populations);
    submit_loading(t, arguments.front());
    load_memory(t, populations);
    wait();
  }
}

void FlowGraph::set_state(std::function<Moments(Int3 voxel)> const& state) {
  wait();
  BlockPopulations populations = room_for(tiling().tiles, tiling(), options_.precision);
  with_lattice(options_.model.lattice, [&]<class Lattice>() {
    with_storage(options_.precision, [&]<class Storage>() {
      write_equilibrium<Lattice, Storage>(populations, tiling(), options_.model.equilibrium, state);
    });
  });
  load_tiles(populations);
}

void FlowGraph::begin_cut(std::vector<double> const& shares) {
  if (!options_.cut_anew || next_tiling_.valid()) return;
  // A copy of the lattice, and a second one where the new tiles of GPUs stand in line for the bus.
  std::size_t needed = 0;
  for (std::size_t t = 0; t < tiles_.size(); ++t) {
    TileLoad const load = load_of(t);
    bool const on_gpu = options_.domains[static_cast<std::size_t>(load.domain)].is_gpu();
    needed += on_gpu ? 2 * load.bytes : load.bytes;
  }
  if (std::size_t const left = main_memory_available(); needed > left) {
    refuse_cuts(fmt::format("it takes {:.1f} GB of main memory, and {:.1f} are left",
                            static_cast<double>(needed) * 1e-9, static_cast<double>(left) * 1e-9));
    return;
  }
  next_tiling_ = std::async(std::launch::async, options_.cut_anew, shares);
}

void FlowGraph::finish_cut() {
  using namespace std::chrono_literals;
  if (!next_tiling_.valid() || next_tiling_.wait_for(0s) != std::future_status::ready) return;
  if (snapshots_out_ > 0) return;  // somebody is still reading the tiles
  try {
    adopt(next_tiling_.get());
  } catch (BadInput const& error) {
    refuse_cuts(error.what());
  }
}

void FlowGraph::refuse_cuts(std::string const& why) {
  balancer_.note_refusal(why);
  options_.cut_anew = {};
}

}  // namespace tessera

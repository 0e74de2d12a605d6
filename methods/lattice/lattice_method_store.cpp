// SPDX-License-Identifier: MIT
// Populations that leave their tiles and enter others, and other tiles for them.
#include <algorithm>
#include <numeric>
#include <utility>

#include "base/ranks/block_exchange.hpp"
#include "base/ranks/ranks.hpp"
#include "methods/lattice/lattice_method.hpp"
#include "models/lattice/equilibrium_populations.hpp"

namespace tessera {
namespace {

/// Equilibrium in all nodes.
template <class Lattice, class Storage>
void write_equilibrium(BlockPopulations& populations, Tiling const& tiling, EquilibriumForm form,
                       std::function<DensityAndVelocity(Int3 voxel)> const& state) {
  for (Tile const& tile : tiling.tiles) {
    TileView const view = view_of(tile);
    for_each_node(tiling, tile, [&](Int3 voxel, std::uint32_t node, std::size_t b) {
      TileBlock const& block = view.blocks[b];
      auto* const outside = populations.of<Storage>(tile.blocks[b]);
      double f[Lattice::size];
      equilibrium_populations<Lattice>(form, state(voxel), f);
      for (std::size_t q = 0; q < Lattice::size; ++q) {
        outside[q * block.nodes + node - block.first] =
            to_storage<Storage>(static_cast<Arithmetic<Storage>>(f[q]));
      }
    });
  }
}

}  // namespace

PopulationStore LatticeMethod::make_room(std::span<std::size_t const> tiles) const {
  std::vector<std::uint32_t> nodes(static_cast<std::size_t>(tiling().blocks));
  for (std::size_t const t : tiles) {
    Tile const& tile = tiling().tiles[t];
    TileView const view = view_of(tile);
    for (std::size_t b = 0; b < tile.blocks.size(); ++b)
      nodes[static_cast<std::size_t>(tile.blocks[b])] = view.blocks[b].nodes;
  }
  return PopulationStore({nodes, tiling().lattice, options_.precision});
}

std::unique_ptr<UnitStore> LatticeMethod::room_for(std::span<std::size_t const> tiles) const {
  return std::make_unique<PopulationStore>(make_room(tiles));
}

PopulationStore LatticeMethod::room_for_all() const {
  std::vector<std::size_t> all(tiles_.size());
  std::iota(all.begin(), all.end(), 0U);
  return make_room(all);
}

PopulationStore LatticeMethod::equilibrium(
    std::function<DensityAndVelocity(Int3 voxel)> const& state) const {
  PopulationStore store = room_for_all();
  with_lattice(options_.model.lattice, [&]<class Lattice>() {
    with_storage(options_.precision, [&]<class Storage>() {
      write_equilibrium<Lattice, Storage>(store.populations, tiling(), options_.model.equilibrium,
                                          state);
    });
  });
  return store;
}

void LatticeMethod::submit_unload(std::size_t t, std::int64_t steps, UnitStore& store,
                                  Placement const& placement) {
  auto& to = dynamic_cast<PopulationStore&>(store);
  Tile const& tile = tiling().tiles[t];
  to.transfers.push_back(std::make_unique<TransferArguments const>(
      TransferArguments{tile.counts, options_.precision, &tile.blocks, &to.populations}));
  tessera::submit_unload(tiles_[t].populations[parity(steps)], tiles_[t].tables,
                         *to.transfers.back(), placement);
  tiles_[t].boundaries.unload(tile.blocks, to.populations);
}

void LatticeMethod::submit_load(std::size_t t, std::int64_t steps, UnitStore& store,
                                Placement const& placement) {
  auto& from = dynamic_cast<PopulationStore&>(store);
  Tile const& tile = tiling().tiles[t];
  from.transfers.push_back(std::make_unique<TransferArguments const>(
      TransferArguments{tile.counts, options_.precision, &tile.blocks, &from.populations}));
  tessera::submit_load(tiles_[t].populations[parity(steps)], tiles_[t].tables,
                       outboxes_of(t, steps), *from.transfers.back(), placement);
  tiles_[t].boundaries.load(tile.blocks, from.populations);
}

void LatticeMethod::submit_discard(std::size_t t, std::int64_t steps) {
  TileData const& tile = tiles_[t];
  starpu_data_invalidate_submit(tile.populations[parity(steps)].get());
  for (DataHandle const* const outbox : outboxes_of(t, steps))
    starpu_data_invalidate_submit(outbox->get());
}

void LatticeMethod::begin_after(std::int64_t step) {
  no_forces_before_ = step;
  step_of_values_ = -1;
  foreign_.forget_stages();
}

std::unique_ptr<NewTiles> LatticeMethod::cut_anew(NewShares const& shares) const {
  return std::make_unique<NewTiling>(options_.cut_anew(shares));
}

void LatticeMethod::check(NewTiles const& tiles) const {
  check(*dynamic_cast<NewTiling const&>(tiles).tiling);
}

void LatticeMethod::adopt(std::unique_ptr<NewTiles> tiles) {
  {
    // One after the other, as soon as it has been read: so never much more than one lattice and
    // what is there of the copy takes up memory. The new tiles have use for no buffer of this size.
    FreedForGood const freed;
    tiles_.clear();
  }
  own_tiling_ = std::move(dynamic_cast<NewTiling&>(*tiles).tiling);
  add_tiles();
}

std::unique_ptr<UnitStore> LatticeMethod::handed_over(std::unique_ptr<UnitStore> store) const {
  if (Ranks::alone()) return store;
  BlockPopulations& before = dynamic_cast<PopulationStore&>(*store).populations;
  auto now = std::make_unique<PopulationStore>(room_for_all());
  auto const take = [&](std::int32_t block, std::span<std::byte const> bytes,
                        std::span<double const> remembered) {
    std::ranges::copy(bytes, now->populations.bytes_of_block(block).begin());
    if (!remembered.empty())
      now->populations.remembered[block].assign(remembered.begin(), remembered.end());
  };
  hand_over_blocks(
      tiling().rank_of_block,
      [&](std::int32_t block) {
        auto const found = before.remembered.find(block);
        std::span<double const> const remembered =
            found == before.remembered.end() ? std::span<double const>() : found->second;
        return StateOfBlock{before.bytes_of_block(block), remembered};
      },
      take);
  return now;
}

}  // namespace tessera

// SPDX-License-Identifier: MIT
// States that leave their tiles and enter others, and other tiles for them.
#include <algorithm>
#include <utility>

#include "base/ranks/block_exchange.hpp"
#include "base/ranks/ranks.hpp"
#include "codelets/spectral/transfer.hpp"
#include "methods/spectral/spectral_method.hpp"

namespace tessera::spectral {

std::unique_ptr<UnitStore> SpectralMethod::room_for(std::span<std::size_t const> tiles) const {
  std::vector<bool> wanted(of_.packs.packs.size());
  for (std::size_t const t : tiles) {
    for (std::int32_t const pack : tiles_[t].tile.packs)
      wanted[static_cast<std::size_t>(pack)] = true;
  }
  return std::make_unique<PackStore>(of_, options_.numbers, wanted);
}

void SpectralMethod::submit_unload(std::size_t t, std::int64_t, UnitStore& store,
                                   Placement const& placement) {
  auto& to = dynamic_cast<PackStore&>(store);
  std::vector<std::span<std::byte>> states;
  for (std::int32_t const pack : tiles_[t].tile.packs)
    states.push_back(to.state(static_cast<std::size_t>(pack)));
  submit_copy_out(tiles_[t].state, std::move(states), placement);
}

void SpectralMethod::submit_load(std::size_t t, std::int64_t stages, UnitStore& store,
                                 Placement const& placement) {
  auto& from = dynamic_cast<PackStore&>(store);
  std::vector<std::span<std::byte>> states;
  for (std::int32_t const pack : tiles_[t].tile.packs)
    states.push_back(from.state(static_cast<std::size_t>(pack)));
  submit_copy_in(tiles_[t].state, std::move(states), placement);
  publish(t, stages, placement);
}

void SpectralMethod::submit_discard(std::size_t t, std::int64_t stages) {
  TileData const& tile = tiles_[t];
  starpu_data_invalidate_submit(tile.state.get());
  starpu_data_invalidate_submit(tile.traces[parity(stages)].get());
  for (DataHandle const* const outbox : outboxes_of(t, stages))
    starpu_data_invalidate_submit(outbox->get());
}

void SpectralMethod::begin_after(std::int64_t step) {
  foreign_.forget_stages();
  if (std::exchange(has_new_tiles_, false)) return;
  first_step_ = step;
  first_time_ = 0;
  clocks_have_begun_ = false;
}

void SpectralMethod::adopt(std::unique_ptr<NewTiles> tiles) {
  {
    // One after the other, so never much more than one state and what is there of the copy takes
    // up memory. The new tiles have use for no buffer of this size.
    FreedForGood const freed;
    tiles_.clear();
  }
  has_new_tiles_ = true;
  add_tiles(std::move(dynamic_cast<NewPackTiles&>(*tiles).tiles));
}

std::unique_ptr<UnitStore> SpectralMethod::handed_over(std::unique_ptr<UnitStore> store) const {
  if (Ranks::alone()) return store;
  auto const& before = dynamic_cast<PackStore const&>(*store);
  std::vector<bool> wanted;
  wanted.reserve(rank_of_pack_.size());
  for (std::int32_t const rank : rank_of_pack_) wanted.push_back(rank == Ranks::rank());
  auto now = std::make_unique<PackStore>(of_, options_.numbers, wanted);
  auto const take = [&](std::int32_t pack, std::span<std::byte const> state,
                        std::span<double const>) {
    std::ranges::copy(state, now->state(static_cast<std::size_t>(pack)).begin());
  };
  hand_over_blocks(
      rank_of_pack_,
      [&](std::int32_t pack) { return StateOfBlock{before.state(static_cast<std::size_t>(pack))}; },
      take);
  return now;
}

}  // namespace tessera::spectral

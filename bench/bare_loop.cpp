// SPDX-License-Identifier: MIT
#include "bench/bare_loop.hpp"

#include <barrier>

#include "base/machine/thread_team.hpp"
#include "codelets/lattice/halo.hpp"

namespace tessera {

template <class Storage>
BareLoop<Storage>::BareLoop(Tiling const& tiling, CpuKernels const& kernels, FlowModel const& model,
                            FlowParameters const& parameters, unsigned threads)
    : tiling_(tiling),
      kernel_(kernels.kernel(model, precision_of<Storage>)),
      parameters_(parameters),
      threads_(threads) {
  for (Tile const& tile : tiling.tiles) {
    std::size_t const values = tile.population_values;
    std::vector<Storage> const outbox(tile.counts.outbox_values);
    tiles_.push_back({{AlignedArray<Storage>(values), AlignedArray<Storage>(values)},
                      {outbox, outbox},
                      plan_pull(model.lattice, view_of(tile))});
  }
}

template <class Storage>
void BareLoop<Storage>::step(std::size_t t, std::size_t parity) {
  Tile const& tile = tiling_.tiles[t];
  TileView const view = view_of(tile);
  std::vector<Storage const*> inboxes;
  inboxes.reserve(tile.neighbours.size());
  for (std::int32_t n : tile.neighbours) {
    inboxes.push_back(tiles_[static_cast<std::size_t>(n)].outbox[parity].data());
  }
  Storage* const old_populations = tiles_[t].populations[parity].get();
  Storage* const new_populations = tiles_[t].populations[1 - parity].get();
  unpack(view, inboxes.data(), old_populations);
  kernel_(view, tiles_[t].plan, old_populations, new_populations, parameters_);
  Storage* const outbox = tiles_[t].outbox[1 - parity].data();
  pack(view, new_populations, &outbox);
}

template <class Storage>
double BareLoop<Storage>::run(std::int64_t steps) {
  std::barrier all_done(threads_);
  double const seconds = time_threads(threads_, [&](unsigned thread) {
    for (std::int64_t s = 0; s < steps; ++s) {
      for (std::size_t t = thread; t < tiles_.size(); t += threads_) {
        step(t, static_cast<std::size_t>((steps_ + s) & 1));
      }
      all_done.arrive_and_wait();
    }
  });
  steps_ += steps;
  return seconds;
}

template class BareLoop<Half>;
template class BareLoop<float>;
template class BareLoop<double>;

}  // namespace tessera

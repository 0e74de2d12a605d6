// SPDX-License-Identifier: MIT
#include <string>

#include "bench/gpu_loop.hpp"

namespace tessera {

GpuLoop::GpuLoop(Tiling const& tiling, Precision precision, FlowModel const& model,
                 FlowParameters const& parameters)
    : precision_(precision), model_(model), parameters_(parameters) {
  using Bytes = DeviceArray<std::byte>;
  for (Tile const& tile : tiling.tiles) {
    std::size_t const lattice = tile.population_values * bytes_of(precision);
    if (tile.neighbours.size() > most_inboxes) {
      throw BadInput("a tile borders on " + std::to_string(tile.neighbours.size()) +
                     " others: at most " + std::to_string(most_inboxes) +
                     " on a GPU; use fewer tiles");
    }
    std::size_t const outbox = tile.counts.outbox_values * bytes_of(precision);
    tiles_.push_back({Bytes(tile.tables.size()),
                      {Bytes(lattice), Bytes(lattice)},
                      {Bytes(outbox), Bytes(outbox)}});
    tiles_.back().tables.upload(tile.tables.data());
  }
  for (std::size_t t = 0; t < tiles_.size(); ++t) {
    for (std::size_t p : {0, 1}) steps_[p].push_back(step_of(tiling, t, p));
  }
}

GpuStep GpuLoop::step_of(Tiling const& tiling, std::size_t t, std::size_t parity) const {
  Tile const& tile = tiling.tiles[t];
  TileBuffers const& own = tiles_[t];
  GpuStep step{.tile = view_tables(tile.counts, own.tables.get()),
               .old_populations = own.populations[parity].get(),
               .new_populations = own.populations[1 - parity].get(),
               .outboxes = {{own.outbox[1 - parity].get()}},
               .inboxes = {}};
  for (std::size_t i = 0; i < tile.neighbours.size(); ++i) {
    auto const neighbour = static_cast<std::size_t>(tile.neighbours[i]);
    step.inboxes.box[i] = tiles_[neighbour].outbox[parity].get();
  }
  return step;
}

double GpuLoop::run(std::int64_t steps) {
  return timer_.seconds(stream_.get(), [&] {
    for (std::int64_t s = 0; s < steps; ++s, ++steps_taken_) {
      for (GpuStep const& step : steps_[parity()]) {
        check_cuda(launch_step(precision_, model_, step, parameters_, stream_.get()),
                   "launching a step");
      }
    }
  });
}

std::size_t GpuLoop::bytes_needed(Tiling const& tiling, Precision precision) {
  std::size_t bytes = 0;
  for (Tile const& tile : tiling.tiles) {
    std::size_t const values = tile.population_values + tile.counts.outbox_values;
    bytes += tile.tables.size() + 2 * values * bytes_of(precision);
  }
  return bytes;
}

}  // namespace tessera

// SPDX-License-Identifier: MIT
// What others see of a gas: measurements of each pack, which one task collects, and copies of
// states.
#include <utility>

#include "codelets/spectral/transfer.hpp"
#include "graph/tasks/starpu_call.hpp"
#include "methods/spectral/rank_sums.hpp"
#include "methods/spectral/spectral_method.hpp"

namespace tessera::spectral {

void SpectralMethod::submit_measurement(std::size_t t, std::int64_t step, std::size_t slot,
                                        Placement const& placement) {
  begin_clocks();
  TileData const& tile = tiles_[t];
  When const at = when(step);
  submit_gas_measure(tile.state, tile.tables, clock_of(at.step), tile.measured[slot],
                     {.of = &of_,
                      .packs = &tile.tile.packs,
                      .counts = tile.tile.counts,
                      .numbers = options_.numbers,
                      .exact = options_.exact,
                      .time = at.time},
                     placement);
}

void SpectralMethod::submit_collection(std::int64_t step, std::size_t slot) {
  When const at = when(step);
  GasCollectArguments arguments{.step = step, .time = at.time};
  arguments.deliver = [this](GasSums const& measured) { board_.put(measured); };
  std::vector<DataHandle const*> measured;
  for (TileData const& tile : tiles_) {
    arguments.packs.push_back(&tile.tile.packs);
    measured.push_back(&tile.measured[slot]);
  }
  submit_gas_collect(clock_of(at.step), measured, std::move(arguments));
}

GasMeasurement SpectralMethod::take_measurement(std::int64_t step) {
  GasSums measured = board_.take(step);
  add_up_over_ranks(measured);
  return measured.measurement();
}

void SpectralMethod::submit_snapshot(std::size_t t, std::size_t set, Placement const& placement) {
  TileData& tile = tiles_[t];
  DataHandle& copy = tile.snapshots[set];
  if (!copy) {
    copy = DataHandle::vector(static_cast<std::size_t>(tile.tile.counts.state_numbers),
                              spectral::bytes_of(options_.numbers));
  }
  spectral::submit_snapshot(tile.state, copy, placement);
}

void SpectralMethod::visit_snapshot(std::size_t t, std::size_t set, VisitPack const& visit) {
  TileData& tile = tiles_[t];
  starpu_data_handle_t const handle = tile.snapshots[set].get();
  check_starpu(starpu_data_acquire(handle, STARPU_R), "starpu_data_acquire");
  auto const* state = static_cast<std::byte const*>(starpu_data_get_local_ptr(handle));
  for (std::int32_t const pack : tile.tile.packs) {
    PackShape const shape{of_.mesh.dimension,
                          of_.packs.packs[static_cast<std::size_t>(pack)].degree};
    std::size_t const bytes =
        static_cast<std::size_t>(shape.state_size()) * spectral::bytes_of(options_.numbers);
    visit(pack, {state, bytes});
    state += bytes;
  }
  starpu_data_release(handle);
  tile.snapshots[set] = {};  // one tile's worth of memory at a time
}

}  // namespace tessera::spectral

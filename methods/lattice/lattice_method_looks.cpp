// SPDX-License-Identifier: MIT
// What others see of the flow: sums over each block, which one task collects, and copies of density
// and velocity.
#include <algorithm>
#include <utility>

#include "graph/tasks/starpu_call.hpp"
#include "methods/lattice/lattice_method.hpp"

namespace tessera {
namespace {

bool asks_forces(Boundaries const* boundaries) {
  return boundaries != nullptr &&
         std::ranges::any_of(boundaries->conditions, &BoundaryCondition::measure_force);
}

}  // namespace

void LatticeMethod::submit_measurement(std::size_t t, std::int64_t step, std::size_t slot,
                                       Placement const& placement) {
  TileData const& tile = tiles_[t];
  submit_measure(tile.populations[parity(step)], tile.tables, tile.average_boxes, tile.sums[slot],
                 tile.measure, placement);
}

void LatticeMethod::take_functional_at(std::int64_t step) {
  functional_slots_[step] = functionals_++ % 2;
}

void LatticeMethod::submit_functional_of(std::size_t t, std::int64_t step,
                                         Placement const& placement) {
  auto const asked = functional_slots_.find(step + 1);
  if (asked == functional_slots_.end()) return;
  TileData& tile = tiles_[t];
  DataHandle& sums = tile.functionals[asked->second];
  if (!sums) sums = DataHandle::vector(tile.functional.counts.blocks, sizeof(FunctionalTerms));
  submit_functional(tile.populations[parity(step)], tile.populations[parity(step + 1)], tile.tables,
                    sums, tile.functional, placement);
}

void LatticeMethod::submit_collection(std::int64_t step, std::size_t slot) {
  auto arguments = std::make_unique<CollectArguments>(CollectArguments{
      step, [this](MeasuredSums sums) { board_.put(std::move(sums)); }, tiling().first_tile});
  std::vector<DataHandle const*> sums;
  sums.reserve(tiles_.size());
  for (TileData const& tile : tiles_) sums.push_back(&tile.sums[slot]);
  std::vector<DataHandle const*> forces;
  if (asks_forces(options_.boundaries.get()) && step > no_forces_before_) {
    arguments->wall_forces = options_.boundaries->conditions.size();
    arguments->forces = &force_places_;
    for (TileData const& tile : tiles_) {
      DataHandle const& of_tile = tile.boundaries.wall_forces(step);
      if (of_tile) forces.push_back(&of_tile);
    }
  }
  std::vector<DataHandle const*> functionals;
  if (auto const asked = functional_slots_.extract(step)) {
    for (TileData const& tile : tiles_) functionals.push_back(&tile.functionals[asked.mapped()]);
  }
  submit_collect(sums, forces, functionals, std::move(arguments));
}

void LatticeMethod::submit_snapshot(std::size_t t, std::size_t set, std::int64_t steps,
                                    std::optional<StepValues> const& led_here,
                                    Placement const& placement) {
  TileData& tile = tiles_[t];
  DataHandle& states = tile.states[set];
  if (!states) states = DataHandle::vector(tile.step.counts.slots, sizeof(NodeState));
  Argument argument = &tile.snapshot;
  if (led_here) {
    SnapshotArguments arguments = tile.snapshot;
    std::ranges::copy(led_here->force, arguments.force);
    argument = Argument::copy_of(arguments);
  }
  tessera::submit_snapshot(tile.populations[parity(steps)], tile.tables, states,
                           std::move(argument), placement);
}

NodeState const* LatticeMethod::acquire_states(std::size_t tile, std::size_t set) const {
  starpu_data_handle_t const handle = tiles_[tile].states[set].get();
  check_starpu(starpu_data_acquire(handle, STARPU_R), "starpu_data_acquire");
  return static_cast<NodeState const*>(starpu_data_get_local_ptr(handle));
}

void LatticeMethod::release_states(std::size_t tile, std::size_t set) {
  starpu_data_release(tiles_[tile].states[set].get());
  tiles_[tile].states[set] = {};  // one tile's worth of memory at a time
}

}  // namespace tessera

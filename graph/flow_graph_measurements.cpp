// SPDX-License-Identifier: MIT
// Measurements of the flow: sums over each block, which one task collects in global order.
#include <algorithm>
#include <iterator>
#include <limits>

#include "graph/flow_graph.hpp"

namespace tessera {
namespace {

bool asks_forces(Boundaries const* boundaries) {
  return boundaries != nullptr &&
         std::ranges::any_of(boundaries->conditions, &BoundaryCondition::measure_force);
}

}  // namespace

void FlowGraph::measure_at(std::int64_t step) { to_measure_.insert(step); }

std::optional<std::size_t> FlowGraph::slot_of(std::int64_t step) const {
  auto const found = to_measure_.find(step);
  if (found == to_measure_.end()) return std::nullopt;
  return parity(measurements_ + std::distance(to_measure_.begin(), found));
}

std::int64_t FlowGraph::steps_until_collecting() const {
  // Sums are kept of two measurements, and wall forces of the last two steps, of which the next
  // sweep overwrites the first.
  std::size_t const most = force_places_.empty() ? 2 : 1;
  if (to_measure_.size() < most) return std::numeric_limits<std::int64_t>::max();
  return *std::next(to_measure_.begin(), static_cast<std::ptrdiff_t>(most) - 1) - steps_;
}

void FlowGraph::submit_measurement() {
  std::size_t const slot = parity(measurements_++);
  Sweep const pass = order_.next_sweep(1);
  auto const exchanges = exchanges_in(pass);
  for (std::size_t w = 0; w < pass.waves.size(); ++w) {
    for (TileStep const& next : pass.waves[w])
      submit_measurement_of(static_cast<std::size_t>(next.tile), steps_, slot);
    for (auto const& [leaves, comes] : exchanges[w])
      submit_exchange_of({leaves.tile, 0}, {comes.tile, 0});
  }
  submit_collection(steps_, slot);
}

void FlowGraph::collect_measured() {
  while (!to_measure_.empty() && *to_measure_.begin() <= steps_) {
    submit_collection(*to_measure_.begin(), parity(measurements_++));
    to_measure_.erase(to_measure_.begin());
  }
}

void FlowGraph::submit_measurement_of(std::size_t t, std::int64_t step, std::size_t slot) {
  TileData const& tile = tiles_[t];
  Accesses data;
  data.reads(tile.populations[parity(step)])
      .reads(tile.tables)
      .reads(tile.windows)
      .writes(tile.sums[slot]);
  submit(measure_codelet(), data, &tile.measure, tile.placement);
}

void FlowGraph::submit_collection(std::int64_t step, std::size_t slot) {
  Accesses all;
  for (TileData const& tile : tiles_) all.reads(tile.sums[slot]);
  auto* const arguments =
      new CollectArguments{step, &places_, [this](Sample const& sample) { board_.put(sample); }};
  if (asks_forces(options_.boundaries.get()) && step > no_forces_before_) {
    arguments->wall_forces = options_.boundaries->conditions.size();
    arguments->forces = &force_places_;
    arguments->first_force_buffer = static_cast<std::int32_t>(tiles_.size());
    for (TileData const& tile : tiles_) {
      if (tile.wall_forces[parity(step)]) all.reads(tile.wall_forces[parity(step)]);
    }
  }
  submit(collect_codelet(), all, arguments);
}

}  // namespace tessera

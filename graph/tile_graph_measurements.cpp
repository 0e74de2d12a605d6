// SPDX-License-Identifier: MIT
// When tiles are measured: at once, or each as soon as it has taken the step.
#include <iterator>
#include <limits>

#include "graph/tile_graph.hpp"

namespace tessera {

std::optional<std::size_t> TileGraph::slot_of(std::int64_t step) const {
  auto const found = to_measure_.find(step);
  if (found == to_measure_.end()) return std::nullopt;
  return (measurements_ + static_cast<std::size_t>(std::distance(to_measure_.begin(), found))) %
         slots;
}

std::optional<std::size_t> TileGraph::slot_after_stage(std::int64_t stage) const {
  if ((stage + 1) % stages_per_step_ != 0) return std::nullopt;
  return slot_of((stage + 1) / stages_per_step_);
}

std::int64_t TileGraph::steps_until_collecting() const {
  if (method_.measured_last() && !to_measure_.empty()) return *to_measure_.begin() - steps_;
  if (to_measure_.size() <= slots) return std::numeric_limits<std::int64_t>::max();
  return *std::next(to_measure_.begin(), slots) - 1 - steps_;
}

void TileGraph::submit_measurement() {
  std::size_t const slot = measurements_++ % slots;
  Sweep const pass = order_.next_sweep(1);
  auto const swaps = swaps_in(pass);
  for (std::size_t w = 0; w < pass.waves.size(); ++w) {
    for (TileStep const& next : pass.waves[w]) {
      auto const t = static_cast<std::size_t>(next.tile);
      method_.submit_measurement(t, steps_, slot, placement(t));
    }
    for (auto const& [leaves, comes] : swaps[w]) submit_swap_of({leaves.tile, 0}, {comes.tile, 0});
  }
  method_.submit_collection(steps_, slot);
}

void TileGraph::collect_measured() {
  while (!to_measure_.empty()) {
    std::size_t const slot = measurements_ % slots;
    if (measured_[slot] < tiles_.size()) return;
    method_.submit_collection(*to_measure_.begin(), slot);
    to_measure_.erase(to_measure_.begin());
    measured_[slot] = 0;
    ++measurements_;
  }
}

}  // namespace tessera

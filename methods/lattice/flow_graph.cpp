// SPDX-License-Identifier: MIT
#include "methods/lattice/flow_graph.hpp"

#include <algorithm>
#include <vector>

#include "base/ranks/rank_sums.hpp"
#include "base/ranks/ranks.hpp"

namespace tessera {

FlowGraph::FlowGraph(Tiling const& tiling, FlowOptions options)
    : method_(tiling, static_cast<LatticeOptions const&>(options),
              std::ranges::any_of(options.domains, &Domain::is_gpu)),
      graph_(method_, static_cast<GraphOptions const&>(options)) {}

void FlowGraph::submit_snapshots(std::size_t set) {
  graph_.hold_tiles();
  std::optional<StepValues> const led_here = method_.values_at(steps() - 1);
  for (std::size_t t = 0; t < tiling().tiles.size(); ++t)
    method_.submit_snapshot(t, set, steps(), led_here, graph_.placement(t));
}

Measurement FlowGraph::take_measurement(std::int64_t step) {
  MeasuredSums sums = method_.board().take(step);
  std::vector<ExactSum*> all;
  sums.for_each_sum([&](ExactSum& sum) { all.push_back(&sum); });
  add_up_over_ranks(all);
  sums.broken_tile = static_cast<std::int32_t>(Ranks::maximum(sums.broken_tile));
  return sums.measurement();
}

void FlowGraph::save(VisitPopulations const& visit) {
  graph_.save([&](std::size_t t, UnitStore& store) {
    visit(tiling().tiles[t], dynamic_cast<PopulationStore&>(store).populations);
  });
}

void FlowGraph::restore(std::int64_t step, VisitPopulations const& fill) {
  graph_.restore(step, [&](std::size_t t, UnitStore& store) {
    fill(tiling().tiles[t], dynamic_cast<PopulationStore&>(store).populations);
  });
}

void FlowGraph::set_state(std::function<DensityAndVelocity(Int3 voxel)> const& state) {
  wait();
  PopulationStore store = method_.equilibrium(state);
  graph_.load(store);
}

void FlowGraph::set_body_force(double const (&force)[3]) {
  wait();  // tasks read it from where it stands
  method_.set_body_force(force);
}

void FlowGraph::set_wall_supply(double supply) {
  wait();
  method_.set_wall_supply(supply);
}

std::vector<TileReport> FlowGraph::tile_reports() const {
  std::vector<TileReport> reports;
  for (std::size_t t = 0; t < tiling().tiles.size(); ++t) {
    Tile const& tile = tiling().tiles[t];
    TileView const view = view_of(tile);
    WorkClock::Ticket const activity = graph_.activity(t);
    TileReport report{.lower = tiling().image_shape,
                      .nodes = tile.counts.nodes,
                      .domain = graph_.domain(t),
                      .worker = activity.worker,
                      .busy_s = activity.busy_s};
    for (std::size_t b = 0; b < tile.blocks.size(); ++b) {
      Int3 const origin = origin_of(tiling(), tile, b);
      for (Axis a : all_axes) {
        report.lower[a] = std::min(report.lower[a], origin[a]);
        report.upper[a] = std::max(report.upper[a], origin[a] + view.blocks[b].extent[index_of(a)]);
      }
    }
    reports.push_back(report);
  }
  return reports;
}

}  // namespace tessera

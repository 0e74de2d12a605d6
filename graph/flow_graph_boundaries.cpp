// SPDX-License-Identifier: MIT
// The boundary conditions of a flow, and what changes in time.
#include <algorithm>
#include <limits>
#include <memory>

#include "graph/flow_graph.hpp"
#include "graph/starpu_call.hpp"

namespace tessera {
namespace {

/// What a link remembers before the first step.
constexpr double nothing_yet = std::numeric_limits<double>::quiet_NaN();

}  // namespace

void FlowGraph::add_boundaries(TileData& data, Tile const& tile) {
  data.boundary_plan =
      std::make_unique<BoundaryPlan>(plan_boundaries(tiling(), tile, *options_.boundaries));
  BoundaryPlan const& plan = *data.boundary_plan;
  data.step.boundaries = plan.counts;
  if (boundary_buffers(plan.counts) == 0) return;
  BoundaryParameters& parameters = data.step.boundary_parameters;
  parameters.equilibrium = options_.model.equilibrium;
  std::ranges::copy(options_.parameters.force, parameters.force);
  std::ranges::fill(parameters.factor, 1);
  data.boundaries = DataHandle::constant(plan.buffer.data(), plan.buffer.size());
  data.entering = DataHandle::vector(std::max(plan.counts.links, 1U), sizeof(double));
  if (plan.counts.remembered > 0) {
    data.remembered.assign(plan.counts.remembered, nothing_yet);
    data.memory = DataHandle::at_home(data.remembered.data(), data.remembered.size());
  }
  if (plan.counts.groups == 0) return;
  std::int32_t buffer = 0;
  for (TileData const& other : tiles_) buffer += other.wall_forces[0] ? 1 : 0;
  for (DataHandle& forces : data.wall_forces)
    forces = DataHandle::vector(plan.counts.groups, sizeof(WallForce));
  for (std::uint32_t g = 0; g < plan.counts.groups; ++g) {
    LinkGroup const& group = plan.view().groups[g];
    force_places_.push_back({group.block, group.condition, buffer, static_cast<std::int32_t>(g)});
  }
}

void FlowGraph::unload_memory(std::size_t t, BlockPopulations& populations) {
  TileData const& tile = tiles_[t];
  if (!tile.memory) return;
  check_starpu(starpu_data_acquire(tile.memory.get(), STARPU_R), "starpu_data_acquire");
  std::vector<std::uint32_t> const& first = tile.boundary_plan->first_link;
  std::vector<std::int32_t> const& blocks = tiling().tiles[t].blocks;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    populations.remembered[blocks[b]].assign(tile.remembered.begin() + first[b],
                                             tile.remembered.begin() + first[b + 1]);
  }
  starpu_data_release(tile.memory.get());
}

void FlowGraph::load_memory(std::size_t t, BlockPopulations const& populations) {
  TileData& tile = tiles_[t];
  if (!tile.memory) return;
  check_starpu(starpu_data_acquire(tile.memory.get(), STARPU_W), "starpu_data_acquire");
  std::ranges::fill(tile.remembered, nothing_yet);
  std::vector<std::uint32_t> const& first = tile.boundary_plan->first_link;
  std::vector<std::int32_t> const& blocks = tiling().tiles[t].blocks;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    auto const kept = populations.remembered.find(blocks[b]);
    // Of other links than these it may be, where the conditions have been changed in between.
    if (kept == populations.remembered.end() || kept->second.size() != first[b + 1] - first[b])
      continue;
    std::ranges::copy(kept->second, tile.remembered.begin() + first[b]);
  }
  starpu_data_release(tile.memory.get());
}

Argument FlowGraph::argument_of(TileData const& tile, std::int64_t step) {
  if (!options_.values_at) return &tile.step;
  if (step != step_of_values_) {
    values_ = options_.values_at(step);
    step_of_values_ = step;
  }
  StepArguments arguments = tile.step;
  std::ranges::copy(values_.force, arguments.parameters.force);
  std::ranges::copy(values_.force, arguments.boundary_parameters.force);
  std::ranges::copy(values_.factor, arguments.boundary_parameters.factor);
  return Argument::copy_of(arguments);
}

}  // namespace tessera

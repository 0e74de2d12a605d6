// SPDX-License-Identifier: MIT
#include "app/sweeps.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <string>

#include "partition/slabs.hpp"

namespace tessera {

std::int64_t bytes_on_gpus(std::int64_t nodes, Precision precision) {
  return nodes * D3Q19::size * static_cast<std::int64_t>(bytes_of(precision)) * 5 / 4;
}

std::int32_t slabs_in_memory(int steps, int window, std::int32_t per_level) {
  // Of the sweep itself 2 k - 1 levels, see StepOrder; those that the window has fetched ahead; and
  // a few slabs' worth of second lattices and of slabs that are on their way out.
  constexpr std::int32_t others = 5;
  return per_level * (2 * steps - 1 + window) + others;
}

SweepPlan plan_sweeps(BlockGrid const& grid, BlockGraph const& graph, std::array<bool, 3> periodic,
                      Workers const& workers, FlowCase const& flow_case) {
  constexpr int preferred_steps = 8;
  int const asked_for = flow_case.steps_per_sweep;
  if (workers.gpus == 0) return {.steps = std::max(1, asked_for)};
  auto const gpus = std::min(static_cast<std::int64_t>(workers.gpus), std::int64_t{grid.size()});
  std::int64_t const needed = bytes_on_gpus(grid.nodes() / gpus, flow_case.precision);
  auto const there = static_cast<std::int64_t>(workers.gpu_bytes);
  bool const fits = there == 0 || needed <= there;
  if (fits || asked_for == 1) return {.steps = std::max(1, asked_for)};
  std::string const misfit =
      fmt::format("the lattice does not fit into GPU memory, {:.1f} GB where there are {:.1f}",
                  static_cast<double>(needed) * 1e-9, static_cast<double>(there) * 1e-9);

  TileOfBlock const parts = cut_with_metis(graph, static_cast<std::int32_t>(gpus));
  SlabDirection const along = slab_direction(grid, parts, periodic);
  // The memory shall hold slabs_in_memory() of n slabs, each of needed / n bytes.
  auto const slabs_for = [&](int steps) {
    std::int64_t const held = slabs_in_memory(steps, flow_case.window, along.per_level);
    return (held * needed + there - 1) / there;
  };
  // A slab of little more than a layer may touch the next but one.
  std::int64_t const most = std::max<std::int64_t>(along.layers * 2 / 3, 1);
  int steps = asked_for > 0 ? asked_for : preferred_steps;
  while (asked_for == 0 && steps > 1 && slabs_for(steps) > most) steps /= 2;
  if (steps == 1) {
    spdlog::info("{}, and it is too flat for sweeps: 1 step on a tile at a time", misfit);
    return {};
  }
  auto const slabs = static_cast<std::int32_t>(
      flow_case.tiles > 0 ? std::max<std::int64_t>(flow_case.tiles / gpus, 1)
                          : std::min(slabs_for(steps), most));
  spdlog::info("{}: {} steps on a tile at a time, {} slabs along {} for each GPU", misfit, steps,
               slabs, name_of(along.axis));
  return {.steps = steps, .slabs = cut_into_slabs(grid, parts, along.axis, slabs)};
}

}  // namespace tessera

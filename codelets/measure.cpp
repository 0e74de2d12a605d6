// SPDX-License-Identifier: MIT
#include "codelets/measure.hpp"

#include <cmath>
#include <memory>

#include "codelets/codelet.hpp"
#include "codelets/gpu.hpp"

namespace tessera {
namespace {

template <class Lattice, class Storage>
void measure_tile(void** buffers, MeasureArguments const& arguments) {
  TileView const tile = view_tables(arguments.counts, vector_data<std::byte>(buffers, 1));
  auto const* const populations = vector_data<Storage>(buffers, 0);
  auto* const sums = vector_data<BlockSums>(buffers, 3);
  auto const* const average_boxes = vector_data<AverageBox const>(buffers, 2);
  for (std::uint32_t b = 0; b < arguments.counts.blocks; ++b) {
    sums[b] = sum_block<Lattice>(tile, b, average_boxes[b], populations);
  }
}

void measure_on_core(void** buffers, void* argument) noexcept {
  auto const& arguments = *static_cast<MeasureArguments const*>(argument);
  with_lattice(arguments.lattice, [&]<class Lattice>() {
    with_storage(arguments.precision,
                 [&]<class Storage>() { measure_tile<Lattice, Storage>(buffers, arguments); });
  });
}

void add(BlockSums& total, BlockSums const& block) {
  total.density_shift += block.density_shift;
  total.nodes += block.nodes;
  for (int a = 0; a < 3; ++a) {
    total.momentum[a] += block.momentum[a];
    total.drag[a] += block.drag[a];
  }
}

void add(WallForce& total, WallForce const& part) {
  for (int a = 0; a < 3; ++a) {
    total.force[a] += part.force[a];
    total.torque[a] += part.torque[a];
  }
}

void add(FunctionalTerms& total, FunctionalTerms const& part) {
  total.driven += part.driven;
  total.own += part.own;
  total.ahead += part.ahead;
}

bool is_finite(BlockSums const& sums) {
  double magnitude = std::abs(sums.density_shift);
  for (int a = 0; a < 3; ++a) magnitude += std::abs(sums.momentum[a]) + std::abs(sums.drag[a]);
  return std::isfinite(magnitude);
}

void collect_on_core(void** buffers, void* argument) noexcept {
  std::unique_ptr<CollectArguments> const arguments(static_cast<CollectArguments*>(argument));
  Measurement measurement{.step = arguments->step};
  for (auto const& [tile, place] : *arguments->places) {
    BlockSums const& block =
        vector_data<BlockSums const>(buffers, static_cast<std::size_t>(tile))[place];
    if (!is_finite(block) && measurement.broken_tile < 0) measurement.broken_tile = tile;
    add(measurement.total, block);
  }
  if (arguments->first_functional_buffer) {
    FunctionalTerms& total = measurement.functional.emplace();
    for (auto const& [tile, place] : *arguments->places) {
      auto const buffer = static_cast<std::size_t>(*arguments->first_functional_buffer) +
                          static_cast<std::size_t>(tile);
      add(total, vector_data<FunctionalTerms const>(buffers, buffer)[place]);
    }
  }
  measurement.wall_forces.resize(arguments->wall_forces);
  if (arguments->forces != nullptr) {
    for (ForcePlace const& at : *arguments->forces) {
      auto const buffer = static_cast<std::size_t>(arguments->first_force_buffer) +
                          static_cast<std::size_t>(at.buffer);
      add(measurement.wall_forces[at.condition],
          vector_data<WallForce const>(buffers, buffer)[at.place]);
    }
  }
  arguments->deliver(measurement);
}

/// Buffers: 0 R populations; 1 R tables; 2 R average_boxes; 3 W sums.
starpu_codelet& measure_codelet() {
  static starpu_perfmodel model = {.type = STARPU_HISTORY_BASED,
                                   .footprint = tile_footprint<MeasureArguments>,
                                   .symbol = "tessera_measure"};
  static starpu_codelet codelet = {.cpu_funcs = {measure_on_core},
                                   .cuda_funcs = {TESSERA_ON_GPU(measure_on_gpu)},
                                   .cuda_flags = {STARPU_CUDA_ASYNC},
                                   .nbuffers = 4,
                                   .modes = {STARPU_R, STARPU_R, STARPU_R, STARPU_W},
                                   .model = &model,
                                   .name = "measure"};
  return codelet;
}

starpu_codelet& collect_codelet() {
  static starpu_codelet codelet = {.cpu_funcs = {collect_on_core},
                                   .nbuffers = STARPU_VARIABLE_NBUFFERS,
                                   .model = &starpu_perfmodel_nop,
                                   .name = "collect"};
  return codelet;
}

}  // namespace

void submit_measure(DataHandle const& populations, DataHandle const& tables,
                    DataHandle const& average_boxes, DataHandle const& sums,
                    MeasureArguments const& arguments, Placement const& placement) {
  Accesses data;
  data.reads(populations).reads(tables).reads(average_boxes).writes(sums);
  submit(measure_codelet(), data, &arguments, placement);
}

void submit_collect(std::span<DataHandle const* const> sums,
                    std::span<DataHandle const* const> forces,
                    std::span<DataHandle const* const> functionals,
                    std::unique_ptr<CollectArguments> arguments) {
  Accesses all;
  for (DataHandle const* const of_tile : sums) all.reads(*of_tile);
  for (DataHandle const* const of_tile : forces) all.reads(*of_tile);
  for (DataHandle const* const of_tile : functionals) all.reads(*of_tile);
  arguments->first_force_buffer = static_cast<std::int32_t>(sums.size());
  if (!functionals.empty())
    arguments->first_functional_buffer = static_cast<std::int32_t>(sums.size() + forces.size());
  submit(collect_codelet(), all, arguments.release());
}

}  // namespace tessera

// SPDX-License-Identifier: MIT
#include "codelets/lattice/measure.hpp"

#include <cmath>
#include <memory>
#include <span>
#include <utility>

#include "codelets/lattice/codelet.hpp"
#include "codelets/lattice/gpu/gpu.hpp"

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

bool is_finite(BlockSums const& sums) {
  double magnitude = std::abs(sums.density_shift);
  for (int a = 0; a < 3; ++a) magnitude += std::abs(sums.momentum[a]) + std::abs(sums.drag[a]);
  return std::isfinite(magnitude);
}

/// The values of a vector that a task reads.
template <class T>
std::span<T const> values(void** buffers, std::size_t buffer) {
  return {vector_data<T const>(buffers, buffer), STARPU_VECTOR_GET_NX(buffers[buffer])};
}

void collect_on_core(void** buffers, void* argument) noexcept {
  std::unique_ptr<CollectArguments> const arguments(static_cast<CollectArguments*>(argument));
  MeasuredSums sums{.step = arguments->step};
  for (std::size_t t = 0; t < arguments->tiles; ++t) {
    for (BlockSums const& block : values<BlockSums>(buffers, t)) {
      if (!is_finite(block) && sums.broken_tile < 0)
        sums.broken_tile = arguments->first_tile + static_cast<std::int32_t>(t);
      sums.total.add(block);
    }
  }
  if (arguments->first_functional_buffer) {
    auto& total = sums.functional.emplace();
    for (std::size_t t = 0; t < arguments->tiles; ++t) {
      for (FunctionalTerms const& block :
           values<FunctionalTerms>(buffers, *arguments->first_functional_buffer + t))
        total.add(block);
    }
  }
  sums.wall_forces.resize(arguments->wall_forces);
  if (arguments->forces != nullptr) {
    for (ForcePlace const& at : *arguments->forces) {
      auto const buffer = arguments->tiles + static_cast<std::size_t>(at.buffer);
      sums.wall_forces[at.condition].add(
          values<WallForce>(buffers, buffer)[static_cast<std::size_t>(at.place)]);
    }
  }
  arguments->deliver(std::move(sums));
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

Measurement MeasuredSums::measurement() const {
  Measurement rounded{.step = step, .total = total.value(), .broken_tile = broken_tile};
  for (auto const& force : wall_forces) rounded.wall_forces.push_back(force.value());
  if (functional) rounded.functional = functional->value();
  return rounded;
}

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
  arguments->tiles = sums.size();
  if (!functionals.empty()) arguments->first_functional_buffer = sums.size() + forces.size();
  submit(collect_codelet(), all, arguments.release());
}

}  // namespace tessera

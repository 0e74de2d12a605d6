// SPDX-License-Identifier: MIT
// Launching collide-stream with the threads a CUDA block, and the blocks a multiprocessor, that
// suit a model, a precision, and how full the tile's blocks are.
#pragma once

#include "codelets/collide_stream_gpu.cuh"
#include "codelets/model_table.hpp"

namespace tessera::gpu {

/// Launches the kernel of a model in one precision on a stream.
using Launch = void (*)(TileView const& tile, void const* old_populations, void* new_populations,
                        FlowParameters const& parameters, cudaStream_t stream);
/// By Precision.
using ModelLaunches = std::array<Launch, precisions>;

template <class Storage, class Model, int threads, int blocks_per_processor>
void launch_with(TileView const& tile, void const* old_populations, void* new_populations,
                 FlowParameters const& parameters, cudaStream_t stream) {
  collide_stream<Storage, Model, threads, blocks_per_processor>
      <<<tile.counts.blocks, threads, 0, stream>>>(
          tile, static_cast<Storage const*>(old_populations),
          static_cast<Storage*>(new_populations),
          Model::template narrow<Arithmetic<Storage>>(parameters));
}

struct LaunchBounds {
  int threads;               ///< a CUDA block
  int blocks_per_processor;  ///< 65536 / (threads * these) registers a thread
};

/// Measured for each model at porosity 0.3 (docs/performance.md): many threads hide the latency of
/// the memory, few have registers for the populations and their moments.
constexpr LaunchBounds launch_bounds(FlowModel const& model, bool wide) {
  int const velocities = velocities_of(model.lattice).size;
  if (velocities <= 15) return {128, wide ? (velocities == 9 ? 6 : 4) : 8};
  if (velocities == 19) {
    if (model.smagorinsky) return {128, wide ? 3 : 6};
    return wide ? LaunchBounds{128, 4} : LaunchBounds{192, 5};
  }
  bool const moments_of_all_triples = model.equilibrium == EquilibriumForm::product;
  return {128, moments_of_all_triples ? (wide ? 2 : 4) : (wide ? 3 : 5)};
}

template <class Storage, class Model>
struct Launcher {
  static void launch(TileView const& tile, void const* old_populations, void* new_populations,
                     FlowParameters const& parameters, cudaStream_t stream) {
    constexpr LaunchBounds bounds = launch_bounds(Model::model, sizeof(Arithmetic<Storage>) == 8);
    launch_with<Storage, Model, bounds.threads, bounds.blocks_per_processor>(
        tile, old_populations, new_populations, parameters, stream);
  }
};

/// Measured (docs/performance.md). Many threads keep the memory accesses of a block together, few
/// leave none idle at its end.
template <class Storage, EquilibriumForm form>
struct Launcher<Storage, TwoRatesOnD3Q19<form>> {
  static void launch(TileView const& tile, void const* old_populations, void* new_populations,
                     FlowParameters const& parameters, cudaStream_t stream) {
    auto const with = [&]<int threads, int blocks_per_processor>() {
      launch_with<Storage, TwoRatesOnD3Q19<form>, threads, blocks_per_processor>(
          tile, old_populations, new_populations, parameters, stream);
    };
    std::uint32_t const nodes_per_block = tile.counts.nodes / tile.counts.blocks;
    if constexpr (sizeof(Storage) == 2) {
      with.template operator()<128, 8>();
    } else if constexpr (sizeof(Storage) == 4) {
      if (nodes_per_block < 500) return with.template operator()<128, 8>();
      if (nodes_per_block < 1000) return with.template operator()<256, 4>();
      if (nodes_per_block < 1700) return with.template operator()<320, 3>();
      with.template operator()<512, 2>();
    } else {
      // 85 registers are too few for the second-order equilibrium.
      constexpr std::uint32_t few = form == EquilibriumForm::linear ? 500 : 1000;
      if (nodes_per_block < few) return with.template operator()<128, 4>();
      if (nodes_per_block < 1000) return with.template operator()<192, 3>();
      if (nodes_per_block < 1700) return with.template operator()<256, 2>();
      with.template operator()<512, 1>();
    }
  }
};

/// Those of a list of models.
template <class List>
inline constexpr std::array<ModelLaunches, 0> launches_of{};
template <class... Models>
inline constexpr std::array<ModelLaunches, sizeof...(Models)> launches_of<ModelList<Models...>>{
    {{Launcher<float, Models>::launch, Launcher<double, Models>::launch,
      Launcher<Half, Models>::launch}...}};

}  // namespace tessera::gpu

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
      <<<tile.layout.blocks, threads, 0, stream>>>(
          tile, static_cast<Storage const*>(old_populations),
          static_cast<Storage*>(new_populations),
          Model::template narrow<Arithmetic<Storage>>(parameters));
}

/// Any model: few threads, so that each has registers for its populations and their moments.
template <class Storage, class Model>
struct Launcher {
  static constexpr bool wide = sizeof(Arithmetic<Storage>) == 8;
  static constexpr int blocks_per_processor = Model::Lattice::size <= 9    ? (wide ? 4 : 8)
                                              : Model::Lattice::size <= 19 ? (wide ? 2 : 4)
                                                                           : (wide ? 2 : 3);
  static void launch(TileView const& tile, void const* old_populations, void* new_populations,
                     FlowParameters const& parameters, cudaStream_t stream) {
    launch_with<Storage, Model, 128, blocks_per_processor>(tile, old_populations, new_populations,
                                                           parameters, stream);
  }
};

/// Measured (docs/performance.md). Many threads keep the memory accesses of a block together, few
/// leave none idle at its end.
template <class Storage, EquilibriumForm form>
struct Launcher<Storage, TwoRatesModel<form>> {
  static void launch(TileView const& tile, void const* old_populations, void* new_populations,
                     FlowParameters const& parameters, cudaStream_t stream) {
    auto const with = [&]<int threads, int blocks_per_processor>() {
      launch_with<Storage, TwoRatesModel<form>, threads, blocks_per_processor>(
          tile, old_populations, new_populations, parameters, stream);
    };
    std::uint32_t const nodes_per_block = tile.layout.nodes / tile.layout.blocks;
    if constexpr (sizeof(Storage) == 2) {
      with.template operator()<128, 8>();
    } else if constexpr (sizeof(Storage) == 4) {
      if (nodes_per_block < 500) return with.template operator()<128, 8>();
      if (nodes_per_block < 1000) return with.template operator()<256, 4>();
      if (nodes_per_block < 1700) return with.template operator()<320, 3>();
      with.template operator()<512, 2>();
    } else {
      if (nodes_per_block < 500) return with.template operator()<128, 4>();
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

// SPDX-License-Identifier: MIT
// Launching collide-stream of a model in the shape that suits a tile.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "codelets/lattice/gpu/collide_stream.cuh"
#include "codelets/lattice/launch_shapes.hpp"
#include "codelets/lattice/model_table.hpp"

namespace tessera::gpu {

/// Launches the kernel of a model in one precision on a stream.
using Launch = void (*)(TileView const& tile, void const* old_populations, void* new_populations,
                        FlowParameters const& parameters, cudaStream_t stream);
/// The launches of a model, by Precision.
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

/// Launches in the shape that suits the mean fill of the tile's blocks.
template <class Storage, class Model>
void launch(TileView const& tile, void const* old_populations, void* new_populations,
            FlowParameters const& parameters, cudaStream_t stream) {
  static constexpr auto shapes = launch_shapes(Model::model, sizeof(Storage));
  std::uint32_t const nodes_per_block = tile.counts.nodes / tile.counts.blocks;
  auto const launched = [&]<std::size_t i>() {
    if (nodes_per_block >= shapes[i].nodes) return false;
    launch_with<Storage, Model, shapes[i].threads, shapes[i].blocks_per_processor>(
        tile, old_populations, new_populations, parameters, stream);
    return true;
  };
  [&]<std::size_t... i>(std::index_sequence<i...>) {
    (void)(launched.template operator()<i>() || ...);
  }
  (std::make_index_sequence<shapes.size()>());
}

/// The launches of a list of models.
template <class List>
inline constexpr std::array<ModelLaunches, 0> launches_of{};
template <class... Models>
inline constexpr std::array<ModelLaunches, sizeof...(Models)> launches_of<ModelList<Models...>>{
    {{launch<float, Models>, launch<double, Models>, launch<Half, Models>}...}};

}  // namespace tessera::gpu

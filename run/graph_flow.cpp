// SPDX-License-Identifier: MIT
#include "run/graph_flow.hpp"

#include "run/block_gathering.hpp"

namespace tessera {

RunningFlow::SavedSize GraphFlow::saved_size() const {
  Tiling const& tiling = graph_.tiling();
  return {tiling.nodes * velocities_of(tiling.lattice).size, tiling.blocks};
}

void GraphFlow::save(CheckpointWriter* writer) {
  BlockGathering gathering(graph_.tiling().tiles.size(), into(writer));
  graph_.save([&](Tile const& tile, BlockPopulations& populations) {
    for (std::int32_t const block : tile.blocks)
      gathering.add(block, populations.bytes_of_block(block), populations.remembered[block]);
    gathering.end_tile();
  });
  gathering.finish();
}

void GraphFlow::restore(std::int64_t step, CheckpointReader const& reader) {
  graph_.restore(step, [&](Tile const& tile, BlockPopulations& populations) {
    for (std::int32_t const block : tile.blocks) {
      reader.read_block(block, populations.bytes_of_block(block));
      auto const remembered = reader.remembered(block);
      if (!remembered.empty())
        populations.remembered[block].assign(remembered.begin(), remembered.end());
    }
  });
}

}  // namespace tessera

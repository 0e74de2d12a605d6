// SPDX-License-Identifier: MIT
#include "run/graph_flow.hpp"

#include <exception>
#include <vector>

#include "base/errors.hpp"
#include "run/checkpoint/block_writing.hpp"

namespace tessera {

RunningFlow::SavedSize GraphFlow::saved_size() const {
  Tiling const& tiling = graph_.tiling();
  return {tiling.nodes * velocities_of(tiling.lattice).size, tiling.blocks};
}

void GraphFlow::save(CheckpointWriter* writer) {
  std::exception_ptr failed;
  try {
    if (beside_) save_spread_arrays(writer, beside_());
  } catch (EnvironmentError const&) {
    failed = std::current_exception();  // the others send all the same
    writer = nullptr;
  }
  save_populations(writer);
  if (failed) std::rethrow_exception(failed);
}

void GraphFlow::save_populations(CheckpointWriter* writer) {
  std::vector<Tile> const& tiles = graph_.tiling().tiles;
  std::int64_t nodes = 0;
  for (Tile const& tile : tiles) nodes += tile.counts.nodes;
  std::size_t const value_bytes = bytes_of(graph_.precision());
  std::int64_t const bytes =
      nodes * velocities_of(graph_.tiling().lattice).size * static_cast<std::int64_t>(value_bytes);
  BlockWriting writing(writer, tiles.size(), bytes, value_bytes);
  graph_.save([&](Tile const& tile, BlockPopulations& populations) {
    for (std::int32_t const block : tile.blocks)
      writing.add(block, populations.bytes_of_block(block), populations.remembered[block]);
    writing.end_tile();
  });
  writing.finish();
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

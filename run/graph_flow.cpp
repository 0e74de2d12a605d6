// SPDX-License-Identifier: MIT
#include "run/graph_flow.hpp"

#include <cstddef>
#include <span>
#include <vector>

#include "ranks/gathering.hpp"
#include "ranks/piece.hpp"

namespace tessera {
namespace {

/// In front of a block that travels to who writes it.
struct SavedBlock {
  std::int32_t number = 0;
  std::size_t bytes = 0;
  std::size_t remembered = 0;
};

}  // namespace

RunningFlow::SavedSize GraphFlow::saved_size() const {
  Tiling const& tiling = graph_.tiling();
  return {tiling.nodes * velocities_of(tiling.lattice).size, tiling.blocks};
}

void GraphFlow::save(CheckpointWriter* writer) {
  Gathering gathering(graph_.tiling().tiles.size(), [writer](std::span<std::byte const> bytes) {
    for (PieceReader piece(bytes); writer != nullptr && !piece.at_end();) {
      auto const head = piece.take<SavedBlock>();
      auto const populations = piece.take_bytes(head.bytes);
      writer->add_block(head.number, populations, piece.take<double>(head.remembered));
    }
  });
  graph_.save([&](Tile const& tile, BlockPopulations& populations) {
    PieceWriter piece;
    for (std::int32_t const block : tile.blocks) {
      auto const bytes = populations.bytes_of_block(block);
      std::vector<double> const& remembered = populations.remembered[block];
      piece.add(SavedBlock{block, bytes.size(), remembered.size()});
      piece.add(std::span<std::byte const>(bytes));
      piece.add(std::span<double const>(remembered));
    }
    gathering.add(piece.bytes());
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

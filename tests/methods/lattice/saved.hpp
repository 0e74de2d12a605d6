// SPDX-License-Identifier: MIT
// What a flow needs to go on, kept in memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <vector>

#include "methods/lattice/flow_graph.hpp"

namespace tessera::test {

/// What a graph hands out, by block.
struct Saved {
  std::int64_t step = 0;
  std::map<std::int32_t, std::vector<std::byte>> populations{};
  std::map<std::int32_t, std::vector<double>> remembered{};

  explicit Saved(FlowGraph& graph) : step(graph.steps()) {
    graph.save([this](Tile const& tile, BlockPopulations& of_tile) {
      for (std::int32_t const block : tile.blocks) {
        auto const bytes = of_tile.bytes_of_block(block);
        populations[block].assign(bytes.begin(), bytes.end());
      }
      remembered.merge(of_tile.remembered);
    });
  }

  void restore(FlowGraph& graph) const {
    graph.restore(step, [this](Tile const& tile, BlockPopulations& of_tile) {
      for (std::int32_t const block : tile.blocks) {
        std::ranges::copy(populations.at(block), of_tile.bytes_of_block(block).begin());
        auto const found = remembered.find(block);
        if (found != remembered.end()) of_tile.remembered[block] = found->second;
      }
    });
  }
};

}  // namespace tessera::test

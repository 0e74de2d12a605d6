// SPDX-License-Identifier: MIT
// Tiles that move to another domain, and other tiles in their place.
#include <fmt/format.h>

#include <chrono>
#include <utility>

#include "graph/main_memory.hpp"
#include "graph/tile_graph.hpp"
#include "lattice/errors.hpp"

namespace tessera {

void TileGraph::move_tile(std::int32_t tile, std::int32_t domain) {
  TileState& moved = tiles_[static_cast<std::size_t>(tile)];
  if (moved.domain == domain) return;
  moved.domain = domain;
  place_tiles();
  balancer_.note_move(moved.facts.kept_bytes);
}

TileLoad TileGraph::load_of(std::size_t tile) const {
  TileFacts const& facts = tiles_[tile].facts;
  return {facts.work, facts.kept_bytes, tiles_[tile].domain, facts.neighbours};
}

void TileGraph::balance() {
  if (options_.balance != Balance::dynamic || options_.domains.size() < 2) return;
  if (!balancer_.due()) return;
  finish_cut();
  std::vector<TileLoad> loads;
  loads.reserve(tiles_.size());
  for (std::size_t t = 0; t < tiles_.size(); ++t) loads.push_back(load_of(t));
  BalanceDecision const decision = balancer_.look(steps_, options_.domains, loads);
  for (Move const& move : decision.moves) move_tile(move.tile, move.to);
  if (!decision.shares.empty()) begin_cut(decision.shares);
}

void TileGraph::begin_cut(std::vector<double> const& shares) {
  if (!may_cut_anew_ || next_tiles_.valid()) return;
  // A copy of the state, and a second one where the new tiles of GPUs stand in line for the bus.
  std::size_t needed = 0;
  for (TileState const& tile : tiles_) {
    bool const on_gpu = options_.domains[static_cast<std::size_t>(tile.domain)].is_gpu();
    needed += on_gpu ? 2 * tile.facts.kept_bytes : tile.facts.kept_bytes;
  }
  if (std::size_t const left = main_memory_available(); needed > left) {
    refuse_cuts(fmt::format("it takes {:.1f} GB of main memory, and {:.1f} are left",
                            static_cast<double>(needed) * 1e-9, static_cast<double>(left) * 1e-9));
    return;
  }
  next_tiles_ = std::async(std::launch::async, [this, shares] { return method_.cut_anew(shares); });
}

void TileGraph::finish_cut() {
  using namespace std::chrono_literals;
  if (!next_tiles_.valid() || next_tiles_.wait_for(0s) != std::future_status::ready) return;
  if (held_ > 0) return;  // somebody is still reading the tiles
  try {
    adopt(next_tiles_.get());
  } catch (BadInput const& error) {
    refuse_cuts(error.what());
  }
}

void TileGraph::refuse_cuts(std::string const& why) {
  balancer_.note_refusal(why);
  may_cut_anew_ = false;
}

}  // namespace tessera

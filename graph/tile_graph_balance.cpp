// SPDX-License-Identifier: MIT
// Tiles that move to another domain, and other tiles in their place.
#include <fmt/format.h>

#include <chrono>
#include <string>
#include <utility>

#include "base/errors.hpp"
#include "base/ranks/ranks.hpp"
#include "base/ranks/together.hpp"
#include "graph/runtime/main_memory.hpp"
#include "graph/tile_graph.hpp"

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

bool TileGraph::meets() const { return !Ranks::alone() && method_.can_cut_anew(); }

void TileGraph::balance() {
  if (options_.balance != Balance::dynamic) return;
  // The rooms of each memory are taken: one more tile would drive out what is needed.
  if (options_.rooms > 0) return;
  bool const meets_now = meets();
  if (!meets_now && options_.domains.size() < 2) return;
  if (meets_now ? !meeting_.due(steps_) : !balancer_.due()) return;
  finish_cut();
  std::vector<TileLoad> loads;
  loads.reserve(tiles_.size());
  for (std::size_t t = 0; t < tiles_.size(); ++t) loads.push_back(load_of(t));
  BalanceFindings found = balancer_.look(steps_, options_.domains, loads);
  for (Move const& move : found.moves) move_tile(move.tile, move.to);
  if (meets_now) found = meeting_.findings_of_all(steps_, std::move(found));
  std::vector<double> const shares = balancer_.judge(steps_, found);
  if (!shares.empty())
    begin_cut(shares_by_rank(shares, found.loads, Ranks::rank(), Ranks::count()));
}

void TileGraph::expect_room_for_cut(NewShares const& shares) const {
  std::int64_t held = 0;
  std::int64_t in_main_memory = 0;
  for (TileState const& tile : tiles_) {
    auto const bytes = static_cast<std::int64_t>(tile.facts.kept_bytes);
    held += bytes;
    if (!options_.domains[static_cast<std::size_t>(tile.domain)].is_gpu()) in_main_memory += bytes;
  }
  std::int64_t of_all = held;
  Ranks::sum({&of_all, 1});
  double const share = shares.of_ranks[static_cast<std::size_t>(Ranks::rank())];
  double const needed =
      bytes_for_cut(static_cast<double>(held), share * static_cast<double>(of_all),
                    static_cast<double>(in_main_memory));
  auto const left = static_cast<double>(main_memory_available());
  if (needed <= left) return;
  std::string const who = Ranks::alone() ? "it" : fmt::format("on rank {} it", Ranks::rank());
  throw BadInput(fmt::format("{} takes {:.1f} GB of main memory, and {:.1f} are left", who,
                             needed * 1e-9, left * 1e-9));
}

void TileGraph::begin_cut(NewShares const& shares) {
  if (!may_cut_anew_ || next_tiles_.valid()) return;
  try {
    together([&] { return (expect_room_for_cut(shares), true); });
  } catch (BadInput const& error) {
    refuse_cuts(error.what());
    return;
  }
  next_tiles_ = std::async(std::launch::async, [this, shares, alone = Ranks::alone()] {
    Ranks::OfThread const apart(alone);  // from what this thread says meanwhile
    return together([&] { return method_.cut_anew(shares); });
  });
}

void TileGraph::finish_cut() {
  using namespace std::chrono_literals;
  if (!next_tiles_.valid()) return;
  bool const still_cutting = next_tiles_.wait_for(0s) != std::future_status::ready;
  // Somebody may still be reading the tiles.
  if (Ranks::any(still_cutting || held_ > 0)) return;
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

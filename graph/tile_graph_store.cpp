// SPDX-License-Identifier: MIT
// The state of all tiles goes out of them and into others: where they are cut anew while they run,
// and where they are saved and go on later.
#include <chrono>
#include <numeric>
#include <utility>

#include "base/ranks/rank_watch.hpp"
#include "base/ranks/ranks.hpp"
#include "base/ranks/together.hpp"
#include "graph/tile_graph.hpp"

namespace tessera {

void TileGraph::adopt(std::unique_ptr<NewTiles> tiles) {
  together([&] { return (method_.check(*tiles), true); });
  RankWatch::Aside const aside;
  wait();
  auto const start = std::chrono::steady_clock::now();
  std::vector<std::size_t> all(tiles_.size());
  std::iota(all.begin(), all.end(), 0U);
  auto store = method_.room_for(all);
  for (std::size_t const t : all) method_.submit_unload(t, stages_, *store, placement(t));
  method_.adopt(std::move(tiles));
  method_.begin_after(steps_);
  add_tiles();
  // From here on messages may come of those who are ready before: what they go into is there.
  store = method_.handed_over(std::move(store));
  load(*store);
  double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  Ranks::maximum({&seconds, 1});  // by which all decide whether the next one is worth it
  balancer_.note_cut(steps_, seconds, store->bytes());
}

void TileGraph::load(UnitStore& store) {
  wait();
  for (std::size_t t = 0; t < tiles_.size(); ++t)
    method_.submit_load(t, stages_, store, placement(t));
  wait();
}

void TileGraph::save(VisitStore const& visit) {
  for (std::size_t t = 0; t < tiles_.size(); ++t) {
    auto const store = method_.room_for({&t, 1});
    method_.submit_unload(t, stages_, *store, placement(t));
    wait();
    visit(t, *store);
  }
}

void TileGraph::restore(std::int64_t step, VisitStore const& fill) {
  wait();
  for (std::size_t t = 0; t < tiles_.size(); ++t) method_.submit_discard(t, stages_);
  steps_ = step;
  stages_ = step * stages_per_step_;
  to_measure_.clear();
  balancer_.begin_at(step);
  meeting_.begin_at(step);
  method_.begin_after(step);
  for (std::size_t t = 0; t < tiles_.size(); ++t) {
    auto const store = method_.room_for({&t, 1});
    fill(t, *store);
    method_.submit_load(t, stages_, *store, placement(t));
    wait();
  }
}

}  // namespace tessera

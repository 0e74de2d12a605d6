// SPDX-License-Identifier: MIT
#include "bench/message_loop.hpp"

#include <chrono>

#include "base/machine/seconds_since.hpp"
#include "base/ranks/ranks.hpp"
#include "graph/tasks/messages.hpp"
#include "graph/tasks/starpu_call.hpp"
#include "graph/tasks/submit.hpp"

namespace tessera {
namespace {

/// Apart from the tags of any flow, which count tiles.
constexpr std::int64_t first_tag = std::int64_t{1} << 40;

/// As many steps in flight as in a flow by default.
constexpr std::size_t window = 4;

void do_nothing(void** /*buffers*/, void* /*argument*/) noexcept {}

starpu_codelet& idle_codelet() {
  static starpu_codelet codelet = [] {
    starpu_codelet c{};
    c.cpu_funcs[0] = do_nothing;
    c.cuda_funcs[0] = do_nothing;
    c.nbuffers = STARPU_VARIABLE_NBUFFERS;
    c.name = "nothing";
    return c;
  }();
  return codelet;
}

std::int64_t tag_of(std::int32_t tile, std::size_t parity) {
  return first_tag + 2 * std::int64_t{tile} + static_cast<std::int64_t>(parity);
}

}  // namespace

MessageLoop::MessageLoop(FlowGraph const& flow, std::size_t bytes_of_value)
    : bytes_of_value_(bytes_of_value) {
  Tiling const& tiling = flow.tiling();
  for (ForeignOutbox const& foreign : tiling.foreign) {
    receives_.push_back(letter(foreign.rank, foreign.tile, foreign.values));
    bytes_received_ += foreign.values * bytes_of_value;
    for (std::size_t p : {0U, 1U})
      expect_messages(receives_.back().data[p], foreign.rank, tag_of(foreign.tile, p));
  }
  auto const reports = flow.tile_reports();
  for (std::size_t t = 0; t < tiling.tiles.size(); ++t) {
    Tile const& tile = tiling.tiles[t];
    TileLetters letters{.home = std::make_unique<Home>(Place{.worker = reports[t].worker})};
    for (Outbox const& outbox : tile.outboxes) {
      if (outbox.rank == Ranks::rank()) continue;
      letters.sends.push_back(sends_.size());
      sends_.push_back(letter(outbox.rank, tiling.number_of(t), outbox.values));
      bytes_sent_ += outbox.values * bytes_of_value;
    }
    for (std::int32_t const f : tile.foreign)
      letters.receives.push_back(static_cast<std::size_t>(f));
    if (!letters.sends.empty() || !letters.receives.empty()) tiles_.push_back(std::move(letters));
  }
  submit_tiles(false, 1);
}

MessageLoop::Letter MessageLoop::letter(std::int32_t rank, std::int32_t tile,
                                        std::uint32_t values) const {
  auto const data = [&] { return DataHandle::vector(values, bytes_of_value_); };
  return {{data(), data()}, rank, tile};
}

void MessageLoop::submit_tiles(bool read, std::size_t now) {
  for (TileLetters const& tile : tiles_) {
    Accesses accesses;
    if (read) {
      for (std::size_t const r : tile.receives) accesses.reads(receives_[r].data[now]);
    }
    for (std::size_t const s : tile.sends) accesses.writes(sends_[s].data[1 - now]);
    submit(idle_codelet(), accesses, {}, {.home = tile.home.get()});
  }
}

void MessageLoop::submit_step() {
  auto const now = static_cast<std::size_t>(steps_++ & 1);
  for (Letter const& l : sends_) submit_send(l.data[now], l.rank, tag_of(l.tile, now));
  for (Letter const& l : receives_) submit_receive(l.data[now], l.rank, tag_of(l.tile, now));
  submit_tiles(true, now);
}

double MessageLoop::run(std::int64_t steps) {
  auto const start = std::chrono::steady_clock::now();
  std::size_t const in_flight = window * (tiles_.size() + sends_.size() + receives_.size());
  for (std::int64_t i = 0; i < steps; ++i) {
    submit_step();
    check_starpu(starpu_task_wait_for_n_submitted(static_cast<unsigned>(in_flight)),
                 "starpu_task_wait_for_n_submitted");
  }
  check_starpu(starpu_task_wait_for_all(), "starpu_task_wait_for_all");
  return seconds_since(start);
}

}  // namespace tessera

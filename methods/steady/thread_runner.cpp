// SPDX-License-Identifier: MIT
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/machine/standing_team.hpp"
#include "methods/steady/cores.hpp"

namespace tessera::steady {
namespace {

/// The indices of a thread, in pieces: whoever is done takes pieces of others, so that nobody waits
/// long for a core that something else keeps busy. Which thread runs an index changes no bit.
class SharedRange {
 public:
  void reset(std::int64_t begin, std::int64_t end) {
    next_.store(begin, std::memory_order_relaxed);
    end_ = end;
    piece_ = std::max((end - begin) / pieces, std::int64_t{1});
  }
  /// Runs the pieces that nobody has begun, and returns of how many indices.
  template <class Part>
  std::int64_t run(Part const& part) {
    std::int64_t done = 0;
    while (next_.load(std::memory_order_relaxed) < end_) {
      std::int64_t const begin = next_.fetch_add(piece_, std::memory_order_relaxed);
      std::int64_t const end = std::min(begin + piece_, end_);
      if (begin >= end) break;
      part(begin, end);
      done += end - begin;
    }
    return done;
  }

 private:
  static constexpr std::int64_t pieces = 8;
  static constexpr std::size_t cache_line = 64;
  alignas(cache_line) std::atomic<std::int64_t> next_{0};
  std::int64_t end_ = 0;
  std::int64_t piece_ = 1;
};

OnEachThread own_threads(std::size_t threads) {
  auto team = std::make_shared<StandingTeam>(static_cast<int>(threads));
  return [team](std::function<void(int)> const& work) { team->run(work); };
}

}  // namespace

RangeRunner make_thread_runner(std::span<CoreUse> uses, OnEachThread on_each_thread) {
  if (!on_each_thread) on_each_thread = own_threads(uses.size());
  auto ranges = std::make_shared<std::vector<SharedRange>>(uses.size());
  return [uses, ranges, each = std::move(on_each_thread)](std::int64_t count, auto const& part) {
    std::size_t const threads = uses.size();
    auto const border = [&](std::size_t thread) {
      return count * static_cast<std::int64_t>(thread) / static_cast<std::int64_t>(threads);
    };
    for (std::size_t t = 0; t < threads; ++t) (*ranges)[t].reset(border(t), border(t + 1));
    each([&](int thread) {
      auto const own = static_cast<std::size_t>(thread);
      run_counted(uses[own], [&] {
        std::int64_t done = 0;
        for (std::size_t k = 0; k < threads; ++k) done += (*ranges)[(own + k) % threads].run(part);
        return done;
      });
    });
  };
}

}  // namespace tessera::steady

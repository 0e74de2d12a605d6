// SPDX-License-Identifier: MIT
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <utility>

#include "base/machine/standing_team.hpp"
#include "methods/stokes/cores.hpp"

namespace tessera::stokes {
namespace {

OnEachThread own_threads(std::size_t threads) {
  auto team = std::make_shared<StandingTeam>(static_cast<int>(threads));
  return [team](std::function<void(int)> const& work) { team->run(work); };
}

}  // namespace

RangeRunner make_thread_runner(std::span<StokesUse> uses, OnEachThread on_each_thread) {
  if (uses.size() == 1) {
    return
        [uses](std::int64_t count, auto const& part) { run_counted(uses.front(), part, 0, count); };
  }
  if (!on_each_thread) on_each_thread = own_threads(uses.size());
  auto const threads = static_cast<std::int64_t>(uses.size());
  return [uses, threads, each = std::move(on_each_thread)](std::int64_t count, auto const& part) {
    each([&](int thread) {
      std::int64_t const begin = count * thread / threads;
      std::int64_t const end = count * (thread + 1) / threads;
      if (begin < end) run_counted(uses[static_cast<std::size_t>(thread)], part, begin, end);
    });
  };
}

}  // namespace tessera::stokes

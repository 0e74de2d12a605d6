// SPDX-License-Identifier: MIT
// The same work on a few threads, timed.
#pragma once

#include <chrono>
#include <thread>
#include <vector>

namespace tessera {

/// Runs work(thread) on `threads` threads and returns the seconds until all are done.
template <class Work>
double time_threads(unsigned threads, Work&& work) {
  auto const start = std::chrono::steady_clock::now();
  {
    std::vector<std::jthread> team;
    for (unsigned t = 1; t < threads; ++t) team.emplace_back([&work, t] { work(t); });
    work(0U);
  }
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace tessera

// SPDX-License-Identifier: MIT
#include "bench/bus.hpp"

#include <algorithm>
#include <chrono>
#include <vector>

#include "bench/line_fit.hpp"
#include "bench/repeat.hpp"
#include "graph/tasks/data_handle.hpp"
#include "graph/tasks/starpu_call.hpp"

namespace tessera {
namespace {

/// Seconds of one transfer of so many bytes: half of the way there and back.
double transfer_seconds(unsigned memory, std::size_t bytes) {
  DataHandle const data = DataHandle::vector(bytes, 1);
  // Who may write in one memory makes the copy in the other one worthless.
  auto const fetch = [&](unsigned to, starpu_data_access_mode mode) {
    auto const node = static_cast<int>(to);
    check_starpu(starpu_data_acquire_on_node(data.get(), node, mode),
                 "starpu_data_acquire_on_node");
    starpu_data_release_on_node(data.get(), node);
  };
  fetch(STARPU_MAIN_RAM, STARPU_W);
  constexpr int repeats = 5;
  return seconds_per_sweep(
             repeats,
             [&](std::int64_t round_trips) {
               auto const start = std::chrono::steady_clock::now();
               for (std::int64_t i = 0; i < round_trips; ++i) {
                 fetch(memory, STARPU_RW);
                 fetch(STARPU_MAIN_RAM, STARPU_RW);
               }
               return std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
                   .count();
             }) /
         2;
}

}  // namespace

Bus measure_bus(Domain const& domain) {
  unsigned const memory = domain.memory();
  if (memory == STARPU_MAIN_RAM) return {};
  std::vector<double> sizes, seconds;
  for (std::size_t bytes = std::size_t{1} << 14; bytes <= std::size_t{1} << 22; bytes *= 4) {
    sizes.push_back(static_cast<double>(bytes));
    seconds.push_back(transfer_seconds(memory, bytes));
  }
  Line const line = fit_line(sizes, seconds);
  return {std::max(0.0, line.intercept), 1 / line.slope};
}

}  // namespace tessera

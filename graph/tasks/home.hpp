// SPDX-License-Identifier: MIT
// Where a task is computed, as far as that is not left to StarPU's scheduler.
#pragma once

#include <starpu.h>

#include <atomic>
#include <cstdint>

namespace tessera {

/// A worker, or all workers of a kind.
struct Place {
  std::uint32_t kinds = STARPU_CPU | STARPU_CUDA;
  std::int32_t worker = -1;  ///< this one only, or -1
};

/// Where the tasks of a tile are computed. The scheduling policy (graph/runtime/home_policy.hpp)
/// reads it when a task is ready, so a tile that moves takes the tasks along that wait for others.
class Home {
 public:
  Home() = default;
  explicit Home(Place place) : place_(place) {}
  Place place() const { return place_.load(std::memory_order_relaxed); }
  void move_to(Place place) { place_.store(place, std::memory_order_relaxed); }

 private:
  std::atomic<Place> place_{Place{}};
  static_assert(decltype(place_)::is_always_lock_free);
};

/// Where a task may run.
struct Placement {
  std::uint32_t kinds = STARPU_CPU | STARPU_CUDA;  ///< kinds of workers
  Home const* home = nullptr;                      ///< outlives the task; none: wherever it likes
};

/// The placement restricted to cores, for tasks that have no implementation for GPUs.
inline Placement on_cores(Placement const& placement) {
  return {.kinds = STARPU_CPU, .home = placement.home};
}

}  // namespace tessera

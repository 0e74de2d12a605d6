// SPDX-License-Identifier: MIT
#include "permeability/flows/solver_room.hpp"

#include <algorithm>

#include "base/ranks/ranks.hpp"
#include "graph/runtime/host_share.hpp"
#include "graph/runtime/runtime.hpp"

namespace tessera {

SolverRoom own_room(WorkersAsked const& asked, unsigned gpus) {
  return {.gpus = gpus,
          .gpus_are_asked_for = asked.gpus > 0,
          .gpu_bytes = static_cast<std::int64_t>(Runtime::gpu_bytes()),
          .main_bytes = static_cast<std::int64_t>(main_memory_available())};
}

SolverRoom common_room(WorkersAsked const& asked, unsigned gpus) {
  SolverRoom room = own_room(asked, gpus);
  if (Ranks::alone()) return room;
  auto const least = [](std::int64_t own) { return -Ranks::maximum(-own); };
  room.processes = Ranks::count();
  room.gpus = static_cast<unsigned>(least(room.gpus));
  if (host_share().gpu_is_shared) room.gpu_bytes /= Ranks::count_on_host();
  room.gpu_bytes = least(room.gpu_bytes);
  // As much for each as the one that has least.
  room.main_bytes = least(room.main_bytes / Ranks::count_on_host()) * Ranks::count();
  return room;
}

unsigned gpus_to_solve_on(std::int64_t nodes, std::int64_t bytes, SolverRoom const& room,
                          std::int64_t flows) {
  // To start another GPU takes 0.3 to 0.4 s, by which it shortens flows of so many nodes
  // (docs/notebook/several-gpus.md).
  constexpr std::int64_t worth_another = 45'000'000;
  if (room.gpus == 0 || room.gpu_bytes <= 0) return 0;
  std::int64_t const needed = (bytes + room.gpu_bytes - 1) / room.gpu_bytes;
  if (needed > room.gpus) return 0;
  auto const most = static_cast<std::int64_t>(room.gpus);
  if (room.gpus_are_asked_for) return room.gpus;
  return static_cast<unsigned>(std::clamp(nodes * flows / room.processes / worth_another,
                                          std::max<std::int64_t>(needed, 1), most));
}

}  // namespace tessera

// SPDX-License-Identifier: MIT
#pragma once

#include <mpi.h>

#include <chrono>
#include <span>
#include <thread>

#include "base/ranks/work_signs.hpp"

namespace tessera {

/// Blocks until all requests are complete. After a while it sleeps between tests, because MPI's own
/// wait keeps a core that the other process may need.
inline void wait_for(std::span<MPI_Request> requests) {
  WorkSigns::Waiting const waiting;
  using namespace std::chrono_literals;
  auto const start = std::chrono::steady_clock::now();
  for (int ended = 0; ended == 0;) {
    MPI_Testall(static_cast<int>(requests.size()), requests.data(), &ended, MPI_STATUSES_IGNORE);
    if (ended == 0 && std::chrono::steady_clock::now() - start > 100us)
      std::this_thread::sleep_for(50us);
  }
}

}  // namespace tessera

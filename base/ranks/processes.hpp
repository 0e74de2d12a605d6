// SPDX-License-Identifier: MIT
// What the sources of base/ranks/ know together: mpi/ fills it in, alone/ leaves it at one process.
#pragma once

namespace tessera {

struct Processes {
  int count = 1;
  int number = 0;
  int count_on_host = 1;
  int rank_on_host = 0;
};
Processes& processes();

/// Whether what all say on this thread goes apart (Ranks::OfThread).
bool speaks_apart();

}  // namespace tessera

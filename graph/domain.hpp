// SPDX-License-Identifier: MIT
// Where tiles lie, and which workers may compute them.
#pragma once

#include <starpu.h>

#include <cstdint>
#include <vector>

#include "graph/balance/balance_names.hpp"  // IWYU pragma: export

namespace tessera {

/// Workers that share a memory: one GPU's, or all cores.
struct Domain {
  std::uint32_t kind = STARPU_CPU;  ///< STARPU_CPU or STARPU_CUDA
  std::vector<int> workers;

  bool is_gpu() const { return kind == STARPU_CUDA; }
  unsigned memory() const {
    return workers.empty() ? STARPU_MAIN_RAM
                           : starpu_worker_get_memory_node(static_cast<unsigned>(workers.front()));
  }
};

}  // namespace tessera

// SPDX-License-Identifier: MIT
#include "permeability/flows/steady_workers.hpp"

#include <algorithm>

#include "graph/runtime/runtime.hpp"

namespace tessera {

RunPiece pieces_of(WorkerTeam* team) {
  if (team == nullptr) return [](char const* /*name*/, auto const& work) { work(); };
  return [team](char const* name, auto const& work) { team->run(name, work); };
}

void choose_workers(SteadyOptions& options, Workers const& workers, WorkerTeam* team) {
  options.threads = static_cast<int>(workers.cores);
  if (workers.gpus > 0) {
    options.device = SteadyDevice::gpu;
    options.yields = workers.flows_beside > 0;
    options.flows_beside = workers.flows_beside;
    if (!workers.on_current_gpu) {
      options.gpus = Runtime::gpu_numbers();
      options.gpus.resize(std::min<std::size_t>(options.gpus.size(), workers.gpus));
    }
  } else if (team != nullptr) {
    options.threads = team->members();
    options.on_each_thread = [team](auto const& work) { team->share(work); };
  }
}

}  // namespace tessera

// SPDX-License-Identifier: MIT
#include "graph/submit.hpp"

#include <starpu_profiling.h>

#include <array>
#include <atomic>

#include "graph/starpu_call.hpp"

namespace tessera {
namespace {

/// Nanoseconds by worker. StarPU keeps these times for each task, but sums them up for no worker.
std::array<std::atomic<std::int64_t>, STARPU_NMAXWORKERS> transferring{};

/// Runs on the worker, behind its task.
void add_transferring(void* /*argument*/) noexcept {
  starpu_task const* const task = starpu_task_get_current();
  if (task == nullptr || task->profiling_info == nullptr) return;
  starpu_profiling_task_info const& info = *task->profiling_info;
  if (info.workerid < 0 || info.workerid >= STARPU_NMAXWORKERS) return;
  timespec const& from = info.acquire_data_start_time;
  timespec const& to = info.acquire_data_end_time;
  transferring[static_cast<std::size_t>(info.workerid)].fetch_add(
      (to.tv_sec - from.tv_sec) * std::int64_t{STARPU_NS_PER_S} + (to.tv_nsec - from.tv_nsec),
      std::memory_order_relaxed);
}

}  // namespace

double take_transferring_seconds(int worker) {
  return 1e-9 * static_cast<double>(transferring[static_cast<std::size_t>(worker)].exchange(0));
}

void submit(starpu_codelet& codelet, Accesses const& accesses, void const* argument,
            Placement const& placement) {
  std::vector<starpu_data_descr> list = accesses.list();
  // StarPU's variable arguments carry no types: the casts say what it will read.
  check_starpu(starpu_task_insert(&codelet, STARPU_DATA_MODE_ARRAY, list.data(),
                                  static_cast<int>(list.size()), STARPU_CL_ARGS_NFREE,
                                  const_cast<void*>(argument), sizeof(void*), STARPU_EXECUTE_WHERE,
                                  placement.kinds, STARPU_EXECUTE_ON_WORKER, placement.worker,
                                  STARPU_CALLBACK, add_transferring, 0),
               codelet.name);
}

}  // namespace tessera

// SPDX-License-Identifier: MIT
#include "graph/runtime/home_policy.hpp"

#include <starpu_config.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <deque>
#include <mutex>

#include "graph/tasks/home.hpp"

namespace tessera {
namespace {

/// Places the tasks that have no home, or one that is shared by several workers.
starpu_sched_policy const* others = nullptr;

/// The tasks of those tiles that live with one worker, as they became ready.
class Queue {
 public:
  void push(starpu_task* task) {
    auto const lock = hold();
    tasks_.push_back(task);
    count_.store(tasks_.size(), std::memory_order_relaxed);
    starpu_push_task_end(task);
  }
  starpu_task* pop() {
    // Workers without tasks ask all the time: they do not keep the queue from those who fill it.
    if (count_.load(std::memory_order_relaxed) == 0) return nullptr;
    auto const lock = hold();
    if (tasks_.empty()) return nullptr;
    starpu_task* const first = tasks_.front();
    tasks_.pop_front();
    count_.store(tasks_.size(), std::memory_order_relaxed);
    return first;
  }

 private:
  /// While a worker waits for the queue, others may change that worker: StarPU asks for that, else
  /// two workers could wait for each other.
  std::unique_lock<std::mutex> hold() {
    starpu_worker_relax_on();
    std::unique_lock<std::mutex> lock(mutex_);
    starpu_worker_relax_off();
    return lock;
  }

  std::mutex mutex_;
  std::deque<starpu_task*> tasks_;
  std::atomic<std::size_t> count_ = 0;
};

std::array<Queue, STARPU_NMAXWORKERS> queues;

int push_to_worker(starpu_task* task, int worker) {
  if (starpu_get_prefetch_flag() != 0)
    starpu_prefetch_task_input_for(task, static_cast<unsigned>(worker));
  queues[static_cast<std::size_t>(worker)].push(task);
#ifndef STARPU_NON_BLOCKING_DRIVERS  // else workers never sleep
  starpu_wake_worker_relax_light(static_cast<unsigned>(worker));
#endif
  return 0;
}

/// StarPU would have fetched it by itself, had it known where the task may run.
void fetch_to_cores(starpu_task* task) {
  bool const one_memory = starpu_memory_nodes_get_numa_count() == 1;
  if (one_memory && starpu_memory_nodes_get_count() > 1 && starpu_get_prefetch_flag() != 0)
    starpu_prefetch_task_input_on_node(task, STARPU_MAIN_RAM);
}

int push_home(starpu_task* task) {
  if (task->sched_data == nullptr) return others->push_task(task);
  auto const [kinds, worker] = static_cast<Home const*>(task->sched_data)->place();
  if (worker >= 0 && starpu_worker_can_execute_task(static_cast<unsigned>(worker), task, 0) != 0)
    return push_to_worker(task, worker);
  // Not at home are those that have no implementation for GPUs, where the home is one.
  auto const at_home = static_cast<std::int32_t>(kinds & task->cl->where) & task->where;
  if (at_home != 0) task->where = at_home;
  if (at_home == STARPU_CPU) fetch_to_cores(task);
  return others->push_task(task);
}

starpu_task* pop_home(unsigned context) {
  auto const worker = static_cast<std::size_t>(starpu_worker_get_id());
  if (starpu_task* const task = queues[worker].pop(); task != nullptr) return task;
  return others->pop_task == nullptr ? nullptr : others->pop_task(context);
}

}  // namespace

starpu_sched_policy& with_homes(starpu_sched_policy const& policy) {
  static starpu_sched_policy homes;
  others = &policy;
  homes = policy;
  homes.push_task = push_home;
  homes.pop_task = pop_home;
#if STARPU_MAJOR_VERSION > 1 || STARPU_MINOR_VERSION >= 4
  homes.prefetches = 1;  // else StarPU fetches, too, and aborts where a task is fetched for twice
#endif
  return homes;
}

}  // namespace tessera

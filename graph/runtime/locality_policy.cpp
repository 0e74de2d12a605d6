// SPDX-License-Identifier: MIT
#include "graph/runtime/locality_policy.hpp"

#include <starpu_profiling.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <limits>
#include <map>
#include <mutex>
#include <vector>

#include "graph/balance/balance.hpp"
#include "graph/balance/work_clock.hpp"

namespace tessera {
namespace {

double now_s() { return starpu_timing_now() * 1e-6; }

/// Holds a mutex. While it waits for it, others may change the worker that waits: StarPU asks for
/// that, else two workers could wait for each other.
class Guard {
 public:
  explicit Guard(std::mutex& mutex) : lock_(mutex, std::defer_lock) {
    starpu_worker_relax_on();
    lock_.lock();
    starpu_worker_relax_off();
  }

 private:
  std::unique_lock<std::mutex> lock_;
};

/// Bytes of the data that a task reads, of those that `counts`.
template <class Counts>
double bytes_read(starpu_task* task, Counts&& counts) {
  std::size_t bytes = 0;
  for (unsigned i = 0; i < STARPU_TASK_GET_NBUFFERS(task); ++i) {
    starpu_data_handle_t const handle = STARPU_TASK_GET_HANDLE(task, i);
    if ((STARPU_TASK_GET_MODE(task, i) & STARPU_R) != 0 && counts(handle))
      bytes += starpu_data_get_size(handle);
  }
  return static_cast<double>(bytes);
}

double bytes_read(starpu_task* task) {
  return bytes_read(task, [](starpu_data_handle_t) { return true; });
}

/// Bytes of what a task reads that lie in a memory.
double bytes_there(starpu_task* task, unsigned memory) {
  return bytes_read(task, [memory](starpu_data_handle_t handle) {
    int valid = 0;
    starpu_data_query_status(handle, static_cast<int>(memory), nullptr, &valid, nullptr);
    return valid != 0;
  });
}

bool can_run(int worker, starpu_task* task) {
  return starpu_worker_can_execute_task_first_impl(static_cast<unsigned>(worker), task, nullptr) !=
         0;
}

/// A task that updates a datum in place takes it along to where it runs. One that only reads makes
/// a copy, which is dead after the next step: that never pays back.
bool takes_tile_along(starpu_task* task) {
  for (unsigned i = 0; i < STARPU_TASK_GET_NBUFFERS(task); ++i) {
    if ((STARPU_TASK_GET_MODE(task, i) & STARPU_RW) == STARPU_RW) return true;
  }
  return false;
}

/// A task that is ready.
struct Ready {
  starpu_task* task = nullptr;
  double bytes = 0;    ///< that it reads
  bool moves = false;  ///< whether its tile goes along with it
};
/// By priority; equal ones in the order in which they came.
using Queue = std::multimap<int, Ready, std::greater<>>;

/// What a worker has done lately, the latest counting most.
class Pace {
 public:
  void add(double bytes, double start_s, double end_s) {
    constexpr double kept = 0.95;
    busy_s_ = kept * busy_s_ + busy_.add(start_s, end_s);
    bytes_ = kept * bytes_ + bytes;
  }
  /// Bytes a second; 0 before the first task.
  double speed() const { return busy_s_ > 0 ? bytes_ / busy_s_ : 0; }

 private:
  double bytes_ = 0;
  double busy_s_ = 0;
  BusyTime busy_;
};

class LocalityPolicy {
 public:
  void add_worker(int id);
  void push(starpu_task* task);
  starpu_task* pop(int id);
  void ended(starpu_task const* task, int id);

 private:
  struct Memory {
    unsigned node = 0;
    std::vector<int> workers;
    Queue queue;
    std::atomic<int> ready = 0;  ///< tasks in the queue: idle workers look without the mutex
  };
  struct Worker {
    Memory* memory = nullptr;
    std::vector<Ready> running;
    Pace pace;
    double looked_s = 0;  ///< when it last looked at others' queues; 0 while it has work
    double lost_s = 0;    ///< time without work, while others had a queue, since its last theft
  };

  Memory& home_of(starpu_task* task);
  /// Whether it is time to look at the others' queues. Counts the time that is lost.
  bool looks_around(Worker& worker) const;
  starpu_task* take(Memory& memory, Queue::iterator ready, int id);
  starpu_task* take_first(Memory& memory, int id);
  starpu_task* steal(int id);
  /// Bytes a second of all workers.
  double speed_of(Memory const& memory) const;

  std::mutex mutex_;  ///< of the queues and the paces; the rest of a Worker is its thread's
  std::map<unsigned, Memory> memories_;
  std::vector<Worker> workers_{STARPU_NMAXWORKERS};
};

void LocalityPolicy::add_worker(int id) {
  unsigned const node = starpu_worker_get_memory_node(static_cast<unsigned>(id));
  Memory& memory = memories_[node];
  memory.node = node;
  memory.workers.push_back(id);
  workers_[static_cast<std::size_t>(id)].memory = &memory;
}

LocalityPolicy::Memory& LocalityPolicy::home_of(starpu_task* task) {
  if (memories_.size() == 1) return memories_.begin()->second;
  Memory* home = &memories_.begin()->second;
  double most = -1;
  for (auto& [node, memory] : memories_) {
    if (std::ranges::none_of(memory.workers, [&](int w) { return can_run(w, task); })) continue;
    double const bytes = bytes_there(task, node);
    if (bytes < most || (bytes == most && memory.ready >= home->ready)) continue;
    home = &memory;
    most = bytes;
  }
  return *home;
}

void LocalityPolicy::push(starpu_task* task) {
  Memory& home = home_of(task);
  if (memories_.size() > 1 && starpu_get_prefetch_flag() != 0)
    starpu_prefetch_task_input_on_node(task, home.node);
  {
    Guard const guard(mutex_);
    home.queue.emplace(task->priority, Ready{task, bytes_read(task), takes_tile_along(task)});
    ++home.ready;
    starpu_push_task_end(task);
  }
#ifndef STARPU_NON_BLOCKING_DRIVERS
  // Else workers never sleep. All of them: who may steal looks at the time that it has lost.
  for (auto const& [node, memory] : memories_)
    std::ranges::for_each(memory.workers, starpu_wake_worker_relax_light);
#endif
}

starpu_task* LocalityPolicy::pop(int id) {
  Worker& worker = workers_[static_cast<std::size_t>(id)];
  starpu_task* task = nullptr;
  if (worker.memory->ready > 0) {
    Guard const guard(mutex_);
    task = take_first(*worker.memory, id);
  }
  if (task == nullptr && looks_around(worker)) {
    Guard const guard(mutex_);
    task = steal(id);
  }
  if (task != nullptr) worker.looked_s = 0;
  return task;
}

bool LocalityPolicy::looks_around(Worker& worker) const {
  constexpr double interval_s = 1e-4;
  bool const others_have_some = std::ranges::any_of(memories_, [&](auto const& node_memory) {
    return &node_memory.second != worker.memory && node_memory.second.ready > 0;
  });
  if (!worker.running.empty() || !others_have_some) {
    worker.looked_s = 0;
    return false;
  }
  double const now = now_s();
  if (worker.looked_s == 0) worker.looked_s = now;
  double const since = now - worker.looked_s;
  if (since < interval_s) return false;
  worker.looked_s = now;
  worker.lost_s += since;
  return true;
}

starpu_task* LocalityPolicy::take(Memory& memory, Queue::iterator ready, int id) {
  starpu_task* const task = ready->second.task;
  unsigned implementation = 0;
  starpu_worker_can_execute_task_first_impl(static_cast<unsigned>(id), task, &implementation);
  starpu_task_set_implementation(task, implementation);
  workers_[static_cast<std::size_t>(id)].running.push_back(ready->second);
  memory.queue.erase(ready);
  --memory.ready;
  return task;
}

starpu_task* LocalityPolicy::take_first(Memory& memory, int id) {
  auto const first = std::ranges::find_if(
      memory.queue, [id](auto const& ready) { return can_run(id, ready.second.task); });
  return first == memory.queue.end() ? nullptr : take(memory, first, id);
}

starpu_task* LocalityPolicy::steal(int id) {
  Worker& thief = workers_[static_cast<std::size_t>(id)];
  double const speed = thief.pace.speed();
  if (speed <= 0) return nullptr;
  Memory* victim = nullptr;
  Queue::iterator loot;
  double least = std::numeric_limits<double>::max();  // bytes to move: at the border they are fewer
  for (auto& [node, memory] : memories_) {
    double const their_speed = speed_of(memory);
    if (&memory == thief.memory || their_speed <= 0) continue;
    double before = 0;  // bytes that they would read first
    for (auto ready = memory.queue.begin(); ready != memory.queue.end(); ++ready) {
      auto const& [task, bytes, moves] = ready->second;
      before += bytes;
      if (!moves || !can_run(id, task)) continue;
      double const missing = bytes - bytes_there(task, thief.memory->node);
      if (missing >= least) continue;
      if (!pays_back({missing, bytes / speed, before / their_speed, thief.lost_s})) continue;
      victim = &memory;
      loot = ready;
      least = missing;
    }
  }
  if (victim == nullptr) return nullptr;
  thief.lost_s = 0;
  return take(*victim, loot, id);
}

double LocalityPolicy::speed_of(Memory const& memory) const {
  std::vector<double> speeds;
  speeds.reserve(memory.workers.size());
  for (int const w : memory.workers)
    speeds.push_back(workers_[static_cast<std::size_t>(w)].pace.speed());
  return speed_together(speeds);
}

void LocalityPolicy::ended(starpu_task const* task, int id) {
  Worker& worker = workers_[static_cast<std::size_t>(id)];
  auto const found = std::ranges::find(worker.running, task, &Ready::task);
  if (found == worker.running.end()) return;  // it had its worker from the start
  Ready const ready = *found;
  worker.running.erase(found);
  starpu_profiling_task_info const* const info = task->profiling_info;
  if (info == nullptr || !ready.moves) return;
  Guard const guard(mutex_);
  worker.pace.add(ready.bytes, seconds_of(info->start_time), seconds_of(info->end_time));
}

LocalityPolicy& policy_of(unsigned context) {
  return *static_cast<LocalityPolicy*>(starpu_sched_ctx_get_policy_data(context));
}

// What StarPU calls.

void initialise(unsigned context) {
  starpu_sched_ctx_set_policy_data(context, new LocalityPolicy);
  if (starpu_sched_ctx_min_priority_is_set(context) == 0)
    starpu_sched_ctx_set_min_priority(context, std::numeric_limits<int>::min());
  if (starpu_sched_ctx_max_priority_is_set(context) == 0)
    starpu_sched_ctx_set_max_priority(context, std::numeric_limits<int>::max());
}

void finish(unsigned context) { delete &policy_of(context); }

void add_workers(unsigned context, int* workers, unsigned count) {
  for (unsigned i = 0; i < count; ++i) policy_of(context).add_worker(workers[i]);
}

int push_task(starpu_task* task) {
  policy_of(task->sched_ctx).push(task);
  return 0;
}

starpu_task* pop_task(unsigned context) { return policy_of(context).pop(starpu_worker_get_id()); }

void task_has_ended(starpu_task* task, unsigned context) {
  policy_of(context).ended(task, starpu_worker_get_id());
}

}  // namespace

starpu_sched_policy& locality_policy() {
  static starpu_sched_policy policy = {
      .init_sched = initialise,
      .deinit_sched = finish,
      .push_task = push_task,
      .pop_task = pop_task,
      .post_exec_hook = task_has_ended,
      .add_workers = add_workers,
      .policy_name = "tessera",
      .policy_description = "tasks go where their data are; theft only if it pays back",
      .worker_type = STARPU_WORKER_LIST};
  return policy;
}

}  // namespace tessera

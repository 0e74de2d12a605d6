// SPDX-License-Identifier: MIT
#include "graph/runtime/resting_policy.hpp"

#include <starpu_config.h>
#include <sys/prctl.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <thread>

namespace tessera {
namespace {

using Clock = std::chrono::steady_clock;

/// Less than this is what tasks wait for each other within a step. What waits longer may wait a
/// tenth longer, up to a limit.
constexpr std::chrono::microseconds patience{500};
constexpr std::chrono::microseconds longest_rest{1000};

starpu_sched_policy const* awake = nullptr;

thread_local std::optional<Clock::time_point> idle_since;

/// Asked for 50 us, the system takes twice as long unless it is told that this matters.
void be_punctual() {
  static thread_local bool const told = prctl(PR_SET_TIMERSLACK, 1000UL, 0, 0, 0) == 0;
  static_cast<void>(told);
}

void rest_if_idle() {
  if (starpu_worker_get_type(starpu_worker_get_id()) != STARPU_CPU_WORKER) return;
  auto const now = Clock::now();
  if (!idle_since) idle_since = now;
  auto const idle = now - *idle_since;
  if (idle < patience) return;
  be_punctual();
  starpu_worker_relax_on();  // nobody waits for its turn at this worker's queue meanwhile
  std::this_thread::sleep_for(std::min<Clock::duration>(idle / 10, longest_rest));
  starpu_worker_relax_off();
}

starpu_task* pop_or_rest(unsigned context) {
  starpu_task* const task = awake->pop_task == nullptr ? nullptr : awake->pop_task(context);
  if (task == nullptr) rest_if_idle();
  return task;
}

/// Tasks that are somebody's own do not come by way of pop_or_rest().
void task_begins(starpu_task* task, unsigned context) {
  idle_since.reset();
  if (awake->pre_exec_hook != nullptr) awake->pre_exec_hook(task, context);
}

}  // namespace

starpu_sched_policy& with_rest(starpu_sched_policy const& policy) {
  static starpu_sched_policy resting;
  awake = &policy;
  resting = policy;
#ifndef STARPU_SIMGRID  // where time is not the machine's
  resting.pop_task = pop_or_rest;
  resting.pre_exec_hook = task_begins;
#endif
  return resting;
}

}  // namespace tessera

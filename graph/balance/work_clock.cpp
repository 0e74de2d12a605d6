// SPDX-License-Identifier: MIT
#include "graph/balance/work_clock.hpp"

#include <starpu_profiling.h>

#include <algorithm>

namespace tessera {

double seconds_of(timespec time) { return starpu_timing_timespec_to_us(&time) * 1e-6; }

double BusyTime::add(double start, double end) {
  // StarPU 1.3 takes the second task to begin when the first has ended: so nothing counts twice
  // even without this; others may say when a task was launched.
  double const added = std::max(0.0, end - std::max(start, until_));
  until_ = std::max(end, until_);
  return added;
}

void WorkClock::add(std::size_t worker, std::int64_t work, double start, double end,
                    double transferring) {
  std::lock_guard const lock(mutex_);
  Use& use = uses_[worker];
  use.work += work;
  ++use.tasks;
  use.transferring_s += transferring;
  use.busy_s += busy_[worker].add(start, end);
}

std::vector<WorkClock::Use> WorkClock::uses() const {
  std::lock_guard const lock(mutex_);
  return uses_;
}

WorkClock::Ticket WorkClock::read(Ticket const& ticket) const {
  std::lock_guard const lock(mutex_);
  return ticket;
}

void WorkClock::task_has_ended(void* argument) noexcept {
  auto& ticket = *static_cast<Ticket*>(argument);
  starpu_profiling_task_info const* const info = starpu_task_get_current()->profiling_info;
  if (info == nullptr || info->workerid < 0) return;
  double const start = seconds_of(info->start_time);
  double const end = seconds_of(info->end_time);
  ticket.clock->add(
      static_cast<std::size_t>(info->workerid), ticket.work, start, end,
      seconds_of(info->acquire_data_end_time) - seconds_of(info->acquire_data_start_time));
  std::lock_guard const lock(ticket.clock->mutex_);
  ticket.busy_s += end - start;
  ticket.worker = info->workerid;
}

}  // namespace tessera

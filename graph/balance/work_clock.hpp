// SPDX-License-Identifier: MIT
// What each worker has done, and how long it took: read off the tasks when they end.
#pragma once

#include <starpu.h>

#include <cstdint>
#include <ctime>
#include <mutex>
#include <vector>

namespace tessera {

/// Seconds of a time that StarPU has noted.
double seconds_of(timespec time);

/// Adds up the tasks of a worker. A GPU has several in its pipeline, which run at the same time and
/// end in the order in which they began: time in which they overlap counts once.
class BusyTime {
 public:
  /// Seconds that a task adds.
  double add(double start, double end);

 private:
  double until_ = 0;
};

class WorkClock {
 public:
  /// What one worker has done.
  struct Use {
    std::int64_t work = 0;
    std::int64_t tasks = 0;
    double busy_s = 0;          ///< in tasks; where they overlap, once
    double transferring_s = 0;  ///< sum over the tasks, from asking for data to having them all
  };

  explicit WorkClock(std::size_t workers) : uses_(workers), busy_(workers) {}

  /// A task has ended; times in seconds.
  void add(std::size_t worker, std::int64_t work, double start, double end, double transferring);
  /// What each worker has done since the graph began.
  std::vector<Use> uses() const;

  /// The argument of a task's callback, which counts the tasks of its holder.
  struct Ticket {
    WorkClock* clock = nullptr;
    std::int64_t work = 0;
    double busy_s = 0;
    std::int32_t worker = -1;  ///< that did it last
  };
  static void task_has_ended(void* argument) noexcept;
  /// A ticket as it is now; tasks may end meanwhile.
  Ticket read(Ticket const& ticket) const;

 private:
  mutable std::mutex mutex_;
  std::vector<Use> uses_;
  std::vector<BusyTime> busy_;
};

}  // namespace tessera

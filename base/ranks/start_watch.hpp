// SPDX-License-Identifier: MIT
// A timeout for the start and the end of MPI, when there are no heartbeats (rank_watch.hpp) yet or
// any more.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace tessera {

class StartWatch {
 public:
  /// Watches a process that a launcher has started with others. If the object exists for longer
  /// than `limit_seconds`, another thread calls `cry` with a line and ends this process with status
  /// 1, so that the launcher ends the others. 0: no timeout. `waits_for`: "the others to start".
  StartWatch(double limit_seconds, std::string waits_for,
             std::function<void(std::string const& line)> cry);
  ~StartWatch();
  StartWatch(StartWatch const&) = delete;
  StartWatch& operator=(StartWatch const&) = delete;

 private:
  void watch();

  double limit_;
  std::string waits_for_;
  std::function<void(std::string const& line)> cry_;
  int number_ = 0;  ///< of this process among all
  std::mutex mutex_;
  std::condition_variable ends_;
  bool over_ = false;
  std::thread thread_;
};

}  // namespace tessera

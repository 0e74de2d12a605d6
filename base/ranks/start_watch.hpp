// SPDX-License-Identifier: MIT
// No rank waits for ever where all come together, before the first sign of life (rank_watch.hpp)
// can be told, and behind the last one.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace tessera {

class StartWatch {
 public:
  /// Of a process that a launcher has started with others: `cry` is called with a line, on another
  /// thread, and this process ended with status 1, if the object lives for longer than so many
  /// seconds. The launcher ends the others then. 0: nobody watches. `waits_for`: "the others to
  /// start".
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

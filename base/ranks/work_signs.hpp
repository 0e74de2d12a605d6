// SPDX-License-Identifier: MIT
// Whether this process is at work, as the system sees it: its threads compute, read or write.
//
// Threads that look about all the time, whether there is something to do or not, are left out: by
// their names, and those that wait for other processes, as MPI takes a core for that.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>

namespace tessera {

class WorkSigns {
 public:
  /// While it lives this thread waits for other processes.
  class Waiting {
   public:
    Waiting();
    ~Waiting();
    Waiting(Waiting const&) = delete;
    Waiting& operator=(Waiting const&) = delete;
  };
  /// Whether any thread does so now.
  static bool anybody_waits();

  /// Threads whose names begin so are left out from now on.
  static void leave_out(std::string const& name);

  /// Whether there has been work since the last call, or a wait has come to its end; what this
  /// thread does is none. Where the system does not tell there has.
  bool since_last();

 private:
  struct Counters {
    std::int64_t nanoseconds = 0;  ///< of a core
    std::int64_t bytes = 0;        ///< read and written
  };
  static bool read(std::string const& task, Counters& counters);

  std::map<int, Counters> threads_;  ///< those that live, by their numbers, at the last call
  std::int64_t waits_ended_ = 0;
  std::chrono::steady_clock::time_point asked_ = std::chrono::steady_clock::now();
};

}  // namespace tessera

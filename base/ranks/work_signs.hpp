// SPDX-License-Identifier: MIT
// Whether this process makes progress, as the system counts it: its threads compute, read or write.
//
// Threads that poll all the time are left out, by their names, and so are those that wait for other
// processes, because MPI polls meanwhile.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>

namespace tessera {

class WorkSigns {
 public:
  /// While an object exists, this thread counts as waiting for other processes.
  class Waiting {
   public:
    Waiting();
    ~Waiting();
    Waiting(Waiting const&) = delete;
    Waiting& operator=(Waiting const&) = delete;
  };
  /// Whether any thread waits for other processes now.
  static bool anybody_waits();

  /// Leaves out threads whose names begin with this.
  static void leave_out(std::string const& name);

  /// Whether any other thread has made progress, or a wait has ended, since the last call. True
  /// where the system has no such counters.
  bool since_last();

 private:
  struct Counters {
    std::int64_t nanoseconds = 0;  ///< of a core
    std::int64_t bytes = 0;        ///< read and written
  };
  static bool read(std::string const& task, Counters& counters);

  std::map<int, Counters> threads_;  ///< threads at the last call, by their numbers
  std::int64_t waits_ended_ = 0;
  std::chrono::steady_clock::time_point asked_ = std::chrono::steady_clock::now();
};

}  // namespace tessera

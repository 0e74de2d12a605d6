// SPDX-License-Identifier: MIT
// Failure detection: a rank that is stopped, or blocked in a call that never returns, ends the job.
//
// A thread of each rank sends rank 0 a heartbeat with the number of its steps, and rank 0 sends all
// of them back. A rank that receives nothing from rank 0 within the limit, or rank 0 from another
// rank, prints one line and ends the job. If heartbeats arrive but no rank takes a step for that
// long, the line names the rank with the fewest steps.
//
// Reading, cutting and writing have no steps and may take long. They count as hanging if for ten
// limits no process computes, reads or writes (base/ranks/work_signs.hpp) and no wait for another
// rank ends; the line then names the ranks that do not wait. An endless loop outside the steps is
// not detected.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace tessera {

class RankWatch {
 public:
  static constexpr double usual_limit = 300;  ///< seconds
  /// `TESSERA_RANK_TIMEOUT` if it is set, else usual_limit. Throws BadInput.
  static double limit_of_environment();

  /// Collective: starts the heartbeat, unless the limit is 0. `names`: of all ranks, for messages.
  /// Another thread calls `cry` with a line before it ends all ranks with status 1.
  RankWatch(double limit_seconds, std::vector<std::string> names,
            std::function<void(std::string const& line)> cry);
  /// Collective, before MPI_Finalize.
  ~RankWatch();
  RankWatch(RankWatch const&) = delete;
  RankWatch& operator=(RankWatch const&) = delete;

  /// While an object exists, this rank takes steps, or waits for ranks that do. Outside, work may
  /// take any time as long as some rank makes progress.
  class Stepping {
   public:
    Stepping();
    ~Stepping();
    Stepping(Stepping const&) = delete;
    Stepping& operator=(Stepping const&) = delete;
  };
  /// A part of Stepping without a step: files are written, pictures are drawn.
  class Aside {
   public:
    Aside();
    ~Aside();
    Aside(Aside const&) = delete;
    Aside& operator=(Aside const&) = delete;
  };
  /// While an object exists, this rank may wait for something outside the program, such as a
  /// person.
  class AtLeisure {
   public:
    AtLeisure();
    ~AtLeisure();
    AtLeisure(AtLeisure const&) = delete;
    AtLeisure& operator=(AtLeisure const&) = delete;
  };
  /// A step has been taken.
  static void note_step();

 private:
  inline static std::atomic<int> stepping = 0;
  inline static std::atomic<int> at_leisure = 0;
  inline static std::atomic<std::int64_t> steps = 0;

  class Thread;
  std::unique_ptr<Thread> thread_;
};

}  // namespace tessera

// SPDX-License-Identifier: MIT
// Nothing hangs: a rank that falls silent, stopped or stuck in a call that never returns, ends the
// job.
//
// On each rank a thread tells the first one every while that it lives and how far the run has come,
// and the first one tells all. Who hears nothing of the first one, or the first one of somebody,
// for so long, says so in one line and ends all. So it does where all live and are at their steps,
// but nobody comes on: then it is who is least far.
//
// What else a run does (reading, cutting, writing) has no steps, and may take long honestly. There
// a job hangs if for ten times as long no process computes, reads or writes, as the system counts
// it (base/ranks/work_signs.hpp), and no wait for others comes to its end: then it is who does not
// wait. A process that computes in circles is not found out.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace tessera {

class RankWatch {
 public:
  static constexpr double usual_limit = 300;  ///< seconds
  /// `TESSERA_RANK_TIMEOUT`, where it is said. Throws BadInput.
  static double limit_of_environment();

  /// All ranks: begins to watch; 0 seconds: does not. `names`: of all ranks, as people know them.
  /// `cry` is called with a line, on another thread, before all ranks are ended with status 1.
  RankWatch(double limit_seconds, std::vector<std::string> names,
            std::function<void(std::string const& line)> cry);
  /// All ranks, before the end of MPI.
  ~RankWatch();
  RankWatch(RankWatch const&) = delete;
  RankWatch& operator=(RankWatch const&) = delete;

  /// While it lives this rank is at its steps, or waits for others that should be; what else a run
  /// does, may take as long as it likes while somebody is at work.
  class Stepping {
   public:
    Stepping();
    ~Stepping();
    Stepping(Stepping const&) = delete;
    Stepping& operator=(Stepping const&) = delete;
  };
  /// The same within it: files are written, pictures are drawn.
  class Aside {
   public:
    Aside();
    ~Aside();
    Aside(Aside const&) = delete;
    Aside& operator=(Aside const&) = delete;
  };
  /// While it lives this rank may wait for what no process does, for a person say.
  class AtLeisure {
   public:
    AtLeisure();
    ~AtLeisure();
    AtLeisure(AtLeisure const&) = delete;
    AtLeisure& operator=(AtLeisure const&) = delete;
  };
  /// The run has come on.
  static void note_step();

 private:
  class Thread;
  std::unique_ptr<Thread> thread_;
};

}  // namespace tessera

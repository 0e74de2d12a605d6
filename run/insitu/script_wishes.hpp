// SPDX-License-Identifier: MIT
// What scripts, and their mistakes, ask of the run. The analysis thread notes it, the thread of the
// run reads it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>

#include "insitu/engine.hpp"
#include "run/flow_watch.hpp"

namespace tessera {

struct Wishes {
  bool failed = false;  ///< a mistake ends the run
  bool stop = false;
  bool fields = false;
  bool checkpoint = false;
  FlowChanges changes;
  std::optional<std::int64_t> interval;  ///< steps from one look to the next
  std::size_t alive = 0;                 ///< scripts that have not been dropped
};

/// A single process acts on a wish at once. Of several ranks all act at the same step: on what has
/// been asked for when they call agree().
class ScriptWishes {
 public:
  /// Before each flow, which `scripts` scripts look at.
  void begin(std::size_t scripts);

  // Called by the analysis thread:
  void take(Steering const& steering);
  void note_mistake(bool script_is_dropped, bool ends_the_run);
  void drop_all();

  // Called by the thread of the run:
  /// Collective: the scripts of rank 0 say what is asked for. A mistake counts on whichever rank it
  /// was made, and a script that any rank has dropped is dropped.
  void agree();
  Wishes now() const;
  /// Each returns a request once.
  bool take_fields();
  bool take_checkpoint();
  FlowChanges take_changes();

 private:
  /// The wishes that the run acts on; the mutex must be held.
  Wishes& known();

  mutable std::mutex mutex_;
  Wishes asked_;   ///< by the scripts of this process
  Wishes agreed_;  ///< by all ranks, when they last agreed
  std::int64_t last_fields_asked_ = 0;
  std::int64_t last_checkpoint_asked_ = 0;
};

}  // namespace tessera

// SPDX-License-Identifier: MIT
// What controls a run of a flow from outside.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>

#include "base/errors.hpp"
#include "base/ranks/ranks.hpp"
#include "run/checkpoint/checkpoints.hpp"
#include "run/flow_watch.hpp"
#include "run/losses.hpp"
#include "run/run_end.hpp"

namespace tessera {

/// Controls of a run; null: none.
struct RunControl {
  std::atomic<bool> const* stop = nullptr;  ///< set elsewhere (Ctrl-C), ends the run cleanly
  FlowWatch* watch = nullptr;               ///< looks at the state
  Checkpoints* checkpoints = nullptr;       ///< that the run resumes from, and writes
  std::function<void(std::int64_t step)> stepped = {};  ///< called when steps have been submitted

  /// Requests from outside, at any time: by signals, by the clock.
  struct Wishes {
    bool end = false;
    bool checkpoint = false;
  };
  /// All ranks: the requests after this step, the same for all ranks; call it once a step. The
  /// reduction is done seldom: a rank that waits for the others submits nothing meanwhile.
  Wishes wishes_after(std::int64_t step, std::int64_t steps_between_meetings) const {
    bool const end_now = stop != nullptr && stop->load();
    if (Ranks::alone()) return {end_now, checkpoint_is_due(step)};
    bool const meet = step % steps_between_meetings == 0;
    return {meet && Ranks::any(end_now),
            (checkpoints != nullptr && checkpoints->is_due_by_step(step)) ||
                (meet && Ranks::any(checkpoint_is_due(step)))};
  }
  /// The end that the watch requests, or none.
  std::optional<RunEnd> wants_end() const {
    return watch == nullptr ? std::nullopt : watch->wants_end();
  }
  /// Whether the watch requests the fields of this step; the request is taken then.
  bool wants_fields() const { return watch != nullptr && watch->wants_fields(); }
  bool goes_on() const { return checkpoints != nullptr && checkpoints->earlier() != nullptr; }
  /// Writes a checkpoint. If it cannot be written, rank 0 warns. Any other error in one of several
  /// processes ends all of them: the others wait for it.
  void write_checkpoint(RunningFlow& flow, Checkpoints::AddRun const& add_run) const {
    try {
      checkpoints->write(flow, add_run);
    } catch (EnvironmentError const& error) {
      if (!Ranks::is_root()) throw;
      checkpoints->note_failure(flow.steps(), reason(error));
    } catch (std::exception const& error) {
      if (!Ranks::alone()) throw;
      checkpoints->note_failure(flow.steps(), reason(error));
    }
  }
  bool writes_the_end() const { return checkpoints != nullptr && checkpoints->wanted_in_the_end(); }
  /// The step up to which the flow may step before a look or a checkpoint needs its state.
  std::int64_t until_next(std::int64_t step, std::int64_t until) const {
    std::int64_t const next = until_next_look(watch, step, until);
    return checkpoints == nullptr ? next : std::min(next, checkpoints->next_after(step));
  }

 private:
  bool checkpoint_is_due(std::int64_t step) const {
    if (checkpoints == nullptr) return false;
    bool const asked_for = watch != nullptr && watch->wants_checkpoint();
    return asked_for || checkpoints->is_due(step);
  }
};

}  // namespace tessera

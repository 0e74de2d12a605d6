// SPDX-License-Identifier: MIT
// Who else has to do with a run of a flow.
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

/// Null: nobody.
struct RunControl {
  std::atomic<bool> const* stop = nullptr;  ///< set by someone else (Ctrl-C), ends the run cleanly
  FlowWatch* watch = nullptr;               ///< looks at the state
  Checkpoints* checkpoints = nullptr;       ///< that it goes on from, and writes
  std::function<void(std::int64_t step)> stepped = {};  ///< called when steps have been submitted

  /// What is asked for from outside, at any time: by signals, by the clock.
  struct Wishes {
    bool end = false;
    bool checkpoint = false;
  };
  /// All ranks: those after this step, to be asked once; the same for all. They meet seldom: who
  /// waits for the others submits nothing meanwhile.
  Wishes wishes_after(std::int64_t step, std::int64_t steps_between_meetings) const {
    bool const end_now = stop != nullptr && stop->load();
    if (Ranks::alone()) return {end_now, checkpoint_is_due(step)};
    bool const meet = step % steps_between_meetings == 0;
    return {meet && Ranks::any(end_now),
            (checkpoints != nullptr && checkpoints->is_due_by_step(step)) ||
                (meet && Ranks::any(checkpoint_is_due(step)))};
  }
  /// Whether whoever looks wants the run to end.
  std::optional<RunEnd> wants_end() const {
    return watch == nullptr ? std::nullopt : watch->wants_end();
  }
  /// Whether whoever looks wants the fields of this step; then it has been asked for.
  bool wants_fields() const { return watch != nullptr && watch->wants_fields(); }
  bool goes_on() const { return checkpoints != nullptr && checkpoints->earlier() != nullptr; }
  /// One that cannot be written is a warning of who writes. What else goes wrong in one of several
  /// processes ends them all: the others wait for it.
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
  /// The step up to which the flow may go before somebody wants its state.
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

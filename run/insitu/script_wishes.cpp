// SPDX-License-Identifier: MIT
#include "run/insitu/script_wishes.hpp"

#include <span>
#include <type_traits>
#include <utility>

#include "base/ranks/ranks.hpp"

namespace tessera {
namespace {

/// Collective.
Wishes wishes_of_ranks(Wishes own) {
  own.failed = Ranks::any(own.failed);
  own.alive = static_cast<std::size_t>(-Ranks::maximum(-static_cast<std::int64_t>(own.alive)));
  struct OfRank0 {
    bool stop, fields, checkpoint;
    FlowChanges changes;
    std::optional<std::int64_t> interval;
  };
  static_assert(std::is_trivially_copyable_v<OfRank0>);
  OfRank0 first{own.stop, own.fields, own.checkpoint, own.changes, own.interval};
  Ranks::broadcast(std::as_writable_bytes(std::span(&first, 1)));
  own.stop = first.stop;
  own.fields = first.fields;
  own.checkpoint = first.checkpoint;
  own.changes = first.changes;
  own.interval = first.interval;
  return own;
}

}  // namespace

void ScriptWishes::begin(std::size_t scripts) {
  std::lock_guard const lock(mutex_);
  asked_.alive = scripts;
  agreed_ = asked_;
}

void ScriptWishes::take(Steering const& steering) {
  std::lock_guard const lock(mutex_);
  asked_.changes.tolerance = steering.tolerance;
  asked_.changes.body_force_factor = steering.body_force_factor;
  asked_.interval = steering.interval;
  asked_.stop = steering.stop;
  if (std::exchange(last_fields_asked_, steering.fields) != steering.fields) asked_.fields = true;
  if (std::exchange(last_checkpoint_asked_, steering.checkpoint) != steering.checkpoint)
    asked_.checkpoint = true;
}

void ScriptWishes::note_mistake(bool script_is_dropped, bool ends_the_run) {
  std::lock_guard const lock(mutex_);
  if (script_is_dropped && asked_.alive > 0) --asked_.alive;
  if (ends_the_run) asked_.failed = true;
}

void ScriptWishes::drop_all() {
  std::lock_guard const lock(mutex_);
  asked_.alive = 0;
}

void ScriptWishes::agree() {
  if (Ranks::alone()) return;
  Wishes asked;
  {
    std::lock_guard const lock(mutex_);
    asked = asked_;
    asked_.fields = asked_.checkpoint = false;
    asked_.changes = {};
  }
  Wishes agreed = wishes_of_ranks(asked);
  // Requests that the run has not taken yet stay.
  agreed.fields = agreed.fields || agreed_.fields;
  agreed.checkpoint = agreed.checkpoint || agreed_.checkpoint;
  agreed_ = agreed;
}

Wishes& ScriptWishes::known() { return Ranks::alone() ? asked_ : agreed_; }

Wishes ScriptWishes::now() const {
  std::lock_guard const lock(mutex_);
  return Ranks::alone() ? asked_ : agreed_;
}

bool ScriptWishes::take_fields() {
  std::lock_guard const lock(mutex_);
  return std::exchange(known().fields, false);
}

bool ScriptWishes::take_checkpoint() {
  std::lock_guard const lock(mutex_);
  return std::exchange(known().checkpoint, false);
}

FlowChanges ScriptWishes::take_changes() {
  std::lock_guard const lock(mutex_);
  return std::exchange(known().changes, {});
}

}  // namespace tessera

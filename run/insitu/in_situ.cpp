// SPDX-License-Identifier: MIT
#include "run/insitu/in_situ.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <span>
#include <utility>

#include "base/errors.hpp"
#include "base/machine/seconds_since.hpp"
#include "base/ranks/rank_watch.hpp"
#include "base/ranks/ranks.hpp"
#include "base/ranks/same_for_all.hpp"
#include "base/ranks/together.hpp"
#include "insitu/crash_guard.hpp"
#include "io/sha256.hpp"
#include "run/console/log.hpp"
#include "run/next_multiple.hpp"

namespace tessera {

InSitu::InSitu(InSituOptions options, std::filesystem::path folder)
    : options_(std::move(options)), folder_(std::move(folder)), thread_(options_.when_behind) {
  std::error_code error;
  std::filesystem::create_directories(folder_, error);
  if (error) {
    throw BadInput(fmt::format("{}: cannot make {} ({}): expected a folder that can be written to",
                               options_.asked_by, folder_.string(), error.message()));
  }
  for (Script& script : options_.scripts) {
    expect_same_for_all(script.name, sha256_of(std::as_bytes(std::span(script.text))));
    place_script(script, folder_, Ranks::is_root());
    result_.scripts.push_back({script.name, script.arguments});
  }
  thread_.start([this] { start_engine(); });
}

void InSitu::start_engine() {
  engine_ = load_engine().release();
  guard_this_thread();  // MPI, which ParaView starts, would end the process at a fault
  std::lock_guard const lock(mutex_);
  result_.engine = engine_->description();
}

InSitu::~InSitu() {
  // ParaView ends on the thread that it began on; after a crash, never.
  thread_.start([this] { delete engine_; });
}

void InSitu::begin(Scene scene, std::string const& name, std::int64_t first_step) {
  frames_.begin(std::move(scene));
  VoxelScene const* const voxels = frames_.voxels();
  if (voxels != nullptr && voxels->shape.z < Ranks::count()) {
    throw BadInput(fmt::format("{}: expected {} processes at most, as the image has {} layers",
                               options_.asked_by, voxels->shape.z, voxels->shape.z));
  }
  bool const iterates = voxels != nullptr && voxels->iterates;
  result_.every = options_.every.value_or(iterates ? InSituOptions::usual_iterations
                                                   : InSituOptions::usual_steps);
  first_ = first_step;
  next_ = first_step;
  looked_at_ = -1;
  monitor_.begin();
  wishes_.begin(crash() == nullptr ? options_.scripts.size() : 0);
  thread_.start([this, folder = folder_ / name] {
    if (engine_ == nullptr) start_engine();  // its start failed: now the run waits for the reason
    frames_.forget();
    engine_->begin(options_.scripts, folder);
  });
  thread_.wait();
}

void InSitu::end() {
  thread_.start([this] { note(engine_->end()); });
  thread_.wait();
  note_crash();
  wishes_.agree();
}

InSituResult InSitu::result() const {
  std::lock_guard const lock(mutex_);
  InSituResult result = result_;
  result.dropped = thread_.dropped();
  result.waited = thread_.waited();
  result.waited_s = thread_.waited_s();
  return result;
}

std::int64_t InSitu::next_look() const { return wishes_.now().alive > 0 ? next_ : never; }

bool InSitu::any_may_use(char const* channel) const {
  return std::ranges::any_of(options_.scripts,
                             [&](Script const& script) { return may_use(script, channel); });
}

InSitu::Channels InSitu::channels() const {
  bool const walls = frames_.voxels() != nullptr && any_may_use("walls");
  // The stresses on walls are those of the fluid beside them.
  return {.fluid = walls || any_may_use("fluid"), .walls = walls};
}

void InSitu::look(RunningFlow& flow, MonitorRow const& known) {
  std::int64_t const step = flow.steps();
  note_crash();
  wishes_.agree();
  Wishes const wishes = wishes_.now();
  if (step == looked_at_ || wishes.alive == 0) return;
  std::int64_t const every = wishes.interval.value_or(result_.every);
  // A run that has been resumed looks at the steps at which the first run would have looked.
  next_ = step == first_ ? next_multiple(every, step) : step + every;
  auto const set = thread_.claim();
  if (Ranks::any(!set)) {
    if (set) thread_.release(*set);
    return;
  }
  looked_at_ = step;
  Channels const wanted = channels();
  if (wanted.fluid) flow.submit_snapshots(*set);
  auto const frame = std::make_shared<Frame>(frames_.frame_of(flow));
  frame->monitor = known;
  frames_.add_units(frame->monitor);
  monitor_.add_work(flow, frame->monitor);
  frame->monitor_is_here = Ranks::is_root();
  VoxelScene const* const voxels = frames_.voxels();
  frame->tiles = monitor_.tiles(flow, voxels != nullptr ? voxels->lower : Int3{});
  thread_.start([this, frame, wanted, set = *set, &flow] { analyse(flow, set, wanted, *frame); });
  if (step == first_) wait_for_first_look();
}

void InSitu::wait_for_first_look() {
  thread_.wait();
  note_crash();
  monitor_.leave_out_time();  // ParaView's start
  wishes_.agree();
  if (wishes_.now().failed) refuse();
}

void InSitu::refuse() const {
  std::string own;
  {
    std::lock_guard const lock(mutex_);
    if (!result_.errors.empty()) {
      InSituResult::Error const& error = result_.errors.front();
      own = described({error.script, error.step, error.text, true});
    }
  }
  auto const all = Ranks::all_gather(own);
  throw BadInputOfAll(
      *std::ranges::find_if(all, [](std::string const& text) { return !text.empty(); }));
}

void InSitu::analyse(RunningFlow& flow, std::size_t set, Channels channels, Frame& frame) {
  auto const start = std::chrono::steady_clock::now();
  std::int64_t const bytes = channels.fluid ? frames_.fill(flow, set, frame) : 0;
  thread_.release(set);
  if (channels.walls) frames_.add_walls(frame);
  execute(frame);
  std::lock_guard const lock(mutex_);
  ++result_.executions;
  result_.bytes += bytes;
  result_.seconds += seconds_since(start);
}

void InSitu::execute(Frame const& frame) {
  analysed_step_ = frame.step;
  {
    RankWatch::AtLeisure const paused_perhaps;
    note(engine_->execute(frame));
  }
  wishes_.take(engine_->steering());
}

void InSitu::note(std::vector<ScriptError> const& errors) {
  for (ScriptError const& error : errors) {
    bool const stop = options_.errors == OnScriptError::stop;
    bool const at_first = error.step == first_;
    if (!stop || !at_first) {
      log_warning("{}{}", described(error),
                  stop            ? "\n(the run ends)"
                  : error.dropped ? "\n(it will not be run again)"
                                  : "");
    }
    {
      std::lock_guard const lock(mutex_);
      result_.errors.push_back({error.script, error.step, error.text});
    }
    wishes_.note_mistake(error.dropped, stop);
  }
}

void InSitu::note_crash() {
  if (crash() == nullptr || crash_noted_) return;
  crash_noted_ = true;
  // The other ranks would wait in ParaView for this one.
  if (!Ranks::alone()) throw EnvironmentError(fmt::format("ParaView crashed ({})", crash()));
  wishes_.drop_all();
  std::string names;
  for (Script const& script : options_.scripts)
    names += fmt::format("{}{}", names.empty() ? "" : ", ", script.name);
  note({{names, analysed_step_,
         fmt::format("ParaView crashed ({}): no script is run any more", crash()), false}});
}

std::string InSitu::described(ScriptError const& error) const {
  return fmt::format("{} {}: failed at step {}: {}", options_.asked_by, error.script, error.step,
                     error.text);
}

std::optional<RunEnd> InSitu::wants_end() const {
  Wishes const wishes = wishes_.now();
  if (wishes.failed) return RunEnd::look_failed;
  if (wishes.stop) return RunEnd::steered;
  return std::nullopt;
}

}  // namespace tessera

// SPDX-License-Identifier: MIT
#include "run/in_situ.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <type_traits>
#include <utility>

#include "base/errors.hpp"
#include "base/machine/seconds_since.hpp"
#include "base/ranks/rank_watch.hpp"
#include "base/ranks/ranks.hpp"
#include "base/ranks/same_for_all.hpp"
#include "base/ranks/together.hpp"
#include "insitu/crash_guard.hpp"
#include "io/sha256.hpp"
#include "models/lattice/units.hpp"
#include "run/console/log.hpp"
#include "run/next_multiple.hpp"

namespace tessera {
namespace {

using Clock = std::chrono::steady_clock;

}  // namespace

void check_in_situ(InSituOptions const& options) {
  if (options.scripts.empty()) return;
  check_engine(options.asked_by);
  draw_on_one_thread();
  bool const display = hold_display();
  auto const drawing = std::ranges::find_if(options.scripts, draws);
  if (drawing == options.scripts.end() || display) return;
  throw BadInput(fmt::format(
      "{} {}: it draws pictures, for which ParaView needs an X server, and DISPLAY names none that "
      "answers: run it as 'xvfb-run -a tessera ...'",
      options.asked_by, drawing->name));
}

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
  guard_this_thread();  // instead of what MPI, which ParaView starts, does with faults
  std::lock_guard const lock(mutex_);
  result_.engine = engine_->description();
}

InSitu::~InSitu() {
  // ParaView ends on the thread that it began on; after a crash, never.
  thread_.start([this] { delete engine_; });
}

void InSitu::begin(Scene scene, std::string const& name, std::int64_t first_step) {
  scene_ = std::move(scene);
  if (voxels() != nullptr && voxels()->shape.z < Ranks::count()) {
    throw BadInput(fmt::format("{}: expected {} processes at most, as the image has {} layers",
                               options_.asked_by, voxels()->shape.z, voxels()->shape.z));
  }
  bool const iterates = voxels() != nullptr && voxels()->iterates;
  result_.every = options_.every.value_or(iterates ? InSituOptions::usual_iterations
                                                   : InSituOptions::usual_steps);
  first_ = first_step;
  next_ = first_step;
  looked_at_ = -1;
  tiles_busy_.clear();
  workers_busy_.clear();
  asked_.alive = crash() == nullptr ? options_.scripts.size() : 0;
  heard_ = asked_;
  thread_.start([this, folder = folder_ / name] {
    if (engine_ == nullptr) start_engine();  // it failed: now somebody waits for the reason
    parts_.reset();
    walls_.reset();
    engine_->begin(options_.scripts, folder);
  });
  thread_.wait();
}

void InSitu::end() {
  thread_.start([this] { note(engine_->end()); });
  thread_.wait();
  note_crash();
}

InSituResult InSitu::result() const {
  std::lock_guard const lock(mutex_);
  InSituResult result = result_;
  result.dropped = thread_.dropped();
  result.waited = thread_.waited();
  result.waited_s = thread_.waited_s();
  return result;
}

// A process that is alone hears of a wish at once.
InSitu::Wishes& InSitu::known_wishes() { return Ranks::alone() ? asked_ : heard_; }

InSitu::Wishes InSitu::wishes() const {
  std::lock_guard const lock(mutex_);
  return Ranks::alone() ? asked_ : heard_;
}

void InSitu::hear() {
  Wishes asked;
  {
    std::lock_guard const lock(mutex_);
    asked = asked_;
    asked_.fields = asked_.checkpoint = false;
    asked_.changes = {};
  }
  Wishes const told = told_by_first(asked);
  bool const fields = heard_.fields || told.fields;
  bool const checkpoint = heard_.checkpoint || told.checkpoint;
  heard_ = told;
  heard_.fields = fields;
  heard_.checkpoint = checkpoint;
}

InSitu::Wishes InSitu::told_by_first(Wishes own) {
  own.failed = Ranks::any(own.failed);
  own.alive = static_cast<std::size_t>(-Ranks::maximum(-static_cast<std::int64_t>(own.alive)));
  struct Told {
    bool stop, fields, checkpoint;
    FlowChanges changes;
    std::optional<std::int64_t> interval;
  };
  static_assert(std::is_trivially_copyable_v<Told>);
  Told told{own.stop, own.fields, own.checkpoint, own.changes, own.interval};
  Ranks::broadcast(std::as_writable_bytes(std::span(&told, 1)));
  own.stop = told.stop;
  own.fields = told.fields;
  own.checkpoint = told.checkpoint;
  own.changes = told.changes;
  own.interval = told.interval;
  return own;
}

std::int64_t InSitu::next_look() const {
  return wishes().alive > 0 ? next_ : std::numeric_limits<std::int64_t>::max();
}

bool InSitu::any_may_use(char const* channel) const {
  return std::ranges::any_of(options_.scripts,
                             [&](Script const& script) { return may_use(script, channel); });
}

void InSitu::look(RunningFlow& flow, MonitorRow const& known) {
  std::int64_t const step = flow.steps();
  note_crash();
  if (!Ranks::alone()) hear();
  Wishes const now = wishes();
  if (step == looked_at_ || now.alive == 0) return;
  std::int64_t const every = now.interval.value_or(result_.every);
  // A run that goes on looks when it would have looked.
  next_ = step == first_ ? next_multiple(every, step) : step + every;
  auto const set = thread_.claim();
  if (Ranks::any(!set)) {
    if (set) thread_.release(*set);
    return;
  }
  looked_at_ = step;
  bool const walls = any_may_use("walls") && voxels() != nullptr;
  bool const fields = walls || any_may_use("fluid");
  if (fields) flow.submit_snapshots(*set);
  auto frame = std::make_shared<Frame>();
  frame->step = step;
  frame->time = time_of(flow);
  if (VoxelScene const* const scene = voxels()) {
    frame->shape = scene->shape;
    frame->spacing = scene->units.spacing;
    frame->in_si = scene->units.in_si;
  }
  frame->monitor = monitor_row(flow, known);
  frame->monitor_is_here = Ranks::is_root();
  frame->tiles = tile_rows(flow);
  thread_.start([this, frame, fields, walls, set = *set, &flow] {
    auto const start = Clock::now();
    if (fields) fill(flow, set, *frame);
    thread_.release(set);
    if (walls) find_walls(*frame);
    analyse(*frame);
    std::lock_guard const lock(mutex_);
    result_.seconds += seconds_since(start);
  });
  if (step > first_) return;
  thread_.wait();
  note_crash();
  monitored_ = Clock::now();  // ParaView's start is not the flow's time
  if (!Ranks::alone()) hear();
  if (wishes().failed) refuse();
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

void InSitu::fill(RunningFlow& flow, std::size_t set, Frame& frame) {
  auto const* const cells = std::get_if<CellScene>(&scene_);
  std::int64_t const bytes = cells != nullptr
                                 ? cells->fill(flow, set, frame)
                                 : fill_voxels(dynamic_cast<NodeFlow&>(flow), set, frame);
  std::lock_guard const lock(mutex_);
  result_.bytes += bytes;
}

double InSitu::time_of(RunningFlow& flow) const {
  if (auto const* const cells = std::get_if<CellScene>(&scene_)) return cells->time(flow);
  auto const steps = static_cast<double>(flow.steps());
  return voxels()->iterates ? steps : steps * voxels()->units.time;
}

std::int64_t InSitu::fill_voxels(NodeFlow& flow, std::size_t set, Frame& frame) {
  if (!parts_) parts_ = std::make_unique<FrameParts>(*voxels());
  parts_->take([&](FrameParts::Visit const& visit) { flow.visit_snapshots(set, visit); });
  frame.blocks = {parts_->block()};
  return flow.nodes() * static_cast<std::int64_t>(sizeof(NodeState));
}

void InSitu::find_walls(Frame& frame) {
  ImageBlock const& image = frame.blocks.front();
  VoxelScene const& scene = *voxels();
  FieldUnits const& units = scene.units;
  if (!walls_)
    walls_ = std::make_unique<Walls>(image, scene.walls, units.spacing, parts_->beyond());
  std::vector<double> factors;
  if (scene.wall_factors) factors = scene.wall_factors(frame.step);
  frame.walls = &walls_->update(image, units.dynamic_viscosity(), factors);
}

void InSitu::analyse(Frame const& frame) {
  analysed_step_ = frame.step;
  {
    RankWatch::AtLeisure const paused_perhaps;
    note(engine_->execute(frame));
  }
  Steering const steering = engine_->steering();
  std::lock_guard const lock(mutex_);
  ++result_.executions;
  asked_.changes.tolerance = steering.tolerance;
  asked_.changes.body_force_factor = steering.body_force_factor;
  asked_.interval = steering.interval;
  asked_.stop = steering.stop;
  if (steering.fields != last_fields_asked_) asked_.fields = true;
  last_fields_asked_ = steering.fields;
  if (steering.checkpoint != last_checkpoint_asked_) asked_.checkpoint = true;
  last_checkpoint_asked_ = steering.checkpoint;
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
    std::lock_guard const lock(mutex_);
    if (error.dropped && asked_.alive > 0) --asked_.alive;
    result_.errors.push_back({error.script, error.step, error.text});
    if (stop) asked_.failed = true;
  }
}

void InSitu::note_crash() {
  if (crash() == nullptr || crash_noted_) return;
  crash_noted_ = true;
  // The others would wait in ParaView for this one.
  if (!Ranks::alone()) throw EnvironmentError(fmt::format("ParaView crashed ({})", crash()));
  {
    std::lock_guard const lock(mutex_);
    asked_.alive = 0;
  }
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
  Wishes const now = wishes();
  if (now.failed) return RunEnd::look_failed;
  if (now.stop) return RunEnd::steered;
  return std::nullopt;
}

bool InSitu::wants_fields() {
  std::lock_guard const lock(mutex_);
  return std::exchange(known_wishes().fields, false);
}

bool InSitu::wants_checkpoint() {
  std::lock_guard const lock(mutex_);
  return std::exchange(known_wishes().checkpoint, false);
}

FlowChanges InSitu::take_changes() {
  std::lock_guard const lock(mutex_);
  return std::exchange(known_wishes().changes, {});
}

MonitorRow InSitu::monitor_row(RunningFlow const& flow, MonitorRow row) {
  if (voxels() != nullptr && voxels()->units.in_si) {
    row.k_m2 = row.k_lattice * voxels()->units.spacing * voxels()->units.spacing;
    row.k_mD = row.k_m2 / millidarcy_m2;
  }
  std::int64_t const step = flow.steps();
  std::vector<WorkClock::Use> const uses = flow.worker_uses();
  if (step > monitored_step_ && workers_busy_.size() == uses.size()) {
    row.mflups = static_cast<double>(flow.nodes()) * static_cast<double>(step - monitored_step_) /
                 seconds_since(monitored_) * 1e-6;
    std::int64_t most = 0;                  // ns
    std::array<std::int64_t, 2> sum{0, 0};  // of these, and how many workers
    for (std::size_t w = 0; w < uses.size(); ++w) {
      if (uses[w].work == 0) continue;
      std::int64_t const busy = std::llround(1e9 * (uses[w].busy_s - workers_busy_[w]));
      most = std::max(most, busy);
      sum[0] += busy;
      ++sum[1];
    }
    most = Ranks::maximum(most);
    Ranks::sum(sum);
    if (sum[0] > 0) {
      row.imbalance =
          static_cast<double>(most) * static_cast<double>(sum[1]) / static_cast<double>(sum[0]) - 1;
    }
  }
  monitored_step_ = step;
  monitored_ = Clock::now();
  workers_busy_.clear();
  for (WorkClock::Use const& use : uses) workers_busy_.push_back(use.busy_s);
  return row;
}

std::vector<TileRow> InSitu::tile_rows(RunningFlow const& flow) {
  std::vector<TileRow> rows;
  Int3 const lower = voxels() != nullptr ? voxels()->lower : Int3{};
  auto const* const nodes = dynamic_cast<NodeFlow const*>(&flow);
  std::vector<TileReport> const reports =
      nodes != nullptr ? nodes->tile_reports() : std::vector<TileReport>{};
  auto const of_ranks = Ranks::all_gather(static_cast<std::int64_t>(reports.size()));
  auto const first = static_cast<std::int32_t>(
      std::accumulate(of_ranks.begin(), of_ranks.begin() + Ranks::rank(), std::int64_t{0}));
  tiles_busy_.resize(reports.size(), 0);
  for (TileReport const& report : reports) {
    std::size_t const t = rows.size();
    // Tiles that have been cut anew begin to count again.
    double const before = std::min(tiles_busy_[t], report.busy_s);
    rows.push_back({report.lower - lower, report.upper - lower,
                    first + static_cast<std::int32_t>(t), report.domain, report.worker,
                    report.busy_s - before, report.nodes});
    tiles_busy_[t] = report.busy_s;
  }
  return rows;
}

}  // namespace tessera

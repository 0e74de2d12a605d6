// SPDX-License-Identifier: MIT
#include "run/in_situ.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "insitu/crash_guard.hpp"
#include "lattice/errors.hpp"
#include "lattice/units.hpp"
#include "machine/seconds_since.hpp"
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
    place_script(script, folder_);
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
  result_.every = options_.every.value_or(scene_.iterates ? InSituOptions::usual_iterations
                                                          : InSituOptions::usual_steps);
  first_ = first_step;
  next_ = first_step;
  looked_at_ = -1;
  tiles_busy_.clear();
  workers_busy_.clear();
  alive_ = crash() == nullptr ? options_.scripts.size() : 0;
  thread_.start([this, folder = folder_ / name] {
    if (engine_ == nullptr) start_engine();  // it failed: now somebody waits for the reason
    fields_.reset();
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

std::int64_t InSitu::next_look() const {
  return alive_ > 0 ? next_ : std::numeric_limits<std::int64_t>::max();
}

bool InSitu::any_may_use(char const* channel) const {
  return std::ranges::any_of(options_.scripts,
                             [&](Script const& script) { return may_use(script, channel); });
}

void InSitu::look(RunningFlow& flow, MonitorRow const& known) {
  std::int64_t const step = flow.steps();
  note_crash();
  if (step == looked_at_ || alive_ == 0) return;
  {
    std::lock_guard const lock(mutex_);
    std::int64_t const every = interval_.value_or(result_.every);
    // A run that goes on looks when it would have looked.
    next_ = step == first_ ? next_multiple(every, step) : step + every;
  }
  auto const set = thread_.claim();
  if (!set) return;
  looked_at_ = step;
  bool const walls = any_may_use("walls") && !scene_.cells;
  bool const fields = walls || any_may_use("fluid");
  if (fields) flow.submit_snapshots(*set);
  auto frame = std::make_shared<Frame>();
  frame->step = step;
  frame->time = scene_.cells
                    ? scene_.cells->time(flow)
                    : static_cast<double>(step) * (scene_.iterates ? 1 : scene_.units.time);
  frame->shape = scene_.shape;
  frame->spacing = scene_.units.spacing;
  frame->in_si = scene_.units.in_si;
  frame->monitor = monitor_row(flow, known);
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
  if (!failed_) return;
  std::lock_guard const lock(mutex_);
  InSituResult::Error const& error = result_.errors.front();
  throw BadInput(described({error.script, error.step, error.text, true}));
}

void InSitu::fill(RunningFlow& flow, std::size_t set, Frame& frame) {
  std::int64_t const bytes =
      scene_.cells ? scene_.cells->fill(flow, set, frame) : fill_voxels(flow, set, frame);
  std::lock_guard const lock(mutex_);
  result_.bytes += bytes;
}

std::int64_t InSitu::fill_voxels(RunningFlow& flow, std::size_t set, Frame& frame) {
  if (!fields_) fields_ = std::make_unique<FrameFields>(scene_.shape);
  std::int64_t nodes = 0;
  FieldExtremes extremes;
  flow.visit_snapshots(set, [&](Int3 voxel, std::int32_t tile, NodeState const& state) {
    ++nodes;
    Int3 const at = voxel - scene_.lower;
    for (Axis a : all_axes) {
      if (at[a] < 0 || at[a] >= scene_.shape[a]) return;  // buffer layers, mirror image
    }
    auto const node = node_fields(state, scene_.units);
    extremes.note(node.velocity, node.pressure, node.density);
    fields_->set(at, node.velocity, node.pressure, node.density, tile);
  });
  frame.blocks = {fields_->block(extremes)};
  return nodes * static_cast<std::int64_t>(sizeof(NodeState));
}

void InSitu::find_walls(Frame& frame) {
  ImageBlock const& image = frame.blocks.front();
  FieldUnits const& units = scene_.units;
  if (!walls_) walls_ = std::make_unique<Walls>(image, scene_.walls, units.spacing);
  std::vector<double> factors;
  if (scene_.wall_factors) factors = scene_.wall_factors(frame.step);
  frame.walls = &walls_->update(image, units.dynamic_viscosity(), factors);
}

void InSitu::analyse(Frame const& frame) {
  analysed_step_ = frame.step;
  note(engine_->execute(frame));
  Steering const steering = engine_->steering();
  std::lock_guard const lock(mutex_);
  ++result_.executions;
  changes_.tolerance = steering.tolerance;
  changes_.body_force_factor = steering.body_force_factor;
  interval_ = steering.interval;
  stop_ = steering.stop;
  if (steering.fields != last_fields_asked_) fields_wanted_ = true;
  last_fields_asked_ = steering.fields;
  if (steering.checkpoint != last_checkpoint_asked_) checkpoint_wanted_ = true;
  last_checkpoint_asked_ = steering.checkpoint;
}

void InSitu::note(std::vector<ScriptError> const& errors) {
  for (ScriptError const& error : errors) {
    bool const stop = options_.errors == OnScriptError::stop;
    bool const at_first = error.step == first_;
    if (!stop || !at_first) {
      spdlog::warn("{}{}", described(error),
                   stop            ? "\n(the run ends)"
                   : error.dropped ? "\n(it will not be run again)"
                                   : "");
    }
    if (error.dropped && alive_ > 0) --alive_;
    {
      std::lock_guard const lock(mutex_);
      result_.errors.push_back({error.script, error.step, error.text});
    }
    if (stop) failed_ = true;
  }
}

void InSitu::note_crash() {
  if (crash() == nullptr || crash_noted_) return;
  crash_noted_ = true;
  alive_ = 0;
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
  if (failed_) return RunEnd::look_failed;
  if (stop_) return RunEnd::steered;
  return std::nullopt;
}

bool InSitu::wants_fields() { return fields_wanted_.exchange(false); }

bool InSitu::wants_checkpoint() { return checkpoint_wanted_.exchange(false); }

FlowChanges InSitu::take_changes() {
  std::lock_guard const lock(mutex_);
  return std::exchange(changes_, {});
}

MonitorRow InSitu::monitor_row(RunningFlow const& flow, MonitorRow row) {
  if (scene_.units.in_si) {
    row.k_m2 = row.k_lattice * scene_.units.spacing * scene_.units.spacing;
    row.k_mD = row.k_m2 / millidarcy_m2;
  }
  std::int64_t const step = flow.steps();
  std::vector<WorkClock::Use> const uses = flow.worker_uses();
  if (step > monitored_step_ && workers_busy_.size() == uses.size()) {
    row.mflups = static_cast<double>(flow.nodes()) * static_cast<double>(step - monitored_step_) /
                 seconds_since(monitored_) * 1e-6;
    double most = 0, sum = 0, count = 0;
    for (std::size_t w = 0; w < uses.size(); ++w) {
      if (uses[w].work == 0) continue;
      double const busy = uses[w].busy_s - workers_busy_[w];
      most = std::max(most, busy);
      sum += busy;
      ++count;
    }
    if (sum > 0) row.imbalance = most * count / sum - 1;
  }
  monitored_step_ = step;
  monitored_ = Clock::now();
  workers_busy_.clear();
  for (WorkClock::Use const& use : uses) workers_busy_.push_back(use.busy_s);
  return row;
}

std::vector<TileRow> InSitu::tile_rows(RunningFlow const& flow) {
  std::vector<TileRow> rows;
  Int3 const lower = scene_.lower;
  std::vector<TileReport> const reports = flow.tile_reports();
  tiles_busy_.resize(reports.size(), 0);
  for (TileReport const& report : reports) {
    std::size_t const t = rows.size();
    // Tiles that have been cut anew begin to count again.
    double const before = std::min(tiles_busy_[t], report.busy_s);
    rows.push_back({report.lower - lower, report.upper - lower, static_cast<std::int32_t>(t),
                    report.domain, report.worker, report.busy_s - before, report.nodes});
    tiles_busy_[t] = report.busy_s;
  }
  return rows;
}

}  // namespace tessera

// SPDX-License-Identifier: MIT
#include "app/in_situ.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "lattice/errors.hpp"
#include "lattice/units.hpp"

namespace tessera {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Whether the walls of the box stand there, or the image wraps, or fluid goes on.
std::array<Side, 3> sides_of(FlowSetup setup, Axis axis) {
  if (setup == FlowSetup::periodic) return {Side::wraps, Side::wraps, Side::wraps};
  std::array<Side, 3> sides{Side::wall, Side::wall, Side::wall};
  sides[index_of(axis)] = Side::open;
  return sides;
}

std::string described(ScriptError const& error) {
  return fmt::format("--insitu {}: failed at step {}: {}", error.script, error.step, error.text);
}

}  // namespace

void check_in_situ(InSituOptions const& options) {
  if (options.scripts.empty()) return;
  check_engine();
  draw_on_one_thread();
  bool const display = hold_display();
  auto const drawing = std::ranges::find_if(options.scripts, draws);
  if (drawing == options.scripts.end() || display) return;
  throw BadInput(fmt::format(
      "--insitu {}: it draws pictures, for which ParaView needs an X server, and DISPLAY names "
      "none that answers: run it as 'xvfb-run -a tessera ...'",
      drawing->name));
}

InSitu::InSitu(InSituOptions options, std::filesystem::path folder)
    : options_(std::move(options)), folder_(std::move(folder)), thread_(options_.pressure) {
  std::error_code error;
  std::filesystem::create_directories(folder_, error);
  if (error) {
    throw EnvironmentError(
        fmt::format("--insitu: cannot make {} ({})", folder_.string(), error.message()));
  }
  for (Script& script : options_.scripts) {
    place_script(script, folder_);
    result_.scripts.push_back({script.name, script.arguments});
  }
  result_.every = options_.every;
}

InSitu::~InSitu() {
  // ParaView ends on the thread that it began on.
  thread_.start([this] { engine_.reset(); });
}

void InSitu::begin(FlowPreparation const& preparation, FlowSetup setup, Axis axis, Int3 image_shape,
                   FieldUnits const& units, std::string const& name) {
  preparation_ = &preparation;
  sides_ = sides_of(setup, axis);
  shape_ = image_shape;
  units_ = units;
  next_ = 0;
  looked_at_ = -1;
  tiles_busy_.assign(preparation.tiling.tiles.size(), 0);
  workers_busy_.clear();
  alive_ = options_.scripts.size();
  thread_.start([this, folder = folder_ / name] {
    if (!engine_) engine_ = load_engine();
    fields_.reset();
    walls_.reset();
    std::lock_guard const lock(mutex_);
    result_.engine = engine_->description();
    engine_->begin(options_.scripts, folder);
  });
}

void InSitu::end() {
  thread_.start([this] { note(engine_->end()); });
  thread_.wait();
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

void InSitu::look(FlowRun& run, FlowPoint const* last) {
  std::int64_t const step = run.graph().steps();
  if (step == looked_at_ || alive_ == 0) return;
  {
    std::lock_guard const lock(mutex_);
    next_ = step + interval_.value_or(options_.every);
  }
  auto const set = thread_.claim();
  if (!set) return;
  looked_at_ = step;
  bool const walls = any_may_use("walls");
  bool const fields = walls || any_may_use("fluid");
  if (fields) run.graph().submit_snapshots(*set);
  auto frame = std::make_shared<Frame>();
  frame->step = step;
  frame->time = static_cast<double>(step) * units_.time;
  frame->shape = shape_;
  frame->spacing = units_.spacing;
  frame->in_si = units_.in_si;
  frame->monitor = monitor_row(run, last);
  frame->tiles = tile_rows(run.graph());
  thread_.start([this, frame, fields, walls, set = *set, &graph = run.graph()] {
    auto const start = Clock::now();
    if (fields) fill(graph, set, *frame);
    thread_.release(set);
    if (walls) {
      ImageBlock const& image = frame->blocks.front();
      if (!walls_) walls_ = std::make_unique<Walls>(image, sides_, units_.spacing);
      frame->walls = &walls_->update(image, units_.dynamic_viscosity());
    }
    analyse(*frame);
    std::lock_guard const lock(mutex_);
    result_.seconds += seconds_since(start);
  });
  if (step > 0) return;
  thread_.wait();
  monitored_ = Clock::now();  // ParaView's start is not the flow's time
  if (!failed_) return;
  std::lock_guard const lock(mutex_);
  InSituResult::Error const& error = result_.errors.front();
  throw BadInput(described({error.script, error.step, error.text, true}));
}

void InSitu::fill(FlowGraph& graph, std::size_t set, Frame& frame) {
  if (!fields_) fields_ = std::make_unique<FrameFields>(shape_);
  Int3 const lower = preparation_->box.sample_lower;
  std::int64_t nodes = 0;
  graph.visit_snapshots(set, [&](Int3 voxel, std::int32_t tile, NodeState const& state) {
    ++nodes;
    Int3 const at = voxel - lower;
    for (Axis a : all_axes) {
      if (at[a] < 0 || at[a] >= shape_[a]) return;  // buffer layers, mirror image
    }
    NodeFields const node = node_fields(state, units_);
    fields_->set(at, node.velocity, node.pressure, node.density, tile);
  });
  frame.blocks = {fields_->block()};
  std::lock_guard const lock(mutex_);
  result_.bytes += nodes * static_cast<std::int64_t>(sizeof(NodeState));
}

void InSitu::analyse(Frame const& frame) {
  note(engine_->execute(frame));
  Steering const steering = engine_->steering();
  std::lock_guard const lock(mutex_);
  ++result_.executions;
  changes_.tolerance = steering.tolerance;
  changes_.body_force_factor = steering.body_force_factor;
  interval_ = steering.interval;
  stop_ = steering.stop;
}

void InSitu::note(std::vector<ScriptError> const& errors) {
  for (ScriptError const& error : errors) {
    bool const stop = options_.errors == OnScriptError::stop;
    bool const at_rest = error.step == 0;
    if (!stop || !at_rest) {
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

std::optional<StopReason> InSitu::wants_stop() const {
  if (failed_) return StopReason::look_failed;
  if (stop_) return StopReason::steered;
  return std::nullopt;
}

FlowChanges InSitu::take_changes() {
  std::lock_guard const lock(mutex_);
  return std::exchange(changes_, {});
}

MonitorRow InSitu::monitor_row(FlowRun& run, FlowPoint const* last) {
  MonitorRow row;
  if (last != nullptr) {
    row.measured_at_step = static_cast<double>(last->step);
    row.k_lattice = last->k_lattice;
    if (units_.in_si) {
      row.k_m2 = last->k_lattice * units_.spacing * units_.spacing;
      row.k_mD = row.k_m2 / millidarcy_m2;
    }
    if (std::isfinite(last->error_estimate)) row.error_estimate = last->error_estimate;
    row.force_balance = last->force_balance;
    row.reynolds = run.reynolds(*last);
    row.mass = 1 + last->mean_density_shift;
  }
  std::int64_t const step = run.graph().steps();
  std::vector<WorkClock::Use> const uses = run.graph().worker_uses();
  if (step > monitored_step_ && workers_busy_.size() == uses.size()) {
    row.mflups = static_cast<double>(preparation_->tiling.nodes) *
                 static_cast<double>(step - monitored_step_) / seconds_since(monitored_) * 1e-6;
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

std::vector<TileRow> InSitu::tile_rows(FlowGraph const& graph) {
  std::vector<TileRow> rows;
  Int3 const lower = preparation_->box.sample_lower;
  std::vector<TileReport> const reports = graph.tile_reports();
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

// SPDX-License-Identifier: MIT
// The main job: image in, permeability and fields out.
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>

#include "app/commands.hpp"
#include "cli/log.hpp"
#include "cli/output_folder.hpp"
#include "cli/pace.hpp"
#include "cli/streams.hpp"
#include "graph/runtime.hpp"
#include "io/checkpoint_seal.hpp"
#include "lattice/errors.hpp"
#include "lattice/units.hpp"
#include "permeability/answer_files.hpp"
#include "permeability/fields.hpp"
#include "permeability/permeability_options.hpp"
#include "permeability/permeability_plan.hpp"
#include "permeability/permeability_run.hpp"
#include "permeability/progress.hpp"
#include "permeability/report.hpp"
#include "permeability/rock_sample.hpp"
#include "permeability/stokes_run.hpp"
#include "plan/tile_count.hpp"
#include "plan/worker_plan.hpp"
#include "run/checkpoints.hpp"
#include "run/in_situ.hpp"
#include "run/interrupt.hpp"
#include "run/performance.hpp"
#include "run/provenance.hpp"
#include "run/trace_files.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

/// See docs/method.md, "Precision".
void warn_of_precision(PermeabilityCase const& asked) {
  if (asked.precision == Precision::single_precision && asked.tolerance < 1e-4) {
    spdlog::warn(
        "a tolerance of {:.1e} is finer than single precision is good for: --precision double",
        asked.tolerance);
  }
  if (asked.precision == Precision::half_storage && asked.tolerance < 1e-2) {
    spdlog::warn(
        "a tolerance of {:.1e} is finer than half precision is good for: --precision single",
        asked.tolerance);
  }
}

void print_partition(PreparedFlow const& p) {
  spdlog::info(
      "{} fluid nodes in {} blocks, {} tiles; {} isolated pore voxels left out; pore size {:.1f} "
      "voxels; tau {:.4f}",
      p.tiling.nodes, p.tiling.blocks, p.quality.tiles, p.isolated_voxels, p.hydraulic_diameter,
      p.relaxation_time);
  if (p.quality.tiles == 1) return;
  spdlog::info(
      "METIS: imbalance {:.1f} %, {} populations cross in a step; along a curve: {:.1f} %, {}: {}",
      100 * p.quality.imbalance, p.quality.cut_links, 100 * p.along_curve.imbalance,
      p.along_curve.cut_links,
      p.quality.cut_links <= p.along_curve.cut_links ? "METIS wins" : "the curve wins");
}

class PermeabilityJob {
 public:
  explicit PermeabilityJob(PermeabilityOptions const& options)
      : options_(options),
        asked_(options.asked()),
        axes_(parse_axes(options.axis)),
        voxel_size_m_(options.voxel_size_m()),
        workers_asked_(workers_asked(options.gpus, options.cores)),
        in_situ_options_(options.in_situ()) {
    results_.run = this_run();
    choose_solver();
  }

  /// Says what would be computed and what it would take.
  int check() {
    Geometry const geometry = read();
    check_options();
    choose_workers(geometry.pore_voxels());
    fmt::print("{}", describe_flow(results_.image, flow_result(options_, asked_, 0, 0), workers_));
    if (solver_.name == "minres") {
      for (Axis axis : axes_)
        fmt::print("{}", describe_solving(prepare_box(geometry, axis, solved_for(asked_)), asked_));
      return done;
    }
    ExpectedSpeed const speed = expected_speed(workers_, asked_);
    for (Axis axis : axes_)
      fmt::print("{}",
                 describe_plan(prepare_flow(geometry, axis, asked_, workers_), asked_, speed));
    return done;
  }

  int run() {
    Geometry const geometry = read();
    Interrupt const interrupt;
    check_options();
    // Bad input leaves nothing behind: the folder comes last.
    if (traced()) Trace::check_available();
    std::optional<Trace> trace;
    if (traced()) trace.emplace();
    prepare_folders();
    if (!in_situ_options_.scripts.empty()) begin_in_situ();
    check_later_checkpoints();
    choose_workers(geometry.pore_voxels());
    for (Axis axis : axes_) {
      try {
        run_axis(axis, geometry);
      } catch (BadInput const&) {  // a script that fails with its first frame
        in_situ_.reset();
        if (reports_.empty()) folder_->discard();
        throw;
      }
      if (trace) {
        files_->attempt("--trace " + options_.trace, [&] {
          write_trace(*trace, options_.trace, files_->suffix_of(axis), performance_.result());
        });
      }
      if (Interrupt::requested() || reports_.back().outcome.end == RunEnd::look_failed) break;
    }
    performance_.measure_bandwidth();
    write_answer();
    if (options_.verbosity() != Verbosity::quiet) print_end();
    return files_->complete() ? exit_status() : failed;
  }

 private:
  void check_options() const {
    Runtime::check_scheduler(options_.scheduler);
    check_workers(workers_asked_);
    check_checkpoint_minutes(options_.checkpoint_minutes);
    check_in_situ(in_situ_options_);
    warn_of_precision(asked_);
  }

  void choose_solver() {
    auto const why_steps = options_.why_steps();
    if (options_.solver == "minres" && why_steps)
      throw BadInput(fmt::format("--solver minres: {}: expected --solver steps", *why_steps));
    if (options_.solver == "steps" || why_steps) {
      if (options_.solver == "auto") solver_.reason = *why_steps;
    } else {
      solver_.name = "minres";
      if (options_.solver == "auto") solver_.reason = "the flow is creeping and steady";
    }
  }

  bool traced() const { return !options_.trace.empty(); }

  Geometry read() {
    RockSample sample = read_sample(options_, asked_, axes_);
    results_.image = std::move(sample.image);
    results_.porosity = sample.porosity;
    return std::move(sample.geometry);
  }

  /// Who computes, and with what tiles: the same for all axes.
  void choose_workers(std::int64_t nodes) {
    WorkerPlan const plan = plan_workers(workers_asked_, nodes, asked_.precision);
    if (!plan.reason.empty()) spdlog::info(plan.reason);
    workers_ = plan.workers;
    performance_.note_workers(plan, options_.balance);
    asked_.nodes_per_tile = tuned_nodes_per_tile(workers_.gpus > 0, asked_.precision);
    asked_.window = tuned_window(workers_.gpus > 0, asked_.precision);
  }

  /// A damaged one is better known before hours of other axes. That of the first is read at once.
  void check_later_checkpoints() const {
    if (!options_.resume) return;
    for (std::size_t a = 1; a < axes_.size(); ++a) {
      if (fs::path const file = files_->checkpoint(axes_[a]); fs::exists(file)) check_seal(file);
    }
  }

  void run_axis(Axis axis, Geometry const& geometry) {
    if (solver_.name == "minres" && solve_axis(axis, geometry)) return;
    step_axis(axis, geometry);
  }

  /// Whether that is the answer; always, if the user insists on it.
  bool solve_axis(Axis axis, Geometry const& geometry) {
    bool const insists = options_.solver == "minres";
    std::size_t const answered = reports_.size();
    try {
      PreparedBox const box = prepare_box(geometry, axis, solved_for(asked_));
      StokesRun run(box, asked_, workers_);
      PermeabilityOutcome outcome = iterate(run, axis);
      bool const answers = outcome.end == RunEnd::settled || outcome.end == RunEnd::interrupted;
      if (!answers && !insists) {
        go_by_steps(fmt::format("minres had not settled after {} iterations", outcome.steps));
        return false;
      }
      note_solved(box, run, std::move(outcome));
      return true;
    } catch (std::exception const& error) {  // no memory left; a pore space without walls
      if (insists || reports_.size() > answered) throw;
      go_by_steps(reason(error));
      return false;
    }
  }

  void go_by_steps(std::string const& why) {
    spdlog::warn("--solver auto goes on by steps: {}", why);
    solver_ = {.name = "steps", .reason = why};
  }

  PermeabilityOutcome iterate(StokesRun& run, Axis axis) {
    Pace pace = Pace::of_standard_error();
    bool const quiet = options_.verbosity() == Verbosity::quiet;
    auto const observe = [&](PermeabilityPoint const& point) {
      if (quiet || !pace.is_due()) return;
      say(pace.line(fmt::format("{}: iteration {}  k = {:.6g} voxels^2  error {:.1e}",
                                name_of(axis), point.step, point.k_lattice, point.error_estimate)));
    };
    PermeabilityOutcome outcome = run.run(options_.fields, observe, &Interrupt::requested());
    if (!quiet) say(pace.end());
    return outcome;
  }

  void note_solved(PreparedBox const& box, StokesRun const& run, PermeabilityOutcome outcome) {
    SolverResult const solver = run.result();
    performance_.add_preparation(solver.set_up_s);
    performance_.add_solved(run.nodes(), solver.step_equivalents, outcome.seconds,
                            run.bytes_per_node());
    reports_.push_back(axis_report(box, asked_.precision, box.body_force, std::move(outcome)));
    reports_.back().solver = solver;
    reports_.back().solver.reason = solver_.reason;
    write_down(box, [&](VisitNode const& visit) { run.visit_nodes(visit); });
  }

  void step_axis(Axis axis, Geometry const& geometry) {
    PreparedFlow const prepared = prepare_flow(geometry, axis, asked_, workers_);
    performance_.add_preparation(prepared.seconds);
    Checkpoints checkpoints(
        files_->checkpoint(axis),
        {.every = {}, .minutes = options_.checkpoint_minutes, .resume = options_.resume},
        prepared.geometry, identity_of(prepared, asked_));
    if (in_situ_) show_scripts(prepared, checkpoints.first_step());
    // A runtime of its own: an older one would keep the memory of the last axis' tiles.
    Runtime const runtime(options_.scheduler, static_cast<int>(workers_.cores),
                          static_cast<int>(workers_.gpus));
    print_partition(prepared);
    PermeabilityRun run(prepared, asked_);
    PermeabilityOutcome outcome = compute(prepared, run, checkpoints);
    reports_.push_back(
        axis_report(prepared, asked_.precision, run.body_force(), std::move(outcome)));
    reports_.back().solver = solver_;
    performance_.add(run.graph(), prepared, asked_, reports_.back().outcome);
    performance_.add_checkpoints(checkpoints.report());
    if (in_situ_) results_.insitu = in_situ_->result();
    write_down(prepared, [&](VisitNode const& visit) { run.graph().visit_nodes(visit); });
    checkpoints.repeat_failure();
  }

  void show_scripts(PreparedFlow const& prepared, std::int64_t first_step) {
    double const nu = viscosity(prepared.relaxation_time, asked_.model.lattice);
    in_situ_->begin(scene_of(prepared, asked_.setup, results_.image.shape,
                             field_units(nu, voxel_size_m_, options_.fluid)),
                    axes_.size() == 1 ? std::string{} : std::string{name_of(prepared.axis)},
                    first_step);
  }

  PermeabilityOutcome compute(PreparedFlow const& prepared, PermeabilityRun& run,
                              Checkpoints& checkpoints) {
    Progress progress(prepared.axis, prepared.tiling.nodes, asked_.tolerance, options_.verbosity(),
                      voxel_size_m_, checkpoints.first_step());
    auto const observe = [&](PermeabilityPoint const& point) {
      progress.show(point);
      if (traced() && point.step * prepared.quality.tiles > most_traced_tasks) Trace::stop();
    };
    PermeabilityOutcome outcome =
        run.run(observe, {.stop = &Interrupt::requested(),
                          .watch = in_situ_ ? &*in_situ_ : nullptr,
                          .checkpoints = &checkpoints,
                          .stepped = [&](std::int64_t step) { progress.stepped(step); }});
    if (traced()) Trace::stop();
    return outcome;
  }

  /// The answer first: what fails after it must not take it along.
  void write_down(PreparedBox const& box, VisitNodes const& visit_nodes) {
    AxisReport& report = reports_.back();
    note_history(report);
    note_permeability();
    write_answer();
    if (files_->kept()) files_->write_beside(history_, results_, axes_with_fields());
    fs::path const file = files_->fields(box.axis);
    std::optional<StateFields> fields;
    if (options_.fields && report.outcome.end != RunEnd::diverged) {
      files_->attempt(file.string(), [&] {
        fields.emplace(results_.image.shape,
                       field_units(box.viscosity, voxel_size_m_, options_.fluid), true);
      });
    }
    report.max_speed =
        largest_speed(visit_nodes, fields ? into(*fields, box, results_.image.shape) : VisitNode{});
    note_permeability();
    write_answer();
    print_warnings(*results_.permeability[index_of(box.axis)], report);
    print_answer();
    if (fields && files_->kept()) files_->attempt(file.string(), [&] { fields->write(file); });
  }

  std::vector<Axis> axes_with_fields() const {
    std::vector<Axis> axes;
    if (!options_.fields) return axes;
    for (AxisReport const& report : reports_) axes.push_back(report.axis);
    return axes;
  }

  /// Of the axis that was run last.
  void note_permeability() {
    results_.permeability[index_of(reports_.back().axis)] = permeability_result(reports_.back());
  }

  void note_history(AxisReport const& report) {
    for (PermeabilityPoint const& point : report.outcome.history) {
      history_.push_back({.step = point.step,
                          .axis = report.axis,
                          .k_lattice = point.k_lattice,
                          .error_estimate = point.error_estimate,
                          .force_balance = point.force_balance,
                          .mass = 1 + point.mean_density_shift});
    }
  }

  /// That of the axis that was run last; also to those who want no words, if it is in no file.
  void print_answer() {
    if (options_.verbosity() == Verbosity::quiet && files_->kept()) return;
    print_all([&] {
      if (reports_.size() == 1) print_image(results_);
      print_permeability(results_, reports_.back());
    });
  }

  void print_end() {
    print_all([&] {
      print_performance(performance_.result());
      print_workers(performance_.result().workers);
      if (results_.insitu) print_in_situ(*results_.insitu);
      fmt::print("written to {}\n", files_->in_folder("").string());
    });
  }

  void prepare_folders() {
    folder_.emplace(options_.out);
    files_.emplace(folder_->path(), axes_);
    if (!traced()) return;
    try {
      prepare_folder("--trace", options_.trace, "paje.trace");
    } catch (EnvironmentError const&) {
      folder_->discard();
      throw;
    }
  }

  void begin_in_situ() {
    try {
      in_situ_.emplace(in_situ_options_, files_->in_folder("insitu"));
    } catch (BadInput const&) {
      folder_->discard();
      throw;
    }
  }

  /// Writes what is known so far.
  void write_answer() {
    AxisReport const& first = reports_.front();
    results_.flow = flow_result(options_, asked_, first.relaxation_time, first.body_force);
    results_.warnings = warnings_given();
    results_.performance = performance_.result();
    results_.software = software_result();
    files_->write(results_);
  }

  int exit_status() const {
    auto const any = [&](RunEnd end) {
      return std::ranges::any_of(reports_,
                                 [&](AxisReport const& r) { return r.outcome.end == end; });
    };
    if (any(RunEnd::diverged) || any(RunEnd::look_failed)) return failed;
    if (!std::ranges::all_of(
            reports_, [](AxisReport const& r) { return r.outcome.end == RunEnd::settled; })) {
      return not_converged;
    }
    return reports_.size() == axes_.size() ? done : not_converged;
  }

  PermeabilityOptions const& options_;
  PermeabilityCase asked_;
  std::vector<Axis> axes_;
  std::optional<double> voxel_size_m_;
  WorkersAsked workers_asked_;
  SolverResult solver_;  ///< which, and why
  InSituOptions in_situ_options_;
  std::optional<InSitu> in_situ_;
  Workers workers_;
  std::optional<OutputFolder> folder_;
  std::optional<AnswerFiles> files_;
  Performance performance_;
  Results results_;
  std::vector<AxisReport> reports_;
  std::vector<ConvergenceSample> history_;
};

}  // namespace

Command add_permeability_command(CLI::App& command) {
  auto const o = std::make_shared<PermeabilityOptions>();
  o->add_to(command);
  return [o] {
    set_up_log(o->verbosity());
    survive_broken_pipes();
    if (o->out.empty() && !o->check)
      throw BadInput("permeability: expected --out DIR for the results, or --check");
    PermeabilityJob job(*o);
    return o->check ? job.check() : job.run();
  };
}

}  // namespace tessera

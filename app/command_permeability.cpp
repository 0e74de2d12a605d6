// SPDX-License-Identifier: MIT
// The main job: image in, permeability and fields out.
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <thread>

#include "app/commands.hpp"
#include "cli/log.hpp"
#include "cli/output_folder.hpp"
#include "cli/pace.hpp"
#include "cli/streams.hpp"
#include "graph/main_memory.hpp"
#include "graph/runtime.hpp"
#include "io/checkpoint.hpp"
#include "io/checkpoint_seal.hpp"
#include "lattice/errors.hpp"
#include "lattice/units.hpp"
#include "machine/gpu_start.hpp"
#include "machine/seconds_since.hpp"
#include "permeability/answer_files.hpp"
#include "permeability/fields.hpp"
#include "permeability/permeability_options.hpp"
#include "permeability/permeability_plan.hpp"
#include "permeability/progress.hpp"
#include "permeability/report.hpp"
#include "permeability/rock_sample.hpp"
#include "permeability/solved_flow.hpp"
#include "permeability/solver_choice.hpp"
#include "permeability/stepped_flow.hpp"
#include "permeability/voxel_interval.hpp"
#include "plan/tile_count.hpp"
#include "plan/worker_plan.hpp"
#include "ranks/ranks.hpp"
#include "run/checkpoints.hpp"
#include "run/in_situ.hpp"
#include "run/interrupt.hpp"
#include "run/performance.hpp"
#include "run/provenance.hpp"
#include "run/rank_report.hpp"
#include "run/trace_files.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

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
    if (!options.insitu.empty()) Ranks::expect_alone("--insitu");
    if (!options.trace.empty()) Ranks::expect_alone("--trace");
    auto const why_steps = options.why_steps();
    if (options.solver == "minres" && why_steps)
      throw BadInput(fmt::format("--solver minres: {}: expected --solver steps", *why_steps));
  }

  /// Says what would be computed and what it would take.
  int check() {
    Geometry const geometry = read();
    check_options();
    choose_workers(geometry.pore_voxels());
    fmt::print("{}", describe_flow(results_.image, flow_result(options_, asked_, 0, 0), workers_));
    for (Axis axis : axes_) {
      PreparedBox box = prepare_box(geometry, axis, asked_);
      if (solver_for(box).solves) {
        fmt::print("{}", describe_solving(box, asked_, expected_speed(workers_, asked_)));
      } else {
        fmt::print("{}", describe_plan(prepare_flow(std::move(box), asked_, workers_), asked_,
                                       expected_speed(workers_, asked_)));
      }
    }
    return done;
  }

  int run() {
    Geometry const geometry = read();
    Interrupt const interrupt;
    check_options();
    std::int64_t const nodes = geometry.pore_voxels();
    // Bad input leaves nothing behind: the folder comes last.
    if (options_.refine > 0) check_refinement(asked_, plan(nodes).workers, nodes, options_.refine);
    if (traced()) Trace::check_available();
    std::optional<Trace> trace;
    if (traced()) trace.emplace();
    prepare_folders();
    if (options_.verbosity() != Verbosity::quiet) print_ranks(results_.run.ranks);
    if (!in_situ_options_.scripts.empty()) begin_in_situ();
    check_later_checkpoints();
    choose_workers(nodes);
    for (Axis axis : axes_) {
      try {
        run_axis(axis, geometry);
        if (options_.refine > 0 && !Ranks::any(Interrupt::requested()))
          refine_by_first(axis, geometry);
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
      if (Ranks::any(Interrupt::requested()) || reports_.back().outcome.end == RunEnd::look_failed)
        break;
    }
    auto const start = Clock::now();
    performance_.measure_bandwidth();
    performance_.add_part("bandwidth", seconds_since(start));
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

  /// Which way this axis goes, and why where that is not what the user has said.
  SolverChoice solver_for(PreparedBox const& box) const {
    if (options_.solver == "steps") return {};
    auto const gpu_bytes = static_cast<std::int64_t>(Runtime::gpu_bytes());
    // Where it is not ours to choose, a GPU that is too small says so itself.
    unsigned const gpus = std::max(
        std::min(workers_.gpus, 1U),
        gpus_to_solve_on(box.geometry.pore_voxels(), asked_.precision, workers_.gpus, gpu_bytes));
    if (options_.solver == "minres") return {.solves = true, .gpus = gpus, .reason = {}};
    if (auto const kept = kept_solver(box.axis)) return {*kept == "minres", gpus, {}};
    if (auto const why = options_.why_steps_are_meant()) return {.reason = *why};
    return choose_solver(box, asked_, workers_, gpu_bytes,
                         static_cast<std::int64_t>(main_memory_available()));
  }

  /// That the run to go on from has computed by, if there is one.
  std::optional<std::string> kept_solver(Axis axis) const {
    if (!options_.resume || !files_ || !fs::exists(files_->checkpoint(axis))) return std::nullopt;
    CheckpointReader const reader(files_->checkpoint(axis));
    Json const flow = reader.text().value("flow", Json::object());
    return flow.is_object() ? flow.value("solver", "steps") : "steps";
  }

  bool traced() const { return !options_.trace.empty(); }

  Geometry read() {
    performance_.add_part("start", seconds_of_process());
    auto const start = Clock::now();
    bool const first_gpu_is_ours = options_.gpus != 0 && Ranks::alone();
    std::jthread const gpu = first_gpu_is_ours ? start_gpu() : std::jthread();
    RockSample sample = read_sample(options_, asked_, axes_);
    results_.image = std::move(sample.image);
    results_.porosity = sample.porosity;
    performance_.add_part("read", seconds_since(start));
    return std::move(sample.geometry);
  }

  WorkerPlan plan(std::int64_t nodes) const {
    return plan_workers(workers_asked_, nodes, asked_.precision);
  }

  /// Who computes, and with what tiles: the same for all axes.
  void choose_workers(std::int64_t nodes) {
    WorkerPlan const plan = this->plan(nodes);
    if (!plan.reason.empty()) spdlog::info(plan.reason);
    workers_ = plan.workers;
    performance_.note_workers(plan, options_.balance.value_or("dynamic"));
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
    PreparedBox box = prepare_box(geometry, axis, asked_);
    performance_.add_part("label", box.seconds);
    std::string why_steps;
    std::size_t const answered = reports_.size();
    if (Ranks::is_first()) {
      Ranks::ByItself const by_itself;
      why_steps = solve_if_better(box);
    }
    bool const solved = reports_.size() > answered;
    std::int64_t const end =
        Ranks::said_by_first(solved ? static_cast<std::int64_t>(reports_.back().outcome.end) : -1);
    if (end >= 0) {
      if (!solved) reports_.push_back(known_by_first(axis, static_cast<RunEnd>(end)));
      return;
    }
    SteppedFlow flow(std::move(box), asked_, workers_, options_.scheduler);
    answer_by(flow, why_steps);
  }

  static AxisReport known_by_first(Axis axis, RunEnd end) {
    AxisReport report{.axis = axis};
    report.outcome.end = end;
    return report;
  }

  /// Says why the answer has to come by steps, if it does.
  std::string solve_if_better(PreparedBox& box) {
    SolverChoice const choice = solver_for(box);
    if (!choice.solves) return choice.reason;
    if (!choice.reason.empty()) spdlog::info("{}: by minres: {}", name_of(box.axis), choice.reason);
    std::optional<std::string> const why_not = solve(box, choice);
    if (!why_not) return {};
    spdlog::warn("--solver auto goes on by steps: {}", *why_not);
    choose_physics(box, asked_);
    return *why_not;
  }

  /// Nothing if that is the answer, as it always is where the user insists, else why it is not.
  std::optional<std::string> solve(PreparedBox& box, SolverChoice const& choice) {
    bool const insists = options_.solver == "minres";
    std::size_t const answered = reports_.size();
    Workers workers = workers_;
    workers.gpus = choice.gpus;
    if (choice.gpus == 0) workers = {.cores = cores_or_all(workers_asked_, 0)};
    std::optional<SolvedFlow> flow;
    try {
      flow.emplace(box, asked_, workers, spaces_, axes_.size() > 1);
      if (answer_by(*flow, choice.reason, insists)) return std::nullopt;
      return "minres did not settle";
    } catch (std::exception const& error) {  // no memory left; a pore space without walls
      bool const of_user = flow && dynamic_cast<BadInput const*>(&error) != nullptr;
      if (insists || of_user || reports_.size() > answered) throw;
      return reason(error);
    }
  }

  /// Whether it is: a flow that does not settle may leave the answer to another one.
  bool answer_by(AxisFlow& flow, std::string const& why, bool at_any_rate = true) {
    PreparedBox const& box = flow.box();
    Checkpoints checkpoints(
        files_->checkpoint(box.axis),
        {.every = {}, .minutes = options_.checkpoint_minutes, .resume = options_.resume},
        box.geometry, flow.identity());
    if (in_situ_) show_scripts(flow, checkpoints.first_step());
    PermeabilityOutcome outcome = compute(flow, checkpoints);
    if (outcome.end == RunEnd::diverged || outcome.end == RunEnd::all_steps) {
      if (!at_any_rate) return false;
    }
    flow.add_to(performance_, outcome);
    performance_.add_checkpoints(checkpoints.report());
    reports_.push_back(axis_report(box, asked_.precision, flow.body_force(), std::move(outcome)));
    reports_.back().solver = flow.solver();
    reports_.back().solver.reason = why;
    if (in_situ_) results_.insitu = in_situ_->result();
    write_down(box, [&](VisitNode const& visit) { flow.visit_nodes(visit); });
    checkpoints.repeat_failure();
    return true;
  }

  PermeabilityOutcome compute(AxisFlow& flow, Checkpoints& checkpoints) {
    Progress progress(flow.box().axis, flow.nodes(), asked_.tolerance, options_.verbosity(),
                      voxel_size_m_, checkpoints.first_step(), Pace::of_standard_error(),
                      flow.unit());
    auto const observe = [&](PermeabilityPoint const& point) {
      progress.show(point);
      if (traced() && point.step * flow.tiles() > most_traced_tasks) Trace::stop();
    };
    PermeabilityOutcome outcome =
        flow.run(observe, {.stop = &Interrupt::requested(),
                           .watch = in_situ_ ? &*in_situ_ : nullptr,
                           .checkpoints = &checkpoints,
                           .stepped = [&](std::int64_t step) { progress.stepped(step); }});
    if (traced()) Trace::stop();
    return outcome;
  }

  void show_scripts(AxisFlow const& flow, std::int64_t first_step) {
    PreparedBox const& box = flow.box();
    Scene scene = scene_of(box, asked_.setup, results_.image.shape,
                           field_units(box.viscosity, voxel_size_m_, options_.fluid));
    scene.iterates = flow.unit() != std::string_view("step");
    in_situ_->begin(std::move(scene),
                    axes_.size() == 1 ? std::string{} : std::string{name_of(box.axis)}, first_step);
  }

  /// The answer first: what fails after it must not take it along.
  void write_down(PreparedBox const& box, VisitNodes const& visit_nodes) {
    AxisReport& report = reports_.back();
    auto const start = Clock::now();
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
    performance_.add_part("gather", seconds_since(start));
    if (!fields || !files_->kept()) return;
    auto const written = Clock::now();
    files_->attempt(file.string(), [&] { fields->write(file); });
    performance_.add_part("write", seconds_since(written));
  }

  void refine_by_first(Axis axis, Geometry const& image) {
    if (Ranks::is_first()) {
      Ranks::ByItself const by_itself;
      refine(axis, image);
    }
    Ranks::said_by_first(0);
  }

  /// What the voxels leave open of the permeability that has been found.
  void refine(Axis axis, Geometry const& image) {
    PermeabilityResult& result = *results_.permeability[index_of(axis)];
    if (!result.converged) return;
    auto const start = Clock::now();
    result.voxels = voxel_interval(image, axis, result.column_lattice[index_of(axis)], asked_,
                                   workers_, options_.refine, Interrupt::requested());
    performance_.add_part("refine", seconds_since(start));
    write_answer();
    print_all([&] { print_interval(results_, axis); });
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
      bool const steps = report.solver.name == "steps";
      history_.push_back({.step = point.step,
                          .axis = report.axis,
                          .k_lattice = point.k_lattice,
                          .error_estimate = point.error_estimate,
                          .force_balance = point.force_balance,
                          .mass = 1 + point.mean_density_shift,
                          .k_linear = steps ? std::optional(point.k_linear) : std::nullopt});
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
  StokesSpaces spaces_;
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

// SPDX-License-Identifier: MIT
// The main job: image in, permeability and fields out.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>

#include "base/errors.hpp"
#include "base/machine/seconds_since.hpp"
#include "base/ranks/ranks.hpp"
#include "interfaces/cli/permeability_options.hpp"
#include "interfaces/cli/requests.hpp"
#include "interfaces/commands/by_first.hpp"
#include "interfaces/commands/commands.hpp"
#include "io/checkpoint/checkpoint.hpp"
#include "io/checkpoint/saved_values.hpp"
#include "io/json.hpp"
#include "permeability/flows/image_flows.hpp"
#include "permeability/flows/progress.hpp"
#include "permeability/permeability_plan.hpp"
#include "permeability/report/answer.hpp"
#include "permeability/report/answer_files.hpp"
#include "permeability/report/end_fields.hpp"
#include "permeability/report/flows_beside.hpp"
#include "permeability/report/report.hpp"
#include "permeability/report/report_page.hpp"
#include "permeability/rock_sample.hpp"
#include "run/checkpoint/checkpoints.hpp"
#include "run/checkpoint/flow_identity.hpp"
#include "run/console/log.hpp"
#include "run/console/output_folder.hpp"
#include "run/console/pace.hpp"
#include "run/console/streams.hpp"
#include "run/insitu/in_situ.hpp"
#include "run/interrupt.hpp"
#include "run/performance.hpp"
#include "run/rank_report.hpp"
#include "run/spread/geometry.hpp"
#include "run/trace_files.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

class PermeabilityJob : FlowUser {
 public:
  /// The request is that of the options.
  PermeabilityJob(PermeabilityCommand const& options, PermeabilityRequest const& request)
      : options_(options),
        request_(request),
        flows_(request_),
        answer_(request_),
        beside_(request_, flows_, answer_, Interrupt::requested()) {
    if (looked_at() && request_.solver == Solver::minres)
      Ranks::expect_alone("--insitu with --solver minres");
  }

  /// Says what would be computed and what it would take.
  int check() {
    SamplePores const pores = read();
    check_options();
    choose_workers(pore_voxels(pores.geometry));
    PermeabilityCase const& asked = flows_.asked();
    Workers const& workers = flows_.workers();
    fmt::print("{}", describe_flow(image(), flow_result(request_, asked, 0, 0), workers));
    for (Axis axis : flows_.axes()) {
      PreparedBox box = prepare_box(pores, axis, asked);
      if (flows_.solver_for(box, *this).solves) {
        fmt::print("{}", describe_solving(box, asked, expected_speed(workers, asked)));
      } else {
        fmt::print("{}", describe_plan(prepare_flow(std::move(box), asked, workers), asked,
                                       expected_speed(workers, asked)));
      }
    }
    return done;
  }

  int run() {
    // First of all: a run that is asked to end while it reads the image ends cleanly, too.
    Interrupt const interrupt;
    SamplePores pores = read();
    ImageFlows::PoresInUse const pores_in_use(flows_);
    check_options();
    std::int64_t const nodes = pore_voxels(pores.geometry);
    // Bad input leaves nothing behind: the folder comes last.
    beside_.check(nodes);
    trace_.emplace(request_.trace);
    prepare_folders();
    if (options_.verbosity() != Verbosity::quiet) print_ranks(answer_.results().run.ranks);
    if (looked_at()) begin_in_situ();
    check_later_checkpoints();
    choose_workers(nodes);
    for (Axis axis : flows_.axes()) {
      try {
        run_axis(axis, pores);
      } catch (BadInput const& error) {  // a script that fails with its first frame
        in_situ_.reset();
        if (answer_.reports().empty()) folder_->discard(error);
        throw;
      }
      if (trace_->is_on()) {
        files_->attempt(trace_->name(),
                        [&] { trace_->write(files_->suffix_of(axis), performance().result()); });
      }
      if (Ranks::any(Interrupt::requested()) || last_end() == RunEnd::look_failed) break;
    }
    auto const start = Clock::now();
    performance().measure_bandwidth();
    performance().add_part("bandwidth", seconds_since(start));
    write_answer();
    write_report();
    if (options_.verbosity() != Verbosity::quiet) print_end();
    return Ranks::any(!files_->complete()) ? failed : exit_status();
  }

 private:
  Performance& performance() { return answer_.performance(); }
  ImageResult const& image() const { return answer_.results().image; }
  RunEnd last_end() const { return answer_.reports().back().outcome.end; }
  bool looked_at() const { return !request_.in_situ.scripts.empty(); }
  bool refined() const { return request_.refine > 0; }
  bool writes_fields() const { return request_.flow.for_fields; }
  FieldUnits units_of(PreparedBox const& box) const {
    return field_units(box.viscosity, image().voxel_size_m, request_.fluid);
  }

  void check_options() const {
    flows_.check_machine();
    check_checkpoint_minutes(request_.checkpoint_minutes);
    check_in_situ(request_.in_situ);
    flows_.warn_of_precision();
  }

  SamplePores read() {
    performance().add_part("start", seconds_of_process());
    auto const start = Clock::now();
    std::jthread const gpu = start_gpu_for(request_);
    SamplePores pores = answer_.take_sample(read_sample(request_));
    performance().add_part("read", seconds_since(start));
    return pores;
  }

  void choose_workers(std::int64_t nodes) {
    performance().note_workers(flows_.choose_workers(nodes), request_.flow.balance);
  }

  /// Finds damaged checkpoints of later axes before the first axis takes hours. That of the first
  /// axis is read at once anyway.
  void check_later_checkpoints() const {
    if (!request_.resume) return;
    for (std::size_t a = 1; a < flows_.axes().size(); ++a)
      check_checkpoint(files_->checkpoint(flows_.axes()[a]));
  }

  void run_axis(Axis axis, SamplePores& pores) {
    std::size_t const answered = answer_.reports().size();
    PreparedBox box = flows_.box(axis, pores);
    bool const is_last = axis == flows_.axes().back();
    if (is_last && !request_.has_flows_beside()) pores = {};  // are not needed again
    RunEnd const end = flows_.answer(std::move(box), *this);
    if (answer_.reports().size() == answered) answer_.add_unknown(axis, end);
    if (refined()) refine_by_first(axis, pores.geometry);
    if (pores.image) compare_thresholds(axis, *pores.image);
  }

  // FlowUser:
  /// The solver of the checkpoint, if the run goes on from one.
  std::optional<Solver> kept_solver(Axis axis) const override {
    if (!request_.resume || !files_ || !fs::exists(files_->checkpoint(axis))) return std::nullopt;
    CheckpointReader const reader(files_->checkpoint(axis));
    SavedValues const flow = SavedValues(reader.path(), reader.text()).object("flow");
    bool const by_minres =
        flow.has("solver") && flow.json("solver") == name_in(solver_names, Solver::minres);
    return by_minres ? Solver::minres : Solver::steps;
  }

  PermeabilityOutcome compute(AxisFlow& flow) override {
    Axis const axis = flow.box().axis;
    checkpoints_.emplace(
        files_->checkpoint(axis),
        CheckpointPlan{
            .every = {}, .minutes = request_.checkpoint_minutes, .resume = request_.resume},
        flow.identity(), [&] { return sha256_of(flow.box().geometry); });
    if (in_situ_) show_scripts(flow);
    Progress progress({.axis = axis,
                       .nodes = flow.nodes(),
                       .tolerance = flows_.asked().tolerance,
                       .verbosity = options_.verbosity(),
                       .voxel_size_m = image().voxel_size_m,
                       .first_step = checkpoints_->first_step(),
                       .unit = std::string(unit_of(flow.kind()))});
    auto const observe = [&](PermeabilityPoint const& point) {
      progress.show(point);
      trace_->note_tasks(point.step * flow.tiles());
    };
    PermeabilityOutcome outcome =
        flow.run(observe, {.stop = &Interrupt::requested(),
                           .watch = in_situ_ ? &*in_situ_ : nullptr,
                           .checkpoints = &*checkpoints_,
                           .stepped = [&](std::int64_t step) { progress.stepped(step); }});
    trace_->stop();
    return outcome;
  }

  void show_scripts(AxisFlow const& flow) {
    PreparedBox const& box = flow.box();
    VoxelScene scene = scene_of(box, request_.flow.setup, image().shape, units_of(box));
    scene.iterates = flow.kind() == Solver::minres;
    in_situ_->begin(std::move(scene),
                    flows_.axes().size() == 1 ? std::string{} : std::string{name_of(box.axis)},
                    checkpoints_->first_step());
  }

  /// The answer first: what fails after it must not take it along.
  void keep(AxisFlow& flow, PermeabilityOutcome outcome, std::string const& why) override {
    answer_.add(flow, std::move(outcome), flows_.asked(), why);
    performance().add_checkpoints(checkpoints_->report());
    if (in_situ_) answer_.results().insitu = in_situ_->result();
    auto const start = Clock::now();
    write_answer();
    if (files_->kept())
      files_->write_beside(answer_.history(), answer_.results(), axes_with_fields());
    keep_fields(flow, start);
    checkpoints_->repeat_failure();
  }

  /// Each of several processes holds a part, unless the report needs all at once.
  EndFields::Held held() const {
    return Ranks::alone() || options_.writes_report() ? EndFields::Held::whole
                                                      : EndFields::Held::spread;
  }

  /// `start`: when the flow had ended.
  void keep_fields(AxisFlow& flow, Clock::time_point start) {
    PreparedBox const& box = flow.box();
    EndFields fields(flow, image().shape, units_of(box), held(), *files_);
    bool const wanted = writes_fields() || options_.writes_report();
    if (wanted && last_end() != RunEnd::diverged) fields.allocate();
    answer_.note_largest_speed(fields.take());
    write_answer();
    print_warnings(answer_.latest(), answer_.reports().back());
    print_answer();
    performance().add_part("gather", seconds_since(start));
    if (fields.whole() != nullptr && options_.writes_report())
      page().add_flow(box.axis, *fields.whole());
    bool const kept = !Ranks::any(!files_->kept());
    if (!fields.exist() || !writes_fields() || !kept) return;
    auto const written = Clock::now();
    fields.write();
    performance().add_part("write", seconds_since(written));
  }

  /// Rank 0 by itself: what the voxels leave open of the permeability that has been found.
  void refine_by_first(Axis axis, SpreadGeometry const& image) {
    Geometry const all = Ranks::alone() ? Geometry() : whole_geometry(image);
    bool ended = true;
    if (Ranks::is_root()) {
      Ranks::ByItself const by_itself;
      ended = beside_.refine(all.pore.empty() ? image.own : all);
      note_interval(axis, ended, "the refinement", "the voxels leave", print_interval);
    }
    interval_is_missing_ |= Ranks::broadcast_number(ended ? 0 : 1) != 0;
  }

  /// What the segmentation leaves open of it.
  void compare_thresholds(Axis axis, Image const& image) {
    bool const ended = beside_.compare_thresholds(image);
    note_interval(axis, ended, "the thresholds", "the segmentation leaves", print_thresholds);
    interval_is_missing_ |= !ended;
  }

  /// Writes and prints what flows beside the last one have found, or that they were stopped.
  void note_interval(Axis axis, bool ended, std::string_view what, std::string_view that_leave,
                     void (*print)(Results const&, Axis)) {
    if (!answer_.latest().converged) return;
    if (!ended) {
      Interrupt::announce(fmt::format("stopping {} along {}: what {} open is not known", what,
                                      name_of(axis), that_leave));
    }
    write_answer();
    print_all([&] { print(answer_.results(), axis); });
  }

  std::vector<Axis> axes_with_fields() const {
    std::vector<Axis> axes;
    if (!writes_fields()) return axes;
    for (AxisReport const& report : answer_.reports()) axes.push_back(report.axis);
    return axes;
  }

  /// That of the axis that was run last; also to those who want no words, if it is in no file.
  void print_answer() {
    if (options_.verbosity() == Verbosity::quiet && files_->kept()) return;
    print_all([&] {
      if (answer_.reports().size() == 1) print_image(answer_.results());
      print_permeability(answer_.results(), answer_.reports().back());
      print_slip(answer_.results(), answer_.reports().back().axis);
    });
  }

  void print_end() {
    print_all([&] {
      print_performance(performance().result());
      print_workers(performance().result().workers);
      if (auto const& insitu = answer_.results().insitu) print_in_situ(*insitu);
      fmt::print("written to {}\n", files_->in_folder("").string());
    });
  }

  void prepare_folders() {
    folder_.emplace(options_.out());
    files_.emplace(folder_->path(), flows_.axes(), options_.fields_format());
    trace_->prepare_folder(*folder_);
  }

  void begin_in_situ() {
    try {
      in_situ_.emplace(request_.in_situ, files_->in_folder("insitu"));
    } catch (BadInput const& error) {
      folder_->discard(error);
      throw;
    }
  }

  /// Writes what is known so far.
  void write_answer() { files_->write(answer_.updated_results()); }

  ReportPage& page() {
    if (!page_) page_.emplace(image().shape);
    return *page_;
  }

  void write_report() {
    fs::path const file = files_->in_folder("report.html");
    if (!options_.writes_report() || !Ranks::is_root()) return;
    files_->attempt(file.string(),
                    [&] { page().write(file, answer_.results(), answer_.history()); });
  }

  int exit_status() const {
    auto const& reports = answer_.reports();
    auto const ended_by = [](RunEnd end) {
      return [end](AxisReport const& r) { return r.outcome.end == end; };
    };
    if (std::ranges::any_of(reports, ended_by(RunEnd::diverged)) ||
        std::ranges::any_of(reports, ended_by(RunEnd::look_failed))) {
      return failed;
    }
    bool const all_settled = std::ranges::all_of(reports, ended_by(RunEnd::settled));
    bool const complete = reports.size() == flows_.axes().size() && !interval_is_missing_;
    return all_settled && complete ? done : not_converged;
  }

  PermeabilityCommand const& options_;
  PermeabilityRequest const& request_;
  std::optional<InSitu> in_situ_;
  ImageFlows flows_;
  PermeabilityAnswer answer_;
  FlowsBeside beside_;
  std::optional<RunTrace> trace_;
  std::optional<OutputFolder> folder_;
  std::optional<AnswerFiles> files_;
  std::optional<ReportPage> page_;
  std::optional<Checkpoints> checkpoints_;  ///< of the axis at hand
  bool interval_is_missing_ = false;        ///< of the voxels or the thresholds, as it was stopped
};

}  // namespace

Command add_permeability_command(CLI::App& command) {
  auto const options = std::make_shared<PermeabilityCommand>();
  options->add_to(command);
  return [options] {
    set_up_log(options->verbosity());
    survive_broken_pipes();
    if (options->out().empty() && !options->only_checks())
      throw BadInput("permeability: expected --out DIR for the results, or --check");
    static_cast<void>(options->fields_format());  // refused now rather than after hours
    PermeabilityRequest const request = options->request();
    auto const run = [&] {
      PermeabilityJob job(*options, request);
      return options->only_checks() ? job.check() : job.run();
    };
    if (!request.trace.empty()) Ranks::expect_alone("--trace");
    bool const may_be_solved =
        request.solver != Solver::steps && !request.why_steps_are_meant().has_value();
    bool const by_first = may_be_solved && is_one_flow_for_first(request.workers);
    return by_first ? run_by_first(run) : run();
  };
}

}  // namespace tessera

// SPDX-License-Identifier: MIT
// The main job: image in, permeability and fields out.
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>

#include "app/checkpoints.hpp"
#include "app/commands.hpp"
#include "app/fields.hpp"
#include "app/flow_run.hpp"
#include "app/in_situ.hpp"
#include "app/interrupt.hpp"
#include "app/log.hpp"
#include "app/losses.hpp"
#include "app/output_folder.hpp"
#include "app/permeability_options.hpp"
#include "app/permeability_plan.hpp"
#include "app/progress.hpp"
#include "app/provenance.hpp"
#include "app/report.hpp"
#include "app/streams.hpp"
#include "app/tile_count.hpp"
#include "app/trace_files.hpp"
#include "app/workers.hpp"
#include "graph/main_memory.hpp"
#include "graph/runtime.hpp"
#include "io/checkpoint_seal.hpp"
#include "lattice/errors.hpp"
#include "lattice/plane_lattice.hpp"
#include "lattice/units.hpp"
#include "machine/copy_bandwidth.hpp"
#include "partition/connectivity.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

/// See docs/method.md, "Precision".
void warn_of_precision(FlowCase const& flow_case) {
  if (flow_case.precision == Precision::single_precision && flow_case.tolerance < 1e-4) {
    spdlog::warn(
        "a tolerance of {:.1e} is finer than single precision is good for: --precision double",
        flow_case.tolerance);
  }
  if (flow_case.precision == Precision::half_storage && flow_case.tolerance < 1e-2) {
    spdlog::warn(
        "a tolerance of {:.1e} is finer than half precision is good for: --precision single",
        flow_case.tolerance);
  }
}

/// Layers of fluid are all nodes: what cannot be held is refused before it is tried.
void require_room_for_buffers(FlowCase const& flow_case, Int3 shape, Axis axis) {
  if (flow_case.setup != FlowSetup::sealed) return;
  std::int64_t const layer = volume(shape) / shape[axis];
  std::int64_t const node_bytes = velocities_of(flow_case.model.lattice).size *
                                  static_cast<std::int64_t>(bytes_of(flow_case.precision));
  auto const there = static_cast<std::int64_t>(
      std::min<std::size_t>(main_memory_available(), std::numeric_limits<std::int64_t>::max()));
  std::int64_t const most = there / (2 * layer * node_bytes);
  if (flow_case.buffer_layers <= std::max(most, default_buffer_layers)) return;
  throw BadInput(fmt::format(
      "--buffer-layers {}: expected 0 to {}, as {} nodes of a layer at each end take {:.2g} GB, "
      "and {:.2g} GB of main memory are left",
      flow_case.buffer_layers, most, layer, static_cast<double>(2 * layer * node_bytes) * 1e-9,
      static_cast<double>(there) * 1e-9));
}

void print_partition(FlowPreparation const& p) {
  spdlog::info(
      "{} fluid nodes in {} blocks, {} tiles; {} isolated pore voxels left out; pore size {:.1f} "
      "voxels; tau {:.4f}",
      p.tiling.nodes, p.tiling.blocks, p.metis.tiles, p.isolated_voxels, p.hydraulic_diameter,
      p.relaxation_time);
  if (p.metis.tiles == 1) return;
  spdlog::info(
      "METIS: imbalance {:.1f} %, {} populations cross in a step; along a curve: {:.1f} %, {}: {}",
      100 * p.metis.imbalance, p.metis.cut_links, 100 * p.curve.imbalance, p.curve.cut_links,
      p.metis.cut_links <= p.curve.cut_links ? "METIS wins" : "the curve wins");
}

class PermeabilityJob {
 public:
  explicit PermeabilityJob(PermeabilityOptions const& options)
      : options_(options),
        case_(options.flow_case()),
        axes_(parse_axes(options.axis)),
        voxel_size_m_(options.voxel_size_m()),
        asked_(workers_asked(options.gpus, options.cores)),
        in_situ_options_(options.in_situ()) {
    results_.run = this_run();
  }

  /// Says what would be computed and what it would take.
  int check() {
    Geometry const geometry = read();
    check_options();
    choose_workers(geometry.pore_voxels());
    fmt::print("{}", describe_flow(results_.image, flow_result(options_, case_, 0, 0), workers_));
    ExpectedSpeed const speed = expected_speed(workers_, case_);
    for (Axis axis : axes_)
      fmt::print("{}",
                 describe_plan(prepare_flow(geometry, axis, case_, workers_), axis, case_, speed));
    return done;
  }

  int run() {
    Geometry const geometry = read();
    Interrupt const interrupt;
    check_options();
    // Bad input leaves nothing behind: the folder comes last.
    bool const traced = !options_.trace.empty();
    if (traced) Trace::check_available();
    std::optional<Trace> trace;
    if (traced) trace.emplace();
    prepare_folders();
    if (!in_situ_options_.scripts.empty()) begin_in_situ();
    check_later_checkpoints();
    choose_workers(geometry.pore_voxels());
    for (Axis axis : axes_) {
      try {
        run_axis(axis, geometry, traced);
      } catch (BadInput const&) {  // a script that fails with its first frame
        in_situ_.reset();
        if (reports_.empty()) folder_->discard();
        throw;
      }
      if (trace) {
        losses_.attempt("--trace " + options_.trace, [&] {
          write_trace(*trace, options_.trace, suffix_of(axis), results_.performance);
        });
      }
      if (Interrupt::requested() || reports_.back().outcome.reason == StopReason::look_failed)
        break;
    }
    add_bandwidth();
    if (options_.verbosity() != Verbosity::quiet) {
      print_all([&] {
        print_performance(results_.performance);
        print_workers(results_.performance.workers);
        if (results_.insitu) print_in_situ(*results_.insitu);
        fmt::print("written to {}\n", in_folder("").string());
      });
    }
    return answer_kept_ && !losses_.any() ? exit_status() : failed;
  }

 private:
  void check_options() const {
    Runtime::check_scheduler(options_.scheduler);
    check_workers(asked_);
    check_checkpoint_minutes(options_.checkpoint_minutes);
    check_in_situ(in_situ_options_);
    warn_of_precision(case_);
  }

  Geometry read() {
    Image const image = options_.image.read();
    if (options_.verbosity() != Verbosity::quiet)
      spdlog::info("{}: {}\n{}", image.path.string(), image.format, histogram_text(image));
    results_.image = image_result(image, options_.image, voxel_size_m_);
    require_plane(image.shape);
    Geometry geometry = label_pores(image, options_.image.rule());
    results_.porosity.total = geometry.porosity();
    if (case_.setup == FlowSetup::periodic) {
      geometry.periodic = {true, true, true};
      if (geometry.pore_voxels() == volume(geometry.shape)) {
        throw BadInput(fmt::format(
            "{} has no solid voxel: expected one at least, as nothing slows a periodic flow down",
            image.path.string()));
      }
    }
    if (geometry.pore_voxels() == volume(geometry.shape))
      spdlog::warn("every voxel of {} is pore: the flow meets no solid", image.path.string());
    PoreComponents const components(geometry, links_of(case_.model.lattice));
    for (Axis axis : all_axes) {
      results_.porosity.percolating[index_of(axis)] =
          static_cast<double>(components.percolating_voxels(axis)) /
          static_cast<double>(volume(geometry.shape));
    }
    // Of all axes, before the first of them takes its time.
    for (Axis axis : axes_) {
      require_room_for_buffers(case_, geometry.shape, axis);
      if (components.percolating_voxels(axis) > 0) continue;
      throw BadInput(fmt::format(
          "no pore leads through {} along {}: expected a connected path of pore voxels (through "
          "faces or edges) from one side to the other",
          image.path.string(), name_of(axis)));
    }
    return geometry;
  }

  /// Velocity sets of the plane go with images of one layer, and not across it.
  void require_plane(Int3 shape) const {
    std::string const option = fmt::format("--lattice {}", options_.lattice);
    if (auto const misfit =
            misfit_of_plane_lattice(case_.model.lattice, shape,
                                    "an image of one layer along z (see --crop)", "--lattice ")) {
      throw BadInput(option + *misfit);
    }
    if (velocities_of(case_.model.lattice).dimensions == 2 &&
        std::ranges::find(axes_, Axis::z) != axes_.end()) {
      throw BadInput(
          fmt::format("--axis {}: {} is for plane flows: expected x or y", options_.axis, option));
    }
  }

  /// Who computes, and with what tiles: the same for all axes.
  void choose_workers(std::int64_t nodes) {
    WorkerPlan const plan = plan_workers(asked_, nodes, case_.precision);
    if (!plan.reason.empty()) spdlog::info(plan.reason);
    workers_ = plan.workers;
    results_.performance.balance.workers = plan.reason;
    case_.nodes_per_tile = tuned_nodes_per_tile(workers_.gpus > 0, case_.precision);
    case_.window = tuned_window(workers_.gpus > 0, case_.precision);
  }

  /// A damaged one is better known before hours of other axes. That of the first is read at once.
  void check_later_checkpoints() const {
    if (!options_.resume) return;
    for (std::size_t a = 1; a < axes_.size(); ++a) {
      if (fs::path const file = checkpoint_file(axes_[a]); fs::exists(file)) check_seal(file);
    }
  }

  fs::path checkpoint_file(Axis axis) const {
    return in_folder(fmt::format("checkpoint{}.h5", suffix_of(axis)));
  }

  void run_axis(Axis axis, Geometry const& geometry, bool traced) {
    FlowPreparation const preparation = prepare_flow(geometry, axis, case_, workers_);
    Checkpoints checkpoints(
        checkpoint_file(axis),
        {.every = {}, .minutes = options_.checkpoint_minutes, .resume = options_.resume},
        preparation.geometry, identity_of(preparation, axis, case_));
    if (in_situ_) {
      double const nu = viscosity(preparation.relaxation_time, case_.model.lattice);
      in_situ_->begin(scene_of(preparation, case_.setup, axis, results_.image.shape,
                               field_units(nu, voxel_size_m_, options_.fluid)),
                      axes_.size() == 1 ? std::string{} : std::string{name_of(axis)},
                      checkpoints.first_step());
    }
    // A runtime of its own: an older one would keep the memory of the last axis' tiles.
    Runtime const runtime(options_.scheduler, static_cast<int>(workers_.cores),
                          static_cast<int>(workers_.gpus));
    print_partition(preparation);
    FlowRun run(preparation, axis, case_);
    AxisReport report{.axis = axis};
    {
      Progress progress(axis, preparation.tiling.nodes, case_.tolerance, options_.verbosity(),
                        voxel_size_m_, checkpoints.first_step());
      auto const observe = [&](FlowPoint const& point) {
        progress.show(point);
        if (traced && point.step * preparation.metis.tiles > most_traced_tasks) Trace::stop();
      };
      report.outcome = run.run(observe, {.stop = &Interrupt::requested(),
                                         .watch = in_situ_ ? &*in_situ_ : nullptr,
                                         .checkpoints = &checkpoints,
                                         .stepped = [&](std::int64_t s) { progress.stepped(s); }});
      if (traced) Trace::stop();
    }
    add_performance(preparation, report.outcome, run.graph());
    add_workers(run.graph());
    add_balance(run.graph().balance_report());
    add_checkpoints(checkpoints.report());
    add_history(axis, report.outcome);
    if (in_situ_) results_.insitu = in_situ_->result();
    complete(report, preparation, run);
    reports_.push_back(report);
    note_permeability();
    // The answer first: what fails after it must not take it along.
    write_answer();
    if (answer_kept_) write_beside_answer();
    fs::path const file = in_folder(fields_name(axis));
    bool const wanted = options_.fields && report.outcome.reason != StopReason::diverged;
    FlowFields fields;
    auto const copy = [&](bool all) {
      fields =
          copy_fields(run, preparation, results_.image.shape, voxel_size_m_, options_.fluid, all);
    };
    bool const copied = wanted && losses_.attempt(file.string(), [&] { copy(true); });
    if (!copied) copy(false);
    reports_.back().max_speed = fields.max_speed;
    note_permeability();
    write_answer();
    print_warnings(*results_.permeability[index_of(axis)], reports_.back());
    print_answer();
    if (copied && answer_kept_)
      losses_.attempt(file.string(), [&] { write_fields(file, results_.image.shape, fields); });
    checkpoints.repeat_failure();
  }

  /// Of the axis that was run last.
  void note_permeability() {
    results_.permeability[index_of(reports_.back().axis)] = permeability_result(reports_.back());
  }

  /// That of the axis that was run last; also to those who want no words, if it is in no file.
  void print_answer() {
    if (options_.verbosity() == Verbosity::quiet && answer_kept_) return;
    print_all([&] {
      if (reports_.size() == 1) print_image(results_);
      print_permeability(results_, reports_.back());
    });
  }

  void prepare_folders() {
    folder_.emplace(options_.out);
    if (options_.trace.empty()) return;
    try {
      prepare_folder("--trace", options_.trace, "paje.trace");
    } catch (EnvironmentError const&) {
      folder_->discard();
      throw;
    }
  }

  void begin_in_situ() {
    try {
      in_situ_.emplace(in_situ_options_, in_folder("insitu"));
    } catch (BadInput const&) {
      folder_->discard();
      throw;
    }
  }

  fs::path in_folder(std::string const& name) const { return folder_->path() / name; }

  /// What tells the files of several axes apart.
  std::string suffix_of(Axis axis) const {
    return axes_.size() == 1 ? "" : fmt::format("-{}", name_of(axis));
  }

  /// Name of the file with an axis' fields.
  std::string fields_name(Axis axis) const {
    return fmt::format("fields{}.vtkhdf", suffix_of(axis));
  }

  void complete(AxisReport& report, FlowPreparation const& preparation, FlowRun const& run) const {
    report.relaxation_time = preparation.relaxation_time;
    report.body_force = run.body_force();
    report.viscosity = viscosity(preparation.relaxation_time, case_.model.lattice);
    report.sample_share = preparation.box.sample_share;
    report.max_speed = std::numeric_limits<double>::quiet_NaN();  // the fields will tell
    report.reynolds = run.reynolds(report.outcome.last);
    if (case_.precision == Precision::half_storage) {
      report.rounding_error =
          half_rounding_error(run.mean_pore_speed(report.outcome.last), report.body_force,
                              static_cast<double>(preparation.geometry.shape[report.axis]));
    }
  }

  void add_performance(FlowPreparation const& preparation, FlowOutcome const& outcome,
                       FlowGraph const& graph) {
    PerformanceResult& p = results_.performance;
    auto const nodes = static_cast<double>(preparation.tiling.nodes);
    std::int64_t const steps = outcome.steps - outcome.first_step;
    updates_ += nodes * static_cast<double>(steps);
    p.fluid_nodes = preparation.tiling.nodes;
    p.steps += steps;
    p.seconds += outcome.seconds;
    p.prepare_seconds += preparation.seconds;
    p.mflups = updates_ / p.seconds * 1e-6;
    p.bytes_per_fluid_node = static_cast<double>(graph.bytes_in_use()) / nodes;
    p.bandwidth_gbs = p.mflups * 1e6 * 2 * velocities_of(case_.model.lattice).size *
                      static_cast<double>(bytes_of(case_.precision)) * 1e-9;
    p.imbalance = preparation.metis.imbalance;
    p.tiles = static_cast<std::int64_t>(graph.tiling().tiles.size());
  }

  void add_history(Axis axis, FlowOutcome const& outcome) {
    for (FlowPoint const& point : outcome.history) {
      history_.push_back({.step = point.step,
                          .axis = axis,
                          .k_lattice = point.k_lattice,
                          .error_estimate = point.error_estimate,
                          .force_balance = point.force_balance,
                          .mass = 1 + point.mean_density_shift});
    }
  }

  /// Adds what this axis' workers did to what they did before.
  void add_workers(FlowGraph const& graph) {
    auto& sums = results_.performance.workers;
    std::vector<WorkerReport> const workers = Runtime::workers();
    std::vector<WorkClock::Use> const uses = graph.worker_uses();
    sums.resize(std::max(sums.size(), workers.size()));
    for (std::size_t w = 0; w < workers.size(); ++w) {
      sums[w].name = workers[w].name;
      sums[w].kind = workers[w].kind;
      sums[w].tasks += workers[w].tasks;
      sums[w].busy_s += workers[w].busy_s;
      sums[w].waiting_s += workers[w].waiting_s;
      sums[w].transferring_s += uses[w].transferring_s;
      sums[w].nodes += uses[w].work;
    }
  }

  void add_checkpoints(CheckpointsResult const& of_axis) {
    CheckpointsResult& sums = results_.performance.checkpoints;
    sums.written += of_axis.written;
    sums.seconds += of_axis.seconds;
    sums.bytes += of_axis.bytes;
  }

  void add_balance(BalanceReport const& report) {
    BalanceResult& balance = results_.performance.balance;
    balance.policy = options_.balance;
    balance.moves += report.moves;
    balance.bytes_moved += static_cast<std::int64_t>(report.bytes_moved);
    balance.cuts += report.cuts;
    balance.cut_seconds += report.cut_seconds;
    balance.bytes_cut += static_cast<std::int64_t>(report.bytes_cut);
    if (!report.cut_refused.empty())
      spdlog::warn("out of balance, but the lattice was not cut anew: {}", report.cut_refused);
    balance.domains = domain_names(workers_);
    balance.looks.clear();  // of the axis that was run last
    for (BalanceLook const& look : report.history.entries()) {
      balance.looks.push_back({look.step, look.seconds, look.imbalance, look.largest_imbalance,
                               look.speeds, look.moves, look.looks});
    }
  }

  /// Compares with what the memory can do, now that no worker uses it.
  void add_bandwidth() {
    try {
      results_.performance.bandwidth_fraction = results_.performance.bandwidth_gbs / copy_gbs();
    } catch (std::exception const& error) {  // the memory may be full, or have been taken by others
      spdlog::warn("the bandwidth was not measured: {}", reason(error));
    }
    write_answer();
  }

  double copy_gbs() const {
    if (workers_.gpus > 0) return workers_.gpus * copy_on_gpu();
    return copy_on_cores(static_cast<unsigned>(results_.performance.workers.size()));
  }

  /// Writes what is known so far.
  void write_answer() {
    AxisReport const& first = reports_.front();
    results_.flow = flow_result(options_, case_, first.relaxation_time, first.body_force);
    results_.warnings = warnings_given();
    results_.performance.peak_memory_bytes = peak_memory_bytes();
    results_.software = software_result();
    fs::path const file = in_folder("results.json");
    try {
      write_results(file, results_);
      answer_kept_ = true;
    } catch (std::exception const& error) {
      if (answer_kept_) spdlog::error(reason(error));  // once is enough
      answer_kept_ = false;
    }
  }

  void write_beside_answer() {
    fs::path const file = in_folder("convergence.csv");
    losses_.attempt(file.string(), [&] { write_convergence_csv(file, history_, voxel_size_m_); });
    // Fields of an earlier run would stand beside results that are not theirs.
    for (char const* name :
         {"fields.vtkhdf", "fields-x.vtkhdf", "fields-y.vtkhdf", "fields-z.vtkhdf"}) {
      bool const ours = std::ranges::any_of(
          reports_, [&](AxisReport const& report) { return fields_name(report.axis) == name; });
      std::error_code ignored;
      if (!ours || !options_.fields) fs::remove(in_folder(name), ignored);
    }
  }

  int exit_status() const {
    auto const any = [&](StopReason reason) {
      return std::ranges::any_of(reports_,
                                 [&](AxisReport const& r) { return r.outcome.reason == reason; });
    };
    if (any(StopReason::diverged) || any(StopReason::look_failed)) return failed;
    if (!std::ranges::all_of(reports_, [](AxisReport const& r) {
          return r.outcome.reason == StopReason::converged;
        })) {
      return not_converged;
    }
    return reports_.size() == axes_.size() ? done : not_converged;
  }

  PermeabilityOptions const& options_;
  FlowCase case_;
  std::vector<Axis> axes_;
  std::optional<double> voxel_size_m_;
  WorkersAsked asked_;
  InSituOptions in_situ_options_;
  std::optional<InSitu> in_situ_;
  Workers workers_;
  std::optional<OutputFolder> folder_;
  Results results_;
  std::vector<AxisReport> reports_;
  std::vector<ConvergenceSample> history_;
  double updates_ = 0;
  bool answer_kept_ = true;  ///< results.json could be written when it was last tried
  Losses losses_;
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

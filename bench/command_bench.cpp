// SPDX-License-Identifier: MIT
// `tessera bench`: the task graph, a bare loop over the same tiles, and the ceiling that the memory
// sets, in one run.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <ctime>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/errors.hpp"
#include "base/machine/instructions.hpp"
#include "bench/commands.hpp"
#include "bench/repeat.hpp"
#include "bench/rivals.hpp"
#include "geometry/generate.hpp"
#include "graph/runtime/runtime.hpp"
#include "interfaces/cli/values.hpp"
#include "io/atomic_file.hpp"
#include "permeability/permeability_case.hpp"
#include "run/plan/worker_plan.hpp"

namespace tessera {
namespace {

struct BenchOptions {
  std::int64_t size = 256;
  std::vector<double> porosities{0.15, 0.3, 0.6, 1.0};
  double radius = 14;
  int tiles = 0;
  int repeats = 5;
  double seconds = 0.5;
  int window = 4;
  std::optional<int> steps_per_sweep;
  std::string precision = "single";
  int gpus = -1;
  bool weak = false;
  std::string kernels = "best";
  std::string json;
};

CpuKernels const& choose_kernels(std::string const& name) {
  if (name == "best") return best_cpu_kernels();
#if TESSERA_FOR_GENERIC
  if (name == "generic") return generic_kernels;
#endif
#if TESSERA_FOR_AVX2
  if (name == "avx2" && best_instructions() >= Instructions::avx2) return avx2_kernels;
#endif
#if TESSERA_FOR_AVX512
  if (name == "avx512" && best_instructions() == Instructions::avx512) return avx512_kernels;
#endif
  throw BadInput(fmt::format(
      "--kernels {}: expected best, generic, avx2 or avx512, and a processor that has it", name));
}

/// One porosity, measured.
struct Figures {
  double porosity = 0;
  std::int64_t nodes = 0;
  std::int32_t tiles = 0;
  double bytes_moved = 0;   ///< a node update: populations read and written, tables read
  double bytes_stored = 0;  ///< a fluid node
  double copy_gbs = 0;
  double bare_mflups = 0;
  double graph_mflups = 0;
  double slowest_mflups = 0;
  double fastest_mflups = 0;
  double submitting_us = 0;  ///< of a processor, that the submitting thread takes for a task

  double bound_mflups() const { return copy_gbs * 1e3 / bytes_moved; }
  double share_of_bound() const { return graph_mflups / bound_mflups(); }
  double lost_to_runtime() const { return 1 - graph_mflups / bare_mflups; }
};

/// That this thread has computed so far: not what it has waited.
double thread_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// Steps that take about the given time, from a first try.
template <class Run>
std::int64_t steps_for(double seconds, Run&& run) {
  run(2);
  return std::max<std::int64_t>(2, static_cast<std::int64_t>(seconds / run(2) * 2));
}

/// The box that is measured: periodic; on several GPUs as many boxes, one behind the other.
Geometry image_of(BenchOptions const& o, double porosity) {
  Int3 const shape{o.size, o.size, o.size * (o.weak ? std::max(1, o.gpus) : 1)};
  return porosity < 1 ? overlapping_spheres(shape, o.radius, porosity, 7).geometry
                      : uniform_box(shape, 1);
}

Figures measure_rock(BenchOptions const& o, double porosity) {
  PermeabilityCase asked;
  asked.setup = FlowSetup::periodic;
  asked.precision = parse_precision(o.precision);
  asked.tiles = o.tiles;
  asked.window = o.window;
  asked.steps_per_sweep = o.steps_per_sweep.value_or(0);
  asked.relaxation_time = 0.6;
  Geometry image = image_of(o, porosity);
  Workers const workers{.cores = o.gpus > 0 ? 1 : cores_present(),
                        .gpus = static_cast<unsigned>(o.gpus),
                        .gpu_bytes = Runtime::gpu_bytes()};
  PreparedFlow const prepared = prepare_flow(image, Axis::x, asked, workers);
  // A new one each time: an old one keeps the memory of other tiles.
  Runtime const runtime({}, static_cast<int>(workers.cores), o.gpus);
  image = {};

  double const force[3] = {prepared.body_force, 0, 0};
  BenchFlow const flow{prepared.tiling, asked.precision, asked.model,
                       flow_parameters(asked.model, prepared.relaxation_time, asked.magic, force),
                       choose_kernels(o.kernels)};
  FlowOptions options = flow_options(prepared, workers, asked, {});
  options.parameters = flow.parameters;
  options.kernels = &flow.kernels;
  FlowGraph graph(prepared.tiling, options);
  double submitting_s = 0;
  auto const run_graph = [&](std::int64_t steps) {
    double const before = thread_seconds();
    auto const start = std::chrono::steady_clock::now();
    graph.submit_steps(steps);
    graph.wait();
    submitting_s = thread_seconds() - before;
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  std::int64_t const steps = steps_for(o.seconds, run_graph);
  auto const nodes = static_cast<double>(prepared.tiling.nodes);
  Figures figures;
  figures.bytes_stored = static_cast<double>(graph.bytes_in_use()) / nodes;

  // Side by side, so that whatever else the machine does meets all three alike.
  std::unique_ptr<Rivals> const rivals =
      o.gpus > 0 ? rivals_on_gpu(flow) : rivals_on_cores(flow, workers.cores);
  std::vector<double> copy_gbs, bare_mflups, graph_mflups;
  double const updates = nodes * static_cast<double>(steps) * 1e-6;
  for (int r = 0; r < o.repeats; ++r) {
    graph_mflups.push_back(updates / run_graph(steps));
    Runtime::Pause const pause;
    if (o.gpus <= 1) bare_mflups.push_back(updates / rivals->bare_loop(steps));
    copy_gbs.push_back(rivals->copy() * std::max(1, o.gpus));
  }

  std::size_t tables = 0;
  for (Tile const& tile : prepared.tiling.tiles) tables += tile.tables.size();
  figures.porosity = porosity;
  figures.nodes = prepared.tiling.nodes;
  figures.tiles = prepared.quality.tiles;
  figures.bytes_moved = 2.0 * D3Q19::size * static_cast<double>(bytes_of(flow.precision)) +
                        static_cast<double>(tables) / nodes;
  figures.copy_gbs = median(copy_gbs);
  figures.bare_mflups = bare_mflups.empty() ? NAN : median(bare_mflups);
  figures.graph_mflups = median(graph_mflups);
  figures.submitting_us = 1e6 * submitting_s / static_cast<double>(steps * prepared.quality.tiles);
  figures.slowest_mflups = *std::ranges::min_element(graph_mflups);
  figures.fastest_mflups = *std::ranges::max_element(graph_mflups);
  return figures;
}

nlohmann::ordered_json to_json(Figures const& f) {
  return {{"porosity", f.porosity},
          {"fluid_nodes", f.nodes},
          {"tiles", f.tiles},
          {"bytes_moved_per_update", f.bytes_moved},
          {"bytes_stored_per_node", f.bytes_stored},
          {"copy_gbs", f.copy_gbs},
          {"bound_mflups", f.bound_mflups()},
          {"bare_mflups", f.bare_mflups},
          {"graph_mflups", f.graph_mflups},
          {"graph_mflups_range", {f.slowest_mflups, f.fastest_mflups}},
          {"share_of_bound", f.share_of_bound()},
          {"submitting_us_per_task", f.submitting_us},
          {"lost_to_runtime", f.lost_to_runtime()}};
}

int bench(BenchOptions o) {
  for (double const porosity : o.porosities) {
    if (!(porosity > 0 && porosity <= 1))
      throw BadInput(fmt::format("--porosity {}: expected 0 < porosity <= 1", porosity));
  }
  require_positive("seconds", o.seconds);
  require_positive("repeats", o.repeats);
  require_positive("window", o.window);
  if (o.steps_per_sweep) require_positive("steps-per-sweep", *o.steps_per_sweep);
  parse_precision(o.precision);
  o.gpus = choose_gpus(o.gpus);
  CpuKernels const& kernels = choose_kernels(o.kernels);
  std::string const where = o.gpus > 0 ? fmt::format("{} GPU{}", o.gpus, o.gpus > 1 ? "s" : "")
                                       : fmt::format(
                                             "{} workers, {}",
                                             [] {
                                               Runtime const runtime;
                                               return Runtime::core_count();
                                             }(),
                                             kernels.instruction_set);
  fmt::print("{}, {}, box of {}^3{}, overlapping spheres R = {}, median of {}\n", where,
             o.precision, o.size, o.weak ? " for each" : "", o.radius, o.repeats);
  fmt::print(
      "porosity      nodes  tiles  B/update  B/node  copy GB/s    bound     bare    graph MFLUPS "
      "(slowest, fastest)  of bound  lost to runtime  submitting us/task\n");
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (double const porosity : o.porosities) {
    Figures const f = measure_rock(o, porosity);
    bool const measured = !std::isnan(f.bare_mflups);  // on several GPUs there is no bare loop
    fmt::print(
        "{:8.2f} {:10} {:6} {:9.1f} {:7.1f} {:10.1f} {:8.1f} {:>8} {:8.1f} ({:8.1f}, {:8.1f}) "
        "{:11.1f}% {:>16} {:19.1f}\n",
        f.porosity, f.nodes, f.tiles, f.bytes_moved, f.bytes_stored, f.copy_gbs, f.bound_mflups(),
        measured ? fmt::format("{:.1f}", f.bare_mflups) : "-", f.graph_mflups, f.slowest_mflups,
        f.fastest_mflups, 100 * f.share_of_bound(),
        measured ? fmt::format("{:.1f}%", 100 * f.lost_to_runtime()) : "-", f.submitting_us);
    std::fflush(stdout);
    json.push_back(to_json(f));
  }
  if (!o.json.empty()) write_whole_file(o.json, json.dump(2) + "\n");
  return done;
}

}  // namespace

Command add_bench_command(CLI::App& command) {
  auto const o = std::make_shared<BenchOptions>();
  command.add_option("--size", o->size, "Edge of the box in voxels")->capture_default_str();
  command.add_option("--porosity", o->porosities, "Porosities")
      ->delimiter(',')
      ->capture_default_str();
  command.add_option("--radius", o->radius, "Radius of the spheres in voxels")
      ->capture_default_str();
  command.add_option("--tiles", o->tiles, "Number of tiles (default: chosen)");
  command.add_option("--window", o->window, "Steps submitted ahead")->capture_default_str();
  command.add_option("--steps-per-sweep", o->steps_per_sweep,
                     "Steps on a tile at a time (default: 1, more if GPU memory is too small)");
  command.add_option("--repeats", o->repeats, "Repeats; the median counts")->capture_default_str();
  command.add_option("--seconds", o->seconds, "Time of one repeat")->capture_default_str();
  command.add_option("--precision", o->precision, "half, single or double")->capture_default_str();
  command.add_option("--gpus", o->gpus, "GPUs to use; 0: cores (default: all there are)");
  command.add_flag("--weak", o->weak, "A box for each GPU, one behind the other");
  command.add_option("--kernels", o->kernels, "For cores: best, generic, avx2 or avx512")
      ->capture_default_str();
  command.add_option("--json", o->json, "File for the figures");
  return add_bench_modes(command, [o] { return bench(*o); });
}

}  // namespace tessera

// SPDX-License-Identifier: MIT
// Spectral differences on the task graph: what the graph costs beside a loop, and how far several
// GPUs, or cores, go.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "base/machine/seconds_since.hpp"
#include "bench/literature/spectral/spectral_mesh.hpp"
#include "bench/literature/spectral/spectral_modes.hpp"
#include "graph/runtime/runtime.hpp"
#include "graph/tile_graph.hpp"
#include "interfaces/cli/values.hpp"
#include "methods/spectral/spectral_method.hpp"

namespace tessera {
namespace {

using spectral::Integrator;
using spectral::SpectralMethod;

/// A mesh on some GPUs, or on cores if there are none, in so many tiles each.
class GraphRunner final : public GasRunner {
 public:
  GraphRunner(FusedCase const& of, int gpus, int cores, int tiles_each)
      : runtime_({}, gpus > 0 ? 1 : cores, gpus),
        points_(static_cast<std::int64_t>(of.of->mesh.points())),
        stages_a_step_(
            static_cast<std::int64_t>(spectral::stages_of(of.parameters.integrator).size())),
        method_(*of.of, cut_for(*of.of, gpus, parts(gpus, cores, tiles_each)),
                options_of(of, gpus > 1)),
        graph_(method_, {.domains = gpus > 0 ? Runtime::domains(false) : std::vector<Domain>{},
                         .balance = Balance::fixed}) {}

  double run(std::int64_t stages) override {
    std::int64_t const steps = (stages + stages_a_step_ - 1) / stages_a_step_;
    auto const begin = std::chrono::steady_clock::now();
    graph_.submit_steps(steps);
    graph_.wait();
    return seconds_since(begin) * static_cast<double>(stages) /
           static_cast<double>(steps * stages_a_step_);
  }
  std::int64_t points() const override { return points_; }
  std::size_t bytes() const override { return graph_.bytes_in_use(); }
  std::vector<double> first_state() const override { return {}; }

 private:
  /// The cut that a run would make (case/spectral/gas_tiles.hpp).
  static TwoLevelCut cut_for(spectral::MeshOfGas const& of, int gpus,
                             std::vector<Part> const& parts) {
    return gpus > 1 ? spectral::cut_packs_in_a_row(of, parts) : spectral::cut_packs(of, parts);
  }
  static std::vector<Part> parts(int gpus, int cores, int tiles_each) {
    if (gpus == 0) return {{1, cores * tiles_each}};
    return std::vector<Part>(static_cast<std::size_t>(gpus), {1, tiles_each});
  }
  static spectral::GasOptions options_of(FusedCase const& of, bool both_traces) {
    spectral::GasOptions options;
    options.both_traces = both_traces;
    options.numbers = of.numbers;
    options.parameters = of.parameters;
    options.initial = some_flow;
    return options;
  }

  Runtime runtime_;
  std::int64_t points_;
  std::int64_t stages_a_step_;
  SpectralMethod method_;
  TileGraph graph_;
};

/// Which of the degrees 3 and 5 are asked for.
std::vector<int> degrees_of(SpectralOptions const& options) {
  std::vector<int> degrees;
  for (int const p : {3, 5}) {
    if (std::ranges::find(options.degrees, p) != options.degrees.end()) degrees.push_back(p);
  }
  return degrees;
}

std::int32_t edge_of(double points, int degree) {
  return static_cast<std::int32_t>(std::max(std::lround(std::cbrt(points) / (degree + 1)), 4L));
}

}  // namespace

void measure_tasks(SpectralOptions const& options, SpectralReport& report) {
  report.begin("tasks", "The task graph by tiles, beside the loop, 3-D, " + options.precision);
  bool const on_gpu = report.has_gpu();
  for (int const p : degrees_of(options)) {
    double const points = options.points > 0 ? options.points : on_gpu ? 8e6 : 2e5;
    spectral::MeshOfGas const of = cube_of_gas(edge_of(points, p), uniform_degree(p));
    FusedCase const with{.of = &of, .parameters = {}, .numbers = numbers_of(options.precision)};
    double const bytes = fused_bytes(3, p, with.parameters.integrator, with.numbers, false);
    std::string const where = on_gpu ? "GPU" : "core";
    double loop = 0;
    {
      auto const runner = on_gpu ? fused_on_gpu(with) : fused_on_core(with);
      loop = report.line(fmt::format("{}, p = {}, loop", where, p), on_gpu, runner->points(),
                         seconds_a_stage(*runner, options.repeats, 20), bytes);
    }
    for (int const tiles : {1, 4, 16, 64}) {
      if (tiles * 2 > static_cast<int>(of.packs.packs.size())) break;
      GraphRunner runner(with, on_gpu ? 1 : 0, 1, tiles);
      double const seconds = seconds_a_stage(runner, options.repeats, 20);
      auto const of_tile = static_cast<double>(runner.points()) / tiles;
      double const rate = report.line(
          fmt::format("{}, p = {}, {} tiles of {:.2f} M points", where, p, tiles, of_tile * 1e-6),
          on_gpu, runner.points(), seconds, bytes,
          {{"memory_bytes_a_point",
            static_cast<double>(runner.bytes()) / static_cast<double>(runner.points())}});
      report.note(
          fmt::format("{:.1f} % of the loop, {:.0f} B a point in memory", 100 * rate / loop,
                      static_cast<double>(runner.bytes()) / static_cast<double>(runner.points())));
    }
  }
}

namespace {

/// Seconds of a stage on `gpus` GPUs that share n^3 elements of degree p: the slowest of kernels,
/// tasks and halo exchange. `rate`: points a second of one GPU.
double modelled_stage(double n, int p, int gpus, double rate, std::size_t number_bytes) {
  constexpr double of_task = 50e-6;
  constexpr double link = 150e9;  // bytes a second, each way
  double const points = n * n * n * std::pow(p + 1, 3) / gpus;
  double const kernels = std::max(points / rate, of_task);
  if (gpus == 1) return kernels;
  double const sides = gpus >= 64 ? 6 : 3;
  double const of_side = std::pow(n * n * n / gpus, 2.0 / 3.0);
  double const halo = sides * of_side * 5 * std::pow(p + 1, 2) * static_cast<double>(number_bytes);
  return std::max(kernels, halo / link);
}

}  // namespace

void measure_workers(SpectralOptions const& options, SpectralReport& report) {
  bool const on_gpu = report.has_gpu();
  int const most = on_gpu ? choose_gpus(options.workers.gpus)
                          : static_cast<int>(cores_or_all(options.workers, 0));
  report.begin("gpus", fmt::format("One mesh on more and more {}, task graph, {}",
                                   on_gpu ? "GPUs" : "cores", options.precision));
  struct Mesh {
    char const* name;
    int dimension;
    int degree;
    std::int32_t cells[3];
  };
  // The meshes of the published report for several GPUs, and one large enough to fill them; cores
  // get a small one.
  std::vector<Mesh> meshes{{"small", 3, 3, {12, 12, 12}}};
  if (on_gpu)
    meshes = {{"M5", 2, 5, {432, 432, 1}},
              {"M5", 2, 5, {560, 560, 1}},
              {"M6", 2, 5, {800, 800, 1}},
              {"M7", 3, 5, {48, 48, 48}},
              {"large", 3, 3, {96, 96, 96}}};
  for (Mesh const& mesh : meshes) {
    if (std::ranges::find(options.degrees, mesh.degree) == options.degrees.end()) continue;
    spectral::MeshOfGas const of =
        box_of_gas(mesh.dimension, mesh.cells, uniform_degree(mesh.degree));
    FusedCase const with{.of = &of, .parameters = {}, .numbers = numbers_of(options.precision)};
    double const bytes =
        fused_bytes(mesh.dimension, mesh.degree, with.parameters.integrator, with.numbers, false);
    double alone = 0;
    for (int workers = 1; workers <= most; workers *= 2) {
      GraphRunner runner(with, on_gpu ? workers : 0, on_gpu ? 1 : workers, 4);
      double const rate =
          report.line(fmt::format("{}, p = {}, {} {}", mesh.name, mesh.degree, workers,
                                  on_gpu ? "GPUs" : "cores"),
                      on_gpu, runner.points(), seconds_a_stage(runner, options.repeats, 20),
                      bytes / workers, {{"workers", workers}});
      if (workers == 1) alone = rate;
      report.note(
          fmt::format("{:.2f} times one, {:.0f} %", rate / alone, 100 * rate / alone / workers));
    }
    if (!on_gpu || mesh.dimension == 2) continue;
    for (int const gpus : {8, 64}) {
      auto const stage = [&](int g) {
        return modelled_stage(mesh.cells[0], mesh.degree, g, alone, bytes_of(with.numbers));
      };
      report.note(fmt::format("model, {} GPUs: {:.1f} times one", gpus, stage(1) / stage(gpus)));
    }
  }
}

}  // namespace tessera

// SPDX-License-Identifier: MIT
// stokes_bench IMAGE.raw NX NY NZ AXIS sealed|periodic TOLERANCE [gpu] [gpus=N] [parts=N] [double]
//   [threads=N]
// Times the solver on a raw image (uint8, 0 = pore), or on overlapping spheres (IMAGE `spheres`).
// parts=N: as N GPUs would, by parts of the first; mpirun -np N: by several processes, of which the
// first one speaks. To tune it by; no part of the program.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <string>
#include <vector>

#include "base/ranks/ranks.hpp"
#include "geometry/connectivity.hpp"
#include "geometry/flow_setup.hpp"
#include "geometry/generate.hpp"
#include "methods/stokes/stokes.hpp"

namespace {

using namespace tessera;

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double clock_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

Geometry read(std::string const& name, Int3 shape) {
  if (name == "spheres") return overlapping_spheres(shape, 14, 0.2, 1).geometry;
  Geometry geometry{shape, std::vector<std::uint8_t>(static_cast<std::size_t>(volume(shape))), {}};
  std::ifstream in(name, std::ios::binary);
  in.read(reinterpret_cast<char*>(geometry.pore.data()),
          static_cast<std::streamsize>(geometry.pore.size()));
  if (!in) {
    std::fprintf(stderr, "cannot read %s\n", name.c_str());
    std::exit(2);
  }
  for (std::uint8_t& voxel : geometry.pore) voxel = voxel == 0 ? 1 : 0;
  return geometry;
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc < 8) return 2;
  Ranks::start();
  if (!Ranks::is_root() && std::freopen("/dev/null", "w", stdout) == nullptr) return 1;
  Int3 const shape{std::atoi(argv[2]), std::atoi(argv[3]), std::atoi(argv[4])};
  Axis const axis = all_axes[static_cast<std::size_t>(argv[5][0] - 'x')];
  bool const sealed = std::string(argv[6]) == "sealed";
  double const tolerance = std::atof(argv[7]);
  StokesOptions options;
  for (int a = 8; a < argc; ++a) {
    std::string const word = argv[a];
    if (word == "gpu") options.device = SteadyDevice::gpu;
    if (word.starts_with("gpus=")) {
      for (int gpu = 0; gpu < std::atoi(word.c_str() + 5); ++gpu) options.gpus.push_back(gpu);
    }
    if (word.starts_with("parts="))
      options.gpus.assign(std::strtoul(word.c_str() + 6, nullptr, 10), 0);
    if (word == "double") options.precision = Precision::double_precision;
    if (word.starts_with("threads=")) options.threads = std::atoi(word.c_str() + 8);
  }
  Geometry const image = read(argv[1], shape);
  FlowBox box = flow_box(image, axis, sealed ? FlowSetup::sealed : FlowSetup::periodic);
  PoreComponents const components(box.geometry, Links::faces_and_edges);
  components.close_isolated(box.geometry, axis);
  Geometry const& geometry = box.geometry;
  auto const sample = static_cast<double>(volume(box.sample_upper - box.sample_lower));
  auto const k_of = [&](double sum) {
    return sum / 6 * box.sample_share * box.sample_share / sample;
  };
  for (int round = 0; round < 2; ++round) {
    double const start = now();
    auto const space = make_stokes_space(geometry, options);
    double const made = now();
    auto solver = space->solver(axis);
    double const begun = now();
    std::printf("nodes %lld parts %lld; set-up %.3f s, begin %.3f s; %.0f bytes a node\n",
                static_cast<long long>(space->nodes()), static_cast<long long>(space->parts()),
                made - start, begun - made, space->bytes_per_node());
    solver->iterate(2);
    double const before = now();
    double const cpu_before = clock_seconds();
    StokesEstimate estimate = solver->iterate(10);
    double const each = (now() - before) / 10;
    double const cpu = (clock_seconds() - cpu_before) / 10;
    std::printf("%.4f ms an iteration, %.1f ns a node; %.1f ns of cores\n", 1e3 * each,
                1e9 * each / static_cast<double>(space->nodes()),
                1e9 * cpu / static_cast<double>(space->nodes()));
    if (round == 0) {
      for (int k = 12; k <= 60 && !estimate.broken; k += 4) {
        std::printf("%3d K %.10g L %.10g estimate %.2e residual %.2e\n", estimate.iterations,
                    k_of(estimate.quadratic), k_of(estimate.linear), estimate.error_estimate,
                    estimate.residual);
        estimate = solver->iterate(4);
      }
      StokesConfirmation const c = solver->confirm();
      std::printf("confirmed: K %.10g L %.10g residual %.2e expected %.2e slices %.2e\n",
                  k_of(c.quadratic), k_of(c.linear), c.residual, c.expected, c.slice_spread);
      estimate = solver->iterate(40);
      std::printf("%3d K %.10g L %.10g residual %.2e\n", estimate.iterations,
                  k_of(estimate.quadratic), k_of(estimate.linear), estimate.residual);
    } else {
      solver.reset();  // a second one's memory
      auto const fresh = space->solver(axis);
      double const from = now();
      StokesResult const result = solve(*fresh, tolerance, 400);
      std::printf(
          "solved in %.4f s: %d iterations, k %.10g, estimate %.2e, confirmed %d (K %.10g, slices "
          "%.1e), %.0f step equivalents\n",
          now() - from, result.estimate.iterations, k_of(result.estimate.quadratic),
          result.estimate.error_estimate, int(result.confirmed),
          k_of(result.confirmation.quadratic), result.confirmation.slice_spread,
          result.estimate.step_equivalents);
    }
    RankTraffic const sent = space->share().traffic;
    if (!Ranks::alone())
      std::printf("sent in all %lld messages, %.1f MB; gathered %lld times, %.1f MB\n",
                  static_cast<long long>(sent.messages), 1e-6 * static_cast<double>(sent.bytes),
                  static_cast<long long>(sent.gathers),
                  1e-6 * static_cast<double>(sent.gathered_bytes));
  }
  Ranks::end();
  return 0;
} catch (std::exception const& error) {
  std::fprintf(stderr, "%s\n", error.what());
  tessera::Ranks::abort(1);
  return 1;
}

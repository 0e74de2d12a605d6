// SPDX-License-Identifier: MIT
// The kernels of spectral differences in a loop: Tessera's, fused, beside the published ones,
// routine by routine.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "base/machine/copy_bandwidth.hpp"
#include "bench/literature/spectral/spectral_mesh.hpp"
#include "bench/literature/spectral/spectral_modes.hpp"
#include "bench/literature/spectral/unfused_parts.hpp"
#include "interfaces/cli/command.hpp"
#include "interfaces/cli/values.hpp"
#include "io/atomic_file.hpp"

namespace tessera {

using spectral::Integrator;

namespace {

/// The published scheme's form, u = u0 + alpha dt R, which the published kernels take as well.
constexpr spectral::GasParameters published{.integrator = Integrator::jameson};

bool takes(SpectralOptions const& options, SpectralReport const& report, bool on_gpu) {
  return on_gpu ? report.has_gpu() : !(options.gpu_only && report.has_gpu());
}

std::int32_t edge_for(SpectralOptions const& options, int degree, bool on_gpu) {
  double const points = options.points > 0 ? options.points : on_gpu ? 4e6 : 2e5;
  auto const edge = std::lround(std::cbrt(points) / (degree + 1));
  return static_cast<std::int32_t>(std::max(edge, 2L));
}

struct Fused {
  std::string name;
  spectral::MeshOfGas of;
  spectral::GasParameters parameters = published;
  bool curved = false;
};

double measure_fused(SpectralOptions const& options, SpectralReport& report, bool on_gpu,
                     Fused const& fused, double degree) {
  FusedCase const with{
      .of = &fused.of, .parameters = fused.parameters, .numbers = numbers_of(options.precision)};
  auto const runner = on_gpu ? fused_on_gpu(with) : fused_on_core(with);
  double const seconds = seconds_a_stage(*runner, options.repeats, 4);
  // Where degrees are mixed, `degree` is between two, and bytes are interpolated.
  double const low = std::floor(degree);
  auto const bytes_of = [&](double p) {
    return fused_bytes(fused.of.mesh.dimension, static_cast<int>(p), fused.parameters.integrator,
                       with.numbers, fused.curved);
  };
  double const bytes = bytes_of(low) + (degree - low) * (bytes_of(low + 1) - bytes_of(low));
  nlohmann::ordered_json more;
  if (runner->bytes() > 0)
    more["memory_bytes_a_point"] =
        static_cast<double>(runner->bytes()) / static_cast<double>(runner->points());
  return report.line(fused.name, on_gpu, runner->points(), seconds, bytes, more);
}

/// Both take a step from the same state: they must agree.
void require_agreement(GasRunner& plain, UnfusedCase const& with, bool on_gpu) {
  spectral::MeshOfGas const of =
      box_of_gas(with.dimension, with.cells, uniform_degree(with.degree));
  FusedCase const fused{.of = &of, .parameters = published};
  auto const runner = on_gpu ? fused_on_gpu(fused) : fused_on_core(fused);
  runner->run(4);
  plain.run(4);
  std::vector<double> const expected = runner->first_state();
  std::vector<double> const found = plain.first_state();
  for (std::size_t v = 0; v < expected.size(); ++v) {
    if (std::abs(found[v] - expected[v]) <= 1e-12) continue;
    throw std::logic_error(
        fmt::format("the published kernels, version {}, have {} where the fused one has {}",
                    with.version, found[v], expected[v]));
  }
}

double measure_unfused(SpectralOptions const& options, SpectralReport& report, bool on_gpu,
                       UnfusedCase const& with, std::string const& name) {
  auto const make = [&](UnfusedCase const& of) -> std::unique_ptr<GasRunner> {
    if (on_gpu) return unfused_on_gpu(of);
    return unfused_on_core(of);
  };
  UnfusedCase small = with;
  for (std::int32_t& cells : small.cells) cells = std::min(cells, 4);
  require_agreement(*make(small), small, on_gpu);
  auto const runner = make(with);
  return report.line(name, on_gpu, with.points(), seconds_a_stage(*runner, options.repeats, 4),
                     8 * unfused_values(with.dimension, with.degree, with.version));
}

UnfusedCase unfused(int dimension, int degree, std::int32_t edge, int version) {
  return {.dimension = dimension,
          .degree = degree,
          .cells = {edge, edge, dimension == 3 ? edge : 1},
          .version = version};
}

/// Meshes of degree p and p + 1.
struct Mixed {
  std::string name;
  DegreeAt degree;
  double higher;  ///< share of the elements that have degree p + 1
};
std::vector<Mixed> mixed_degrees(int p) {
  return {{fmt::format("p and {} in turn", p + 1), degrees_in_turn(p, p + 1), 0.5},
          {fmt::format("one of eight {}", p + 1), degrees_in_cubes(p, p + 1, 1), 0.125},
          {fmt::format("cubes of eight {}", p + 1), degrees_in_cubes(p, p + 1, 2), 0.125}};
}

void measure_degree(SpectralOptions const& options, SpectralReport& report, bool on_gpu, int p) {
  std::int32_t const edge = edge_for(options, p, on_gpu);
  auto const name = [&](std::string const& what) {
    return fmt::format("{}, p = {}, {}^3, {}", on_gpu ? "GPU" : "core", p, edge, what);
  };
  double const straight = measure_fused(
      options, report, on_gpu, {name("straight"), cube_of_gas(edge, uniform_degree(p))}, p);
  double const low_storage = measure_fused(
      options, report, on_gpu, {name("straight, 2N"), cube_of_gas(edge, uniform_degree(p)), {}}, p);
  double const curved = measure_fused(
      options, report, on_gpu,
      {name("curved"), curved_cube_of_gas(edge, uniform_degree(p)), published, true}, p);
  report.note(fmt::format("2N {:.1f} %, curved {:.1f} % of straight", 100 * low_storage / straight,
                          100 * curved / straight));
  if (p < spectral::most_degree) {
    for (Mixed const& mixed : mixed_degrees(p)) {
      double const rate =
          measure_fused(options, report, on_gpu,
                        {name(mixed.name), cube_of_gas(edge, mixed.degree)}, p + mixed.higher);
      report.note(fmt::format("{:.1f} % of uniform", 100 * rate / straight));
    }
  }
  if (p < 1 || p > 6 || options.precision != "double") return;
  for (int const version : {2, 1}) {
    double const plain = measure_unfused(options, report, on_gpu, unfused(3, p, edge, version),
                                         name(fmt::format("published, v{}", version)));
    report.note(fmt::format("fused {:.2f} times as fast", straight / plain));
  }
}

}  // namespace

void measure_degrees(SpectralOptions const& options, SpectralReport& report) {
  report.begin("degrees", "Kernels in a loop: cubes of equal elements, 3-D, " + options.precision);
  for (bool const on_gpu : {true, false}) {
    if (!takes(options, report, on_gpu)) continue;
    for (int const p : options.degrees) measure_degree(options, report, on_gpu, p);
  }
}

void measure_published_meshes(SpectralOptions const& options, SpectralReport& report) {
  struct Published {
    char const* name;
    int dimension;
    std::int32_t cells[3];
    bool on_gpu;
  };
  constexpr Published meshes[] = {{"M1", 2, {128, 128, 1}, false},
                                  {"M2", 3, {25, 25, 3}, false},
                                  {"M3", 2, {512, 512, 1}, true},
                                  {"M4", 3, {30, 30, 30}, true}};
  report.begin("published", "The published meshes, 2 to 6 the degree, double");
  for (Published const& mesh : meshes) {
    for (int const p : options.degrees) {
      if (p < 2 || p > 6) continue;
      for (bool const on_gpu : {false, true}) {
        // A core's speed does not depend on the mesh, so M3 and M4 are left to the GPU.
        if (!takes(options, report, on_gpu) || (!on_gpu && mesh.on_gpu)) continue;
        auto const name = [&](std::string const& what) {
          return fmt::format("{}, {}, p = {}, {}", mesh.name, on_gpu ? "GPU" : "core", p, what);
        };
        SpectralOptions wide = options;
        wide.precision = "double";
        double const fused = measure_fused(
            wide, report, on_gpu,
            {name("fused"), box_of_gas(mesh.dimension, mesh.cells, uniform_degree(p))}, p);
        double published_rate[3] = {};
        for (int const version : {1, 2}) {
          UnfusedCase const with{
              mesh.dimension, p, {mesh.cells[0], mesh.cells[1], mesh.cells[2]}, version};
          published_rate[version] =
              measure_unfused(wide, report, on_gpu, with, name(fmt::format("v{}", version)));
        }
        report.note(fmt::format("time of v2 {:.0f} % of v1's, fused {:.0f} %",
                                100 * published_rate[1] / published_rate[2],
                                100 * published_rate[1] / fused));
      }
    }
  }
}

void measure_layouts(SpectralOptions const& options, SpectralReport& report) {
  report.begin("layouts", "Published kernels, v2, by layout, double");
  for (bool const on_gpu : {true, false}) {
    if (!takes(options, report, on_gpu)) continue;
    for (int const p : options.degrees) {
      if (p < 1 || p > 6) continue;
      UnfusedCase with = unfused(3, p, edge_for(options, p, on_gpu), 2);
      for (auto const layout : {UnfusedLayout::variables_first, UnfusedLayout::points_first}) {
        with.layout = layout;
        measure_unfused(
            options, report, on_gpu, with,
            fmt::format("{}, p = {}, {} first", on_gpu ? "GPU" : "core", p,
                        layout == UnfusedLayout::points_first ? "points" : "variables"));
      }
    }
  }
}

void measure_routines(SpectralOptions const& options, SpectralReport& report) {
  report.begin("routines", "Shares of time of the published routines, v2 and v1, one core, double");
  for (int const dimension : {2, 3}) {
    for (int const version : {2, 1}) {
      for (int const p : options.degrees) {
        if (p < 1 || p > 6) continue;
        double const points = options.points > 0 ? options.points : 2e5;
        auto const edge =
            static_cast<std::int32_t>(std::lround(std::pow(points, 1.0 / dimension) / (p + 1)));
        UnfusedCase const with = unfused(dimension, p, std::max(edge, 2), version);
        auto const runner = unfused_on_core(with);
        double const seconds = seconds_a_stage(*runner, options.repeats, 4);
        double all = 0;
        for (UnfusedPart const part : parts_of(version)) all += runner->seconds_of(part);
        std::string shares;
        nlohmann::ordered_json json;
        for (UnfusedPart const part : parts_of(version)) {
          char const* const name = unfused_part_names[static_cast<std::size_t>(part)];
          double const share = runner->seconds_of(part) / all;
          shares += fmt::format("{}{} {:.0f} %", shares.empty() ? "" : ", ", name, 100 * share);
          json[name] = share;
        }
        report.line(fmt::format("core, {}-D, v{}, p = {}", dimension, version, p), false,
                    with.points(), seconds, 8 * unfused_values(dimension, p, version),
                    {{"shares", json}});
        report.note(shares);
      }
    }
  }
}

int bench_spectral(SpectralOptions const& options) {
  bool const on_gpu = choose_gpus(options.workers.gpus) > 0;
  double const core_copy = copy_on_cores(1);
  SpectralReport report(on_gpu ? copy_on_gpu() : 0, core_copy);
  fmt::print("copy, read and written: {}one core {:.1f} GB/s; median of {}\n",
             on_gpu ? fmt::format("GPU {:.0f} GB/s, ", report.copy(true)) : "", core_copy,
             options.repeats);
  report.json() = {{"copy_gbs", report.copy(true)}, {"core_copy_gbs", core_copy}};
  auto const wanted = [&](std::string const& part) {
    return options.parts.empty() || std::ranges::find(options.parts, part) != options.parts.end();
  };
  using Measure = void (*)(SpectralOptions const&, SpectralReport&);
  constexpr Measure measures[] = {measure_degrees, measure_published_meshes,
                                  measure_layouts, measure_routines,
                                  measure_tasks,   measure_workers};
  for (std::size_t i = 0; i < spectral_parts.size(); ++i) {
    if (wanted(spectral_parts[i])) measures[i](options, report);
  }
  if (!options.json.empty()) write_whole_file(options.json, report.json().dump(2) + "\n");
  return done;
}

}  // namespace tessera

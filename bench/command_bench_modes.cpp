// SPDX-License-Identifier: MIT
// The sub-commands of `tessera bench`: what the literature measured on a GPU, and the balance.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <vector>

#include "app/options.hpp"
#include "bench/bench_modes.hpp"
#include "bench/dense_tile.hpp"
#include "bench/gpu_modes.hpp"
#include "bench/hybrid_modes.hpp"
#include "lattice/errors.hpp"

namespace tessera {
namespace {

/// Edges of cubes in voxels: what may be asked for, and what is measured by default.
struct Sizes {
  std::int64_t usual;
  std::int64_t largest;
};
constexpr std::int64_t smallest = 16;
constexpr Sizes arrays{384, 1024};  // 32-bit numbers of nodes
constexpr Sizes cubes{256, longest_tile_edge};
constexpr Sizes many_cubes{448, 448};

struct Mode {
  char const* name;
  char const* description;
  Sizes sizes;
  int (*run)(GpuBenchOptions const&);
};
constexpr Mode modes[] = {
    {"transfers", "GPU: time of reading and writing 1 to 19 arrays", arrays, bench_transfers},
    {"alignment", "GPU: 19 arrays, reads or writes shifted along x", arrays, bench_alignment},
    {"layout", "GPU: array of structures, structure of arrays, Tessera", cubes, bench_layout},
    {"threads", "GPU: dense step with 32 to 1024 threads a block", cubes, bench_threads},
    {"domains", "GPU: cubes from 16 voxels up to --size", many_cubes, bench_domains},
    {"collision", "GPU: BGK and TRT, Stokes and Navier-Stokes, single and double", cubes,
     bench_collision},
};

int run(Mode const& mode, GpuBenchOptions const& options) {
  if (options.size < smallest || options.size > mode.sizes.largest) {
    throw BadInput(
        fmt::format("--size {}: expected {} to {}", options.size, smallest, mode.sizes.largest));
  }
  if (options.repeats < 1)
    throw BadInput(fmt::format("--repeats {}: expected a positive number", options.repeats));
  return mode.run(options);
}

/// The modes that measure the balance.
struct HybridMode {
  char const* name;
  char const* description;
  std::int64_t usual_size;
  double usual_seconds;
  bool cores_only;
  bool takes_tiles;
  int (*run)(HybridOptions const&);
};
constexpr HybridMode hybrid_modes[] = {
    {"hybrid", "GPUs alone, cores alone, both; every share of the cores", 640, 1, false, false,
     bench_hybrid},
    {"drift", "Cores, one of which has to share its time from half of the run on", 192, 3, true,
     true, bench_drift},
    {"cuts", "Cores, and tiles cut in four ways", 192, 1, true, true, bench_cuts},
    {"policies", "One rock under each balance and scheduling policy", 384, 0.3, false, true,
     bench_policies},
};

Command add_hybrid_mode(CLI::App& command, HybridMode const& mode) {
  auto const o = std::make_shared<HybridOptions>();
  o->size = mode.usual_size;
  o->seconds = mode.usual_seconds;
  command.add_option("--size", o->size, "Edge of the cube in voxels")->capture_default_str();
  command.add_option("--porosity", o->porosity, "Its porosity")->capture_default_str();
  command.add_option("--precision", o->precision, "half, single or double")->capture_default_str();
  command.add_option(
      "--gpus", o->workers.gpus,
      mode.cores_only ? "0: no GPU takes part" : "GPUs to use (default: all there are)");
  command.add_option("--cores", o->workers.cores, "Cores to use (default: all that may help)");
  if (mode.takes_tiles)
    command.add_option("--tiles", o->tiles, "Tiles (0: chosen)")->capture_default_str();
  command.add_option("--seconds", o->seconds, "Time of one repeat (drift: of half of one)")
      ->capture_default_str();
  command.add_option("--repeats", o->repeats, "Repeats; the median counts")->capture_default_str();
  command.add_option("--json", o->json, "File for the figures");
  return [o, &mode] {
    if (o->size < smallest)
      throw BadInput(fmt::format("--size {}: expected {} or more", o->size, smallest));
    if (!(o->porosity > 0 && o->porosity < 1))
      throw BadInput(fmt::format("--porosity {}: expected 0 < porosity < 1", o->porosity));
    require_positive("--seconds", o->seconds);
    require_positive("--repeats", o->repeats);
    if (o->tiles < 0)
      throw BadInput(fmt::format("--tiles {}: expected 0 or a positive number", o->tiles));
    parse_precision(o->precision);
    if (mode.cores_only) {
      if (o->workers.gpus > 0) {
        throw BadInput(
            fmt::format("--gpus {}: expected 0, {} measures cores", o->workers.gpus, mode.name));
      }
      o->workers.gpus = 0;
    }
    check_workers(o->workers);
    return mode.run(*o);
  };
}

}  // namespace

Command add_bench_modes(CLI::App& bench, Command const& otherwise) {
  std::vector<std::pair<CLI::App*, Command>> commands;
  for (Mode const& mode : modes) {
    CLI::App* const command = bench.add_subcommand(mode.name, mode.description);
    auto const o = std::make_shared<GpuBenchOptions>();
    o->size = mode.sizes.usual;
    command->add_option("--size", o->size, "Edge of the cube in voxels")->capture_default_str();
    command->add_option("--repeats", o->repeats, "Repeats; the median counts")
        ->capture_default_str();
    command->add_option("--json", o->json, "File for the figures");
    commands.emplace_back(command, [&mode, o] { return run(mode, *o); });
  }
  for (HybridMode const& mode : hybrid_modes) {
    CLI::App* const command = bench.add_subcommand(mode.name, mode.description);
    commands.emplace_back(command, add_hybrid_mode(*command, mode));
  }
  bench.require_subcommand(0, 1);
  return [&bench, commands, otherwise] {
    for (auto const& [command, run_mode] : commands) {
      if (!command->parsed()) continue;
      for (CLI::Option const* const option : bench.get_options()) {
        if (option->count() > 0) {
          throw BadInput(fmt::format("{} before {}: expected options behind it", option->get_name(),
                                     command->get_name()));
        }
      }
      return run_mode();
    }
    return otherwise();
  };
}

}  // namespace tessera

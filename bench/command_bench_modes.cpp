// SPDX-License-Identifier: MIT
// The sub-commands of `tessera bench`, which measure on a GPU what the literature measured.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <vector>

#include "bench/bench_modes.hpp"
#include "bench/dense_tile.hpp"
#include "bench/gpu_modes.hpp"
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

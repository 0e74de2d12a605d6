// SPDX-License-Identifier: MIT
// The sub-commands of `tessera bench`: what the literature measured on a GPU, and the balance.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/errors.hpp"
#include "base/ranks/ranks.hpp"
#include "bench/commands.hpp"
#include "bench/competitor.hpp"
#include "bench/literature/lattice/dense_tile.hpp"
#include "bench/literature/lattice/gpu_modes.hpp"
#include "bench/literature/spectral/spectral_modes.hpp"
#include "bench/modes/hybrid_modes.hpp"
#include "bench/modes/mode_answer.hpp"
#include "bench/modes/mode_tiles.hpp"
#include "geometry/generate.hpp"
#include "run/cli/options.hpp"

namespace tessera {
namespace {

/// Edges of cubes in voxels: what may be asked for, and what is measured by default.
struct Sizes {
  std::int64_t usual;
  std::int64_t largest;
};
constexpr std::int64_t smallest_edge = 16;
constexpr std::int64_t smallest_cavity = 8;
constexpr Sizes edges_of_arrays{384, 1024};  // 32-bit numbers of nodes
constexpr Sizes edges_of_cubes{256, longest_tile_edge};
constexpr Sizes many_cubes{448, 448};

struct Mode {
  char const* name;
  char const* description;
  Sizes sizes;
  int (*run)(GpuBenchOptions const&);
};
constexpr Mode modes[] = {
    {"transfers", "GPU: time of reading and writing 1 to 19 arrays", edges_of_arrays,
     bench_transfers},
    {"alignment", "GPU: 19 arrays, reads or writes shifted along x", edges_of_arrays,
     bench_alignment},
    {"layout", "GPU: array of structures, structure of arrays, Tessera", edges_of_cubes,
     bench_layout},
    {"threads", "GPU: dense step with 32 to 1024 threads a block", edges_of_cubes, bench_threads},
    {"domains", "GPU: cubes from 16 voxels up to --size", many_cubes, bench_domains},
    {"collision", "GPU: BGK and TRT, Stokes and Navier-Stokes, single and double", edges_of_cubes,
     bench_collision},
};

int run(Mode const& mode, GpuBenchOptions const& options) {
  if (options.size < smallest_edge || options.size > mode.sizes.largest) {
    throw BadInput(fmt::format("--size {}: expected {} to {}", options.size, smallest_edge,
                               mode.sizes.largest));
  }
  if (options.repeats < 1)
    throw BadInput(fmt::format("--repeats {}: expected a positive number", options.repeats));
  return mode.run(options);
}

/// On whom a mode that measures the balance can run.
enum class Takes : std::uint8_t {
  gpus_and_cores,
  gpus_or_cores,  ///< two GPUs at least
  cores,
};

/// What is measured unless the user says otherwise.
struct Usual {
  std::int64_t size;
  double seconds;
  int repeats;
};

struct HybridMode {
  char const* name;
  char const* description;
  Takes takes;
  bool takes_tiles;
  Usual usual;
  Usual usual_on_gpus;
  int (*run)(HybridOptions const&);
};
constexpr HybridMode hybrid_modes[] = {
    {"hybrid",
     "GPUs alone, cores alone, both; every share of the cores",
     Takes::gpus_and_cores,
     false,
     {640, 1, 3},
     {640, 1, 3},
     bench_hybrid},
    {"drift",
     "GPUs or cores, one of which has to share its time from half of the run on",
     Takes::gpus_or_cores,
     true,
     {192, 3, 3},
     {512, 3, 1},
     bench_drift},
    {"cuts",
     "Cores, and tiles cut in four ways",
     Takes::cores,
     true,
     {192, 1, 3},
     {192, 1, 3},
     bench_cuts},
    {"policies",
     "One rock under each balance and scheduling policy",
     Takes::gpus_and_cores,
     true,
     {384, 0.3, 3},
     {384, 0.3, 3},
     bench_policies},
    {"insitu",
     "GPUs or cores, and a snapshot every 100 steps that is read as a whole",
     Takes::gpus_and_cores,
     true,
     {192, 3, 3},
     {640, 3, 5},
     bench_insitu},
    {"models",
     "GPUs or cores: each velocity set, collision operator and equilibrium",
     Takes::gpus_and_cores,
     false,
     {128, 0.3, 3},
     {400, 0.3, 3},
     bench_models},
};

/// Throws BadInput for workers that the mode cannot take, or that are not there.
WorkersAsked workers_of(HybridMode const& mode, WorkersAsked asked) {
  if (mode.takes == Takes::cores) {
    if (asked.gpus > 0) {
      throw BadInput(
          fmt::format("--gpus {}: expected 0, {} measures cores", asked.gpus, mode.name));
    }
    asked.gpus = 0;
  }
  if (mode.takes == Takes::gpus_or_cores) {
    if (asked.gpus == 1) {
      throw BadInput(fmt::format(
          "--gpus 1: expected 0 or at least 2, {} measures what others take over", mode.name));
    }
    if (asked.gpus > 0 && asked.cores >= 0) {
      throw BadInput(
          fmt::format("--cores {}: expected no cores beside --gpus {}", asked.cores, asked.gpus));
    }
    if (asked.gpus < 0) {
      int const present = asked.cores < 0 ? choose_gpus(-1) : 0;
      asked.gpus = present > 1 ? present : 0;
    }
  }
  check_workers(asked);
  return asked;
}

/// Those that every mode takes with the same meaning.
void add_measuring_options(CLI::App& command, MeasuringOptions& o) {
  command.add_option("--precision", o.precision, "half, single or double")->capture_default_str();
  command.add_option("--cores", o.workers.cores, "Cores to use (default: all that may help)");
  command.add_option("--json", o.json, "File for the figures");
}

Command add_hybrid_mode(CLI::App& command, HybridMode const& mode) {
  struct Asked {
    HybridOptions options;
    std::optional<std::int64_t> size;
    std::optional<double> seconds;
    std::optional<int> repeats;
  };
  auto const asked = std::make_shared<Asked>();
  HybridOptions& o = asked->options;
  auto const usual = [&](auto on_cores, auto on_gpus) {
    return on_cores == on_gpus ? fmt::format("(default: {})", on_cores)
                               : fmt::format("(default: {}, on GPUs {})", on_cores, on_gpus);
  };
  Usual const& on_cores = mode.usual;
  Usual const& on_gpus = mode.usual_on_gpus;
  command.add_option("--size", asked->size,
                     "Edge of the cube in voxels " + usual(on_cores.size, on_gpus.size));
  command.add_option("--porosity", o.porosity, "Its porosity")->capture_default_str();
  constexpr char const* gpus[] = {"GPUs to use (default: all there are)",
                                  "GPUs to use (default: all, if there are two), or 0",
                                  "0: no GPU takes part"};
  command.add_option("--gpus", o.workers.gpus, gpus[static_cast<int>(mode.takes)]);
  if (mode.takes_tiles)
    command.add_option("--tiles", o.tiles, "Tiles (0: chosen)")->capture_default_str();
  command.add_option(
      "--seconds", asked->seconds,
      "Time of one repeat (drift: of half of one) " + usual(on_cores.seconds, on_gpus.seconds));
  command.add_option("--repeats", asked->repeats,
                     "Repeats; the median counts " + usual(on_cores.repeats, on_gpus.repeats));
  add_measuring_options(command, o);
  return [asked, &mode] {
    HybridOptions options = asked->options;
    if (asked->size && *asked->size < smallest_edge)
      throw BadInput(fmt::format("--size {}: expected {} or more", *asked->size, smallest_edge));
    if (!(options.porosity > 0 && options.porosity < 1))
      throw BadInput(fmt::format("--porosity {}: expected 0 < porosity < 1", options.porosity));
    if (asked->seconds) require_positive("--seconds", *asked->seconds);
    if (asked->repeats) require_positive("--repeats", *asked->repeats);
    if (options.tiles < 0)
      throw BadInput(fmt::format("--tiles {}: expected 0 or a positive number", options.tiles));
    parse_precision(options.precision);
    options.workers = workers_of(mode, options.workers);
    Usual const& unsaid = options.workers.gpus == 0 ? mode.usual : mode.usual_on_gpus;
    options.size = asked->size.value_or(unsaid.size);
    options.seconds = asked->seconds.value_or(unsaid.seconds);
    options.repeats = asked->repeats.value_or(unsaid.repeats);
    return mode.run(options);
  };
}

Command add_coprocessor_mode(CLI::App& command) {
  auto const o = std::make_shared<CavityOptions>();
  o->sizes = {32, 64, 96, 128, 160, 192};
  o->precision = "double";
  command.add_option("--size", o->sizes, "Edges of the boxes in cells, two at least")
      ->delimiter(',')
      ->capture_default_str();
  command.add_option("--gpus", o->workers.gpus, "1, or 0 (default: 1 if there is one)");
  command.add_option("--repeats", o->repeats, "Repeats; the median counts")->capture_default_str();
  add_measuring_options(command, *o);
  return [o] {
    for (std::int64_t const size : o->sizes) {
      if (size < smallest_cavity || size > longest_tile_edge) {
        throw BadInput(
            fmt::format("--size {}: expected {} to {}", size, smallest_cavity, longest_tile_edge));
      }
    }
    if (o->sizes.size() < 2)
      throw BadInput(
          fmt::format("--size {}: expected two sizes or more, which a line is laid through",
                      fmt::join(o->sizes, ",")));
    if (parse_precision(o->precision) == Precision::half_storage)
      throw BadInput("--precision half: expected single or double");
    require_positive("--repeats", o->repeats);
    check_workers(o->workers);
    return bench_coprocessor(*o);
  };
}

Command add_cavity_mode(CLI::App& command) {
  auto const o = std::make_shared<CavityOptions>();
  o->seconds = 0.5;
  command.add_option("--size", o->sizes, "Edges of the boxes in voxels")
      ->delimiter(',')
      ->capture_default_str();
  command.add_option("--gpus", o->workers.gpus,
                     "1, or 0: a core in its place (default: 1 if there is one)");
  command.add_option("--seconds", o->seconds, "Time of one repeat")->capture_default_str();
  command.add_option("--repeats", o->repeats, "Repeats; the median counts")->capture_default_str();
  add_measuring_options(command, *o);
  return [o] {
    for (std::int64_t const size : o->sizes) {
      if (size < smallest_cavity || size > longest_tile_edge) {
        throw BadInput(
            fmt::format("--size {}: expected {} to {}", size, smallest_cavity, longest_tile_edge));
      }
    }
    require_positive("--seconds", o->seconds);
    require_positive("--repeats", o->repeats);
    parse_precision(o->precision);
    check_workers(o->workers);
    return bench_cavity(*o);
  };
}

Command add_ranks_mode(CLI::App& command) {
  struct Asked {
    RanksOptions options;
    std::string rock = "both";
  };
  auto const asked = std::make_shared<Asked>();
  RanksOptions& o = asked->options;
  o.seconds = 0.5;
  command.add_option("--size", o.size, "Edge of the cube in voxels")->capture_default_str();
  command.add_option("--porosity", o.porosity, "Its porosity")->capture_default_str();
  command
      .add_option("--rock", asked->rock,
                  "strong: a cube for all processes; weak: one for each of their GPUs (without "
                  "GPUs, for each core), one behind the other; both")
      ->check(CLI::IsMember({"strong", "weak", "both"}))
      ->capture_default_str();
  command.add_option("--gpus", o.workers.gpus, "GPUs of each process (default: its share)");
  command.add_option("--cores", o.cores,
                     "Cores of each process: a number, or auto: those that help (default: auto)");
  command.add_option("--tiles", o.tiles, "Tiles of all processes (0: chosen)")
      ->capture_default_str();
  command.add_option("--precision", o.precision, "half, single or double")->capture_default_str();
  command.add_option("--seconds", o.seconds, "Time of one repeat")->capture_default_str();
  command.add_option("--repeats", o.repeats, "Repeats; the median counts")->capture_default_str();
  command.add_option("--json", o.json, "File for the figures");
  return [asked] {
    RanksOptions& options = asked->options;
    if (options.size < smallest_edge || options.size > longest_generated_side) {
      throw BadInput(fmt::format("--size {}: expected {} to {}", options.size, smallest_edge,
                                 longest_generated_side));
    }
    if (!(options.porosity > 0 && options.porosity < 1))
      throw BadInput(fmt::format("--porosity {}: expected 0 < porosity < 1", options.porosity));
    require_positive("--seconds", options.seconds);
    require_positive("--repeats", options.repeats);
    if (options.tiles < 0)
      throw BadInput(fmt::format("--tiles {}: expected 0 or a positive number", options.tiles));
    parse_precision(options.precision);
    options.strong = asked->rock != "weak";
    options.weak = asked->rock != "strong";
    return bench_ranks(options);
  };
}

Command add_answer_mode(CLI::App& command) {
  auto const o = std::make_shared<AnswerOptions>();
  command.add_option(
      "image", o->image,
      "An image and the options that it needs, behind --: berea.raw --shape 400,400,400 "
      "(default: overlapping spheres)");
  command.add_option("--size", o->sizes, "Edges of the spheres' boxes in voxels")
      ->delimiter(',')
      ->capture_default_str();
  command.add_option("--radius", o->radius, "Of the spheres, voxels")->capture_default_str();
  command.add_option("--porosity", o->porosity, "Of the spheres' boxes")->capture_default_str();
  command.add_option("--solver", o->solvers, "One or more of steps, minres, auto")
      ->delimiter(',')
      ->check(CLI::IsMember({"steps", "minres", "auto"}))
      ->capture_default_str();
  command.add_option("--tolerance", o->tolerance, "Relative solver error of the permeability")
      ->capture_default_str();
  command.add_option("--gpus", o->gpus, "As of tessera permeability (default: all there are)");
  command.add_option("--cores", o->cores, "Cores, as of tessera permeability");
  command.add_flag("--fields", o->fields, "Write the fields as well");
  command.add_option("--json", o->json, "File for the figures");
  return [o] {
    for (std::int64_t const size : o->sizes) {
      if (size < smallest_edge || size > longest_generated_side)
        throw BadInput(fmt::format("--size {}: expected {} to {}", size, smallest_edge,
                                   longest_generated_side));
    }
    require_between("--tolerance", o->tolerance, 1e-15, 0.5);
    return bench_answer(*o);
  };
}

Command add_spectral_mode(CLI::App& command) {
  auto const o = std::make_shared<SpectralOptions>();
  o->precision = "double";
  command
      .add_option("--part", o->parts,
                  fmt::format("One or more of {} (default: all)", fmt::join(spectral_parts, ", ")))
      ->delimiter(',')
      ->check(CLI::IsMember(spectral_parts));
  command.add_option("--degree", o->degrees, "Degrees of the elements")
      ->delimiter(',')
      ->capture_default_str();
  command.add_option("--points", o->points,
                     "Points of a mesh, about (default: 4e6 to 8e6 on GPUs, 2e5 on a core)");
  command.add_option("--gpus", o->workers.gpus, "GPUs to use (default: all there are), or 0");
  command.add_flag("--gpu-only", o->gpu_only, "Nothing on a core, if there is a GPU");
  command.add_option("--repeats", o->repeats, "Repeats; the median counts")->capture_default_str();
  add_measuring_options(command, *o);
  return [o] {
    for (int const degree : o->degrees) {
      if (degree < 0 || degree > spectral::most_degree)
        throw BadInput(fmt::format("--degree {}: expected 0 to {}", degree, spectral::most_degree));
    }
    if (o->precision != "double" && o->precision != "single")
      throw BadInput(fmt::format("--precision {}: expected single or double", o->precision));
    require_positive("--repeats", o->repeats);
    check_workers(o->workers);
    return bench_spectral(*o);
  };
}

Command add_tiles_mode(CLI::App& command) {
  auto const o = std::make_shared<TilesOptions>();
  o->image.add_to(command);
  command.get_option("image")->required(false);
  command.option_defaults()->group("Options");
  command.add_option("--repeat", o->repeat, "Copies of the rock along x, y, z")
      ->capture_default_str();
  command.add_option("--size", o->size, "Without an image: voxels X,Y,Z of overlapping spheres")
      ->capture_default_str();
  command.add_option("--radius", o->radius, "Of the spheres, voxels")->capture_default_str();
  command.add_option("--porosity", o->porosity, "Of their box")->capture_default_str();
  Cluster& cluster = o->cluster;
  command.add_option("--gpus", cluster.gpus, "Of all processes; they need not be there")
      ->capture_default_str();
  command.add_option("--ranks", cluster.ranks, "Processes")->capture_default_str();
  command.add_flag("--among-others", cluster.among_others,
                   "Beyond the faces of the box other processes go on");
  command.add_flag("--compact", cluster.compact, "Cut by METIS alone, whatever a run would do");
  command.add_option("--tiles", o->tiles, "Of all GPUs (0: chosen)")->capture_default_str();
  command.add_option("--precision", o->precision, "half, single or double")->capture_default_str();
  command.add_option("--json", o->json, "File for tiles and exchanges")->required();
  return [o] {
    require_positive("--radius", o->radius);
    if (!(o->porosity > 0 && o->porosity < 1))
      throw BadInput(fmt::format("--porosity {}: expected 0 < porosity < 1", o->porosity));
    return bench_tiles(*o);
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
  CLI::App* const cavity = bench.add_subcommand(
      "cavity", "A closed box in 27 sub-domains, the centre on a GPU and the others on cores");
  commands.emplace_back(cavity, add_cavity_mode(*cavity));
  CLI::App* const beside = bench.add_subcommand(
      "coprocessor", "A box of another program's lattice, its envelopes sent in every step");
  commands.emplace_back(beside, add_coprocessor_mode(*beside));
  CLI::App* const ranks = bench.add_subcommand(
      "ranks", "Several processes (under mpirun): a step, its parts, and what messages cost it");
  commands.emplace_back(ranks, add_ranks_mode(*ranks));
  CLI::App* const waiting = bench.add_subcommand(
      "answer", "The wall time from command to k and its parts: steps against iterations");
  commands.emplace_back(waiting, add_answer_mode(*waiting));
  CLI::App* const spectral = bench.add_subcommand(
      "spectral", "A gas by spectral differences: kernels, the published ones beside, task graph");
  commands.emplace_back(spectral, add_spectral_mode(*spectral));
  CLI::App* const tiles = bench.add_subcommand(
      "tiles", "The tiles of a rock and what they exchange, for bench/simulate.sh");
  commands.emplace_back(tiles, add_tiles_mode(*tiles));
  CLI::App* const competitor = bench.add_subcommand(competitor_command);
  competitor->group("");  // for drift only: --help does not show it
  commands.emplace_back(competitor, compete_on_gpu);
  bench.require_subcommand(0, 1);
  return [&bench, ranks, commands, otherwise] {
    if (!ranks->parsed()) Ranks::expect_alone("bench");
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

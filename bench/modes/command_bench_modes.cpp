// SPDX-License-Identifier: MIT
// The sub-commands of `tessera bench`: a table of modes, each with its groups of options.
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
#include "bench/modes/checked_options.hpp"
#include "bench/modes/hybrid_modes.hpp"
#include "bench/modes/mode_answer.hpp"
#include "bench/modes/mode_tiles.hpp"
#include "codelets/lattice/collide_stream.hpp"
#include "geometry/generate.hpp"
#include "interfaces/cli/values.hpp"

namespace tessera {
namespace {

constexpr std::int64_t smallest_edge = 16;
constexpr std::int64_t smallest_cavity = 8;
constexpr std::int64_t longest_array = 1024;  // 32-bit numbers of nodes

/// What literature measured on a GPU, of cubes; `usual` and `longest` are their edges in voxels.
template <int (*run)(GpuBenchOptions const&), std::int64_t usual, std::int64_t longest>
Command add_gpu_mode(CLI::App& command) {
  auto const o = std::make_shared<GpuBenchOptions>();
  o->size = usual;
  CheckedOptions options(command);
  options.size(o->size, {smallest_edge, longest}, "Edge of the cube in voxels");
  options.repeats(o->repeats);
  options.json(o->json);
  return [o, options] {
    options.check();
    return run(*o);
  };
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
  Takes takes;
  bool takes_tiles;
  Usual usual;
  Usual usual_on_gpus;
  int (*run)(HybridOptions const&);
  bool takes_halo;
};
constexpr HybridMode hybrid_mode{"hybrid",    Takes::gpus_and_cores, false,
                                 {640, 1, 3}, {640, 1, 3},           bench_hybrid};
constexpr HybridMode drift_mode{"drift",     Takes::gpus_or_cores, true,
                                {192, 3, 3}, {512, 3, 1},          bench_drift};
constexpr HybridMode cuts_mode{"cuts", Takes::cores, true, {192, 1, 3}, {192, 1, 3}, bench_cuts};
constexpr HybridMode policies_mode{"policies",    Takes::gpus_and_cores, true,
                                   {384, 0.3, 3}, {384, 0.3, 3},         bench_policies};
constexpr HybridMode halo_mode{
    "halo", Takes::gpus_and_cores, true, {192, 1, 5}, {640, 1, 5}, bench_halo, true};
constexpr HybridMode insitu_mode{"insitu",    Takes::gpus_and_cores, true,
                                 {192, 3, 3}, {640, 3, 5},           bench_insitu};
constexpr HybridMode models_mode{"models",      Takes::gpus_and_cores, false,
                                 {128, 0.3, 3}, {400, 0.3, 3},         bench_models};

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

Command add_hybrid_mode(CLI::App& command, HybridMode const& mode) {
  struct Asked {
    HybridOptions options;
    std::optional<std::int64_t> size;
    std::optional<double> seconds;
    std::optional<int> repeats;
  };
  auto const asked = std::make_shared<Asked>();
  HybridOptions& o = asked->options;
  CheckedOptions options(command);
  auto const usual = [&](auto on_cores, auto on_gpus) {
    return on_cores == on_gpus ? fmt::format("(default: {})", on_cores)
                               : fmt::format("(default: {}, on GPUs {})", on_cores, on_gpus);
  };
  Usual const& on_cores = mode.usual;
  Usual const& on_gpus = mode.usual_on_gpus;
  command.add_option("--size", asked->size,
                     "Edge of the cube in voxels " + usual(on_cores.size, on_gpus.size));
  options.porosity(o.porosity, "Its porosity");
  constexpr char const* gpus[] = {"GPUs to use (default: all there are)",
                                  "GPUs to use (default: all, if there are two), or 0",
                                  "0: no GPU takes part"};
  command.add_option("--gpus", o.workers.gpus, gpus[static_cast<int>(mode.takes)]);
  if (mode.takes_halo)
    command.add_option("--halo", o.halo, "fused or task: this one only (default: both, by turns)");
  if (mode.takes_tiles) options.tiles(o.tiles, "Tiles (0: chosen)");
  command.add_option(
      "--seconds", asked->seconds,
      "Time of one repeat (drift: of half of one) " + usual(on_cores.seconds, on_gpus.seconds));
  command.add_option("--repeats", asked->repeats,
                     "Repeats; the median counts " + usual(on_cores.repeats, on_gpus.repeats));
  options.measuring(o);
  return [asked, options, &mode] {
    options.check();
    if (asked->size && *asked->size < smallest_edge)
      throw BadInput(fmt::format("--size {}: expected {} or more", *asked->size, smallest_edge));
    if (asked->seconds) require_positive("seconds", *asked->seconds);
    if (asked->repeats) require_positive("repeats", *asked->repeats);
    HybridOptions chosen = asked->options;
    if (!chosen.halo.empty()) parse_name("halo", chosen.halo, halo_exchange_names);
    chosen.workers = workers_of(mode, chosen.workers);
    Usual const& unsaid = chosen.workers.gpus == 0 ? mode.usual : mode.usual_on_gpus;
    chosen.size = asked->size.value_or(unsaid.size);
    chosen.seconds = asked->seconds.value_or(unsaid.seconds);
    chosen.repeats = asked->repeats.value_or(unsaid.repeats);
    return mode.run(chosen);
  };
}

Command add_coprocessor_mode(CLI::App& command) {
  auto const o = std::make_shared<CavityOptions>();
  o->sizes = {32, 64, 96, 128, 160, 192};
  o->precision = "double";
  CheckedOptions options(command);
  options.sizes(o->sizes, {smallest_cavity, longest_tile_edge},
                "Edges of the boxes in cells, two at least");
  options.require([o] {
    if (o->sizes.size() < 2)
      throw BadInput(
          fmt::format("--size {}: expected two sizes or more, which a line is laid through",
                      fmt::join(o->sizes, ",")));
  });
  command.add_option("--gpus", o->workers.gpus, "1, or 0 (default: 1 if there is one)");
  options.repeats(o->repeats);
  options.measuring(*o, false);
  return [o, options] {
    options.check();
    check_workers(o->workers);
    return bench_coprocessor(*o);
  };
}

Command add_cavity_mode(CLI::App& command) {
  auto const o = std::make_shared<CavityOptions>();
  o->seconds = 0.5;
  CheckedOptions options(command);
  options.sizes(o->sizes, {smallest_cavity, longest_tile_edge}, "Edges of the boxes in voxels");
  command.add_option("--gpus", o->workers.gpus,
                     "1, or 0: a core in its place (default: 1 if there is one)");
  options.seconds(o->seconds);
  options.repeats(o->repeats);
  options.measuring(*o);
  return [o, options] {
    options.check();
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
  CheckedOptions options(command);
  options.size(o.size, {smallest_edge, longest_generated_side}, "Edge of the cube in voxels");
  options.porosity(o.porosity, "Its porosity");
  command
      .add_option("--rock", asked->rock,
                  "strong: a cube for all processes; weak: one for each of their GPUs (without "
                  "GPUs, for each core), one behind the other; both")
      ->check(CLI::IsMember({"strong", "weak", "both"}))
      ->capture_default_str();
  command.add_option("--gpus", o.workers.gpus, "GPUs of each process (default: its share)");
  command.add_option("--cores", o.cores,
                     "Cores of each process: a number, or auto: those that help (default: auto)");
  options.tiles(o.tiles, "Tiles of all processes (0: chosen)");
  options.precision(o.precision);
  options.seconds(o.seconds);
  options.repeats(o.repeats);
  options.json(o.json);
  return [asked, options] {
    options.check();
    asked->options.strong = asked->rock != "weak";
    asked->options.weak = asked->rock != "strong";
    return bench_ranks(asked->options);
  };
}

Command add_answer_mode(CLI::App& command) {
  auto const o = std::make_shared<AnswerOptions>();
  CheckedOptions options(command);
  command.add_option(
      "image", o->image,
      "An image and the options that it needs, behind --: berea.raw --shape 400,400,400 "
      "(default: overlapping spheres)");
  options.sizes(o->sizes, {smallest_edge, longest_generated_side},
                "Edges of the spheres' boxes in voxels");
  options.radius(o->radius);
  options.porosity(o->porosity, "Of the spheres' boxes");
  command.add_option("--solver", o->solvers, "One or more of steps, minres, auto")
      ->delimiter(',')
      ->check(CLI::IsMember({"steps", "minres", "auto"}))
      ->capture_default_str();
  command.add_option("--tolerance", o->tolerance, "Relative solver error of the permeability")
      ->capture_default_str();
  options.require([o] { require_between("tolerance", o->tolerance, 1e-15, 0.5); });
  command.add_option("--gpus", o->gpus, "As of tessera permeability (default: all there are)");
  command.add_option("--cores", o->cores, "Cores, as of tessera permeability");
  command.add_flag("--fields", o->fields, "Write the fields as well");
  options.json(o->json);
  return [o, options] {
    options.check();
    return bench_answer(*o);
  };
}

Command add_spectral_mode(CLI::App& command) {
  auto const o = std::make_shared<SpectralOptions>();
  o->precision = "double";
  CheckedOptions options(command);
  command
      .add_option("--part", o->parts,
                  fmt::format("One or more of {} (default: all)", fmt::join(spectral_parts, ", ")))
      ->delimiter(',')
      ->check(CLI::IsMember(spectral_parts));
  command.add_option("--degree", o->degrees, "Degrees of the elements")
      ->delimiter(',')
      ->capture_default_str();
  options.require([o] {
    for (int const degree : o->degrees) {
      if (degree < 0 || degree > spectral::most_degree)
        throw BadInput(fmt::format("--degree {}: expected 0 to {}", degree, spectral::most_degree));
    }
  });
  command.add_option("--points", o->points,
                     "Points of a mesh, about (default: 4e6 to 8e6 on GPUs, 2e5 on a core)");
  command.add_option("--gpus", o->workers.gpus, "GPUs to use (default: all there are), or 0");
  command.add_flag("--gpu-only", o->gpu_only, "Nothing on a core, if there is a GPU");
  options.repeats(o->repeats);
  options.measuring(*o, false);
  return [o, options] {
    options.check();
    check_workers(o->workers);
    return bench_spectral(*o);
  };
}

Command add_tiles_mode(CLI::App& command) {
  auto const o = std::make_shared<TilesOptions>();
  CheckedOptions options(command);
  o->image.add_to(command, o->labels);
  command.get_option("image")->required(false);
  command.option_defaults()->group("Options");
  command.add_option("--repeat", o->repeat, "Copies of the rock along x, y, z")
      ->capture_default_str();
  command.add_option("--size", o->size, "Without an image: voxels X,Y,Z of overlapping spheres")
      ->capture_default_str();
  options.radius(o->radius);
  options.porosity(o->porosity, "Of their box");
  Cluster& cluster = o->cluster;
  command.add_option("--gpus", cluster.gpus, "Of all processes; they need not be there")
      ->capture_default_str();
  command.add_option("--ranks", cluster.ranks, "Processes")->capture_default_str();
  command.add_flag("--among-others", cluster.among_others,
                   "Beyond the faces of the box other processes go on");
  command.add_flag("--compact", cluster.compact, "Cut by METIS alone, whatever a run would do");
  options.tiles(o->tiles, "Of all GPUs (0: chosen)");
  options.precision(o->precision);
  command.add_option("--json", o->json, "File for tiles and exchanges")->required();
  return [o, options] {
    options.check();
    return bench_tiles(*o);
  };
}

Command add_competitor(CLI::App& command) {
  command.group("");  // for drift only: --help does not show it
  return compete_on_gpu;
}

struct Mode {
  char const* name;
  char const* description;
  Command (*add)(CLI::App&);
};
constexpr Mode modes[] = {
    {"transfers", "GPU: time of reading and writing 1 to 19 arrays",
     add_gpu_mode<bench_transfers, 384, longest_array>},
    {"alignment", "GPU: 19 arrays, reads or writes shifted along x",
     add_gpu_mode<bench_alignment, 384, longest_array>},
    {"layout", "GPU: array of structures, structure of arrays, Tessera",
     add_gpu_mode<bench_layout, 256, longest_tile_edge>},
    {"threads", "GPU: dense step with 32 to 1024 threads a block",
     add_gpu_mode<bench_threads, 256, longest_tile_edge>},
    {"domains", "GPU: cubes from 16 voxels up to --size", add_gpu_mode<bench_domains, 448, 448>},
    {"collision", "GPU: BGK and TRT, Stokes and Navier-Stokes, single and double",
     add_gpu_mode<bench_collision, 256, longest_tile_edge>},
    {"hybrid", "GPUs alone, cores alone, both; every share of the cores",
     [](CLI::App& command) { return add_hybrid_mode(command, hybrid_mode); }},
    {"drift", "GPUs or cores, one of which has to share its time from half of the run on",
     [](CLI::App& command) { return add_hybrid_mode(command, drift_mode); }},
    {"cuts", "Cores, and tiles cut in four ways",
     [](CLI::App& command) { return add_hybrid_mode(command, cuts_mode); }},
    {"policies", "One rock under each balance and scheduling policy",
     [](CLI::App& command) { return add_hybrid_mode(command, policies_mode); }},
    {"halo", "Halos filled by the tasks of steps, and by tasks of their own",
     [](CLI::App& command) { return add_hybrid_mode(command, halo_mode); }},
    {"insitu", "GPUs or cores, and a snapshot every 100 steps that is read as a whole",
     [](CLI::App& command) { return add_hybrid_mode(command, insitu_mode); }},
    {"models", "GPUs or cores: each velocity set, collision operator and equilibrium",
     [](CLI::App& command) { return add_hybrid_mode(command, models_mode); }},
    {"cavity", "A closed box in 27 sub-domains, the centre on a GPU and the others on cores",
     add_cavity_mode},
    {"coprocessor", "A box of another program's lattice, its envelopes sent in every step",
     add_coprocessor_mode},
    {"ranks", "Several processes (under mpirun): a step, its parts, and what messages cost it",
     add_ranks_mode},
    {"answer", "The wall time from command to k and its parts: steps against iterations",
     add_answer_mode},
    {"spectral", "A gas by spectral differences: kernels, the published ones beside, task graph",
     add_spectral_mode},
    {"tiles", "The tiles of a rock and what they exchange, for bench/simulate.sh", add_tiles_mode},
    {competitor_command, "", add_competitor},
};

}  // namespace

Command add_bench_modes(CLI::App& bench, Command const& otherwise) {
  std::vector<std::pair<CLI::App*, Command>> commands;
  for (Mode const& mode : modes) {
    CLI::App* const command = bench.add_subcommand(mode.name, mode.description);
    commands.emplace_back(command, mode.add(*command));
  }
  bench.require_subcommand(0, 1);
  return [&bench, commands, otherwise] {
    if (!bench.get_subcommand("ranks")->parsed()) Ranks::expect_alone("bench");
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

// SPDX-License-Identifier: MIT
#include "permeability/permeability_options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <utility>

#include "base/errors.hpp"
#include "models/lattice/known_models.hpp"
#include "models/lattice/model_names.hpp"
#include "permeability/flows/stokes_run.hpp"
#include "run/checkpoint/checkpoints.hpp"

namespace tessera {
namespace {

template <class Choices>
auto one_of(std::string const& option, std::string const& name, Choices const& choices) {
  std::string names;
  for (auto const& [choice, value] : choices) {
    if (name == choice) return value;
    names += names.empty() ? "" : " or ";
    names += choice;
  }
  throw BadInput(fmt::format("{} {}: expected {}", option, name, names));
}

template <class Value>
auto one_of(std::string const& option, std::string const& name,
            std::initializer_list<std::pair<std::string_view, Value>> choices) {
  return one_of(option, name, std::vector(choices));
}

/// The operators, the default first.
std::string collisions_in_words() {
  std::vector<std::string_view> words = words_of(collision_names);
  auto const usual = std::ranges::find(words, PermeabilityOptions{}.collision);
  std::rotate(words.begin(), usual, usual + 1);
  return tessera::one_of(words);
}

/// The node update, if there is one.
FlowModel model_of(PermeabilityOptions const& o) {
  FlowModel model{.lattice = one_of("--lattice", o.lattice, lattice_names),
                  .collision = one_of("--collision", o.collision, collision_names)};
  model.equilibrium = o.equilibrium.empty()
                          ? usual_equilibrium(model.collision, Purpose::permeability)
                          : one_of("--equilibrium", o.equilibrium, equilibrium_names);
  if (is_known(model)) return model;
  std::string possible;
  for (FlowModel const& other : models_on(model.lattice)) {
    if (other.smagorinsky) continue;
    possible += fmt::format("{}{} {}", possible.empty() ? "" : ", ",
                            name_in(collision_names, other.collision),
                            name_in(equilibrium_names, other.equilibrium));
  }
  throw BadInput(fmt::format("--lattice {} --collision {} --equilibrium {}: expected one of {}",
                             o.lattice, o.collision, name_in(equilibrium_names, model.equilibrium),
                             possible));
}

}  // namespace

PermeabilityCase PermeabilityOptions::asked() const {
  PermeabilityOptions const& o = *this;
  if (o.periodic && o.mirror)
    throw BadInput("--periodic and --mirror exclude each other: choose one set-up");
  constexpr std::int64_t most_layers = 100'000;
  if (o.buffer_layers < 0 || o.buffer_layers > most_layers) {
    throw BadInput(
        fmt::format("--buffer-layers {}: expected 0 to {}", o.buffer_layers, most_layers));
  }
  if (o.solver != "steps" && o.solver != "minres" && o.solver != "auto")
    throw BadInput(fmt::format("--solver {}: expected auto, minres or steps", o.solver));
  if (o.refine != 0 && o.refine != 2 && o.refine != 3)
    throw BadInput(fmt::format("--refine {}: expected 2 or 3", o.refine));
  if (o.max_steps < 1)
    throw BadInput(fmt::format("--max-steps {}: expected 1 or more", o.max_steps));
  if (o.tiles && *o.tiles < 1)
    throw BadInput(fmt::format("--tiles {}: expected 1 or more", *o.tiles));
  if (o.steps_per_sweep && *o.steps_per_sweep < 1)
    throw BadInput(fmt::format("--steps-per-sweep {}: expected 1 or more", *o.steps_per_sweep));
  // Wider than anything that has a meaning; beyond, numbers overflow somewhere on the way.
  require_between("--magic", o.magic, 1e-6, 1e6);
  require_between("--tolerance", o.tolerance, 1e-15, 0.5);
  require_between("--viscosity", o.fluid.kinematic_viscosity, 1e-12, 1e6, "m^2/s");
  require_between("--density", o.fluid.density, 1e-6, 1e6, "kg/m^3");
  if (o.body_force) require_between("--body-force", *o.body_force, 1e-30, 1e3);
  constexpr double longest_relaxation = 1e3;
  if (o.relaxation_time &&
      !(*o.relaxation_time > 0.5 && *o.relaxation_time <= longest_relaxation)) {
    throw BadInput(
        fmt::format("--relaxation-time {}: expected more than 1/2, as the viscosity is "
                    "(tau - 1/2)/3, and at most {}",
                    *o.relaxation_time, longest_relaxation));
  }
  // Refused now rather than after the image has been read.
  static_cast<void>(voxel_size_m());
  static_cast<void>(format_of_fields());
  PermeabilityCase c;
  c.setup = o.periodic ? FlowSetup::periodic : o.mirror ? FlowSetup::mirrored : FlowSetup::sealed;
  c.buffer_layers = o.buffer_layers;
  c.model = model_of(o);
  c.precision = parse_precision(o.precision.empty() ? "single" : o.precision);
  c.balance = parse_balance(o.balance.value_or("dynamic"));
  c.magic = o.magic;
  c.relaxation_time = o.relaxation_time;
  c.body_force = o.body_force;
  c.tolerance = o.tolerance;
  c.for_fields = o.fields;
  c.max_steps = o.max_steps;
  c.tiles = o.tiles.value_or(0);
  c.steps_per_sweep = o.steps_per_sweep.value_or(0);
  return c;
}

PermeabilityCase PermeabilityOptions::asked_to_solve() const {
  PermeabilityCase c = asked();
  c.for_fields = false;
  if (auto const why = why_not_solved_for(c))
    throw BadInput(fmt::format("--precision {}: {}", precision, *why));
  return c;
}

std::optional<double> PermeabilityOptions::voxel_size_m() const {
  if (voxel_size.empty()) return std::nullopt;
  double const metres = parse_length("--voxel-size", voxel_size);
  require_between("--voxel-size", metres, 1e-12, 1e3, "m");
  return metres;
}

FieldFormat PermeabilityOptions::format_of_fields() const {
  FieldFormat const format = one_of("--fields-format", fields_format, field_format_names);
  check_field_format(format, "--fields-format");
  return format;
}

InSituOptions PermeabilityOptions::in_situ() const {
  InSituOptions o;
  for (std::string const& text : insitu) o.scripts.push_back(parse_script(text));
  o.every = insitu_every;
  if (o.every.value_or(1) < 1)
    throw BadInput(fmt::format("--insitu-every {}: expected 1 or more", *o.every));
  o.when_behind = one_of<WhenBehind>("--insitu-pressure", insitu_pressure,
                                     {{"wait", WhenBehind::wait}, {"drop", WhenBehind::skip}});
  o.errors = one_of<OnScriptError>("--insitu-errors", insitu_errors,
                                   {{"warn", OnScriptError::warn}, {"stop", OnScriptError::stop}});
  return o;
}

void PermeabilityOptions::add_to(CLI::App& command) {
  image.add_to(command);
  command.add_option("--voxel-size", voxel_size, "Edge of a voxel with its unit, such as 2.25um");
  add_flow_options(command);
  add_machine_options(command);
  add_looking_options(command);
  add_output_options(command);
}

void PermeabilityOptions::add_to_solve(CLI::App& command, std::string const& sample) {
  command.option_defaults()->group("Flow");
  command.add_option("--voxel-size", voxel_size, "Edge of a voxel with its unit, such as 2.25um");
  command.add_option("--axis", axis, "Direction of the flow: x, y, z or all")
      ->capture_default_str();
  command.add_flag("--mirror", mirror,
                   fmt::format("{} and its mirror image along the flow, sealed sides", sample));
  command
      .add_option("--buffer-layers", buffer_layers,
                  "Fluid layers at inlet and outlet of a sealed sample")
      ->capture_default_str();
  command.add_option("--precision", precision, "single or double")->capture_default_str();
  command.add_option("--tolerance", tolerance, "Relative solver error of each permeability")
      ->capture_default_str();
  command.option_defaults()->group("Machine");
  command.add_option("--gpus", gpus, "GPUs to use; 0: cores (default: all that shorten a step)");
  command.add_option("--cores", cores, "CPU cores to use where no GPU does (default: all)");
  command.option_defaults()->group("Output");
  command.add_option("-o,--out", out, "Folder for the results")->required();
  command.add_flag("--quiet", quiet, "Only warnings and errors");
}

void PermeabilityOptions::add_flow_options(CLI::App& command) {
  command.option_defaults()->group("Flow");
  command.add_option("--axis", axis, "Direction of the flow: x, y, z or all")
      ->capture_default_str();
  command.add_flag("--periodic", periodic, "The image wraps along all axes");
  command.add_flag("--mirror", mirror,
                   "The image and its mirror image along the flow, sealed sides");
  command
      .add_option("--buffer-layers", buffer_layers,
                  "Fluid layers at inlet and outlet of a sealed sample")
      ->capture_default_str();
  command.add_option("--lattice", lattice, tessera::one_of(words_of(lattice_names)))
      ->capture_default_str();
  command.add_option("--collision", collision, collisions_in_words())->capture_default_str();
  command.add_option("--magic", magic, "Lambda of TRT and MRT")->capture_default_str();
  command.add_option(
      "--equilibrium", equilibrium,
      fmt::format(
          "stokes (creeping flow; the default), navier-stokes or product (the default of {})",
          collisions_with_product()));
  command
      .add_option("--precision", precision,
                  "half (stored so, computed in single), single or double")
      ->capture_default_str();
  command.add_option("--relaxation-time", relaxation_time,
                     "tau > 1/2 (default: chosen for fast convergence)");
  command.add_option("--body-force", body_force,
                     "Force per mass in lattice units (default: for Re near 0.01)");
  command.option_defaults()->group("Stopping");
  command
      .add_option("--solver", solver,
                  "auto: minres where it can and fits the memory; minres: iterates on the steady "
                  "flow itself, many times sooner; steps")
      ->capture_default_str();
  command.add_option("--tolerance", tolerance, "Relative error of the permeability")
      ->capture_default_str();
  command.add_option("--max-steps", max_steps, "Give up after so many steps, or iterations")
      ->capture_default_str();
  add_checkpoint_options(command, checkpoint_minutes, resume);
  command.add_option(
      "--refine", refine,
      "Also say what the voxels leave open: k between a literal and a smooth surface, "
      "with voxels 1/2 or 1/3 as wide (2 or 3)");
}

void PermeabilityOptions::add_machine_options(CLI::App& command) {
  command.option_defaults()->group("Machine");
  command.add_option("--gpus", gpus,
                     "GPUs to compute on; 0: cores (default: all that shorten a step)");
  command.add_option("--cores", cores,
                     "Cores to compute on: a number, or auto: all, and beside GPUs as many as help "
                     "(default: auto)");
  command
      .add_option("--balance", balance,
                  "Who decides where a tile is computed: static (the cut), dynamic (tiles move by "
                  "measured speeds) or free (StarPU's scheduler, for each task anew)")
      ->default_str("dynamic");
  command.add_option("--tiles", tiles, "Number of tiles (default: chosen)");
  command.add_option("--steps-per-sweep", steps_per_sweep,
                     "Steps on a tile at a time (default: 1, more if GPU memory is too small)");
  command.add_option("--scheduler", scheduler,
                     "Scheduling policy: tessera, or one of StarPU's (default: $STARPU_SCHED, else "
                     "lws)");
  command.add_option("--trace", trace,
                     "Folder for a trace of the workers, paje.trace for ViTE, and its picture");
}

void PermeabilityOptions::add_looking_options(CLI::App& command) {
  command.option_defaults()->group("Looking at the flow while it is computed");
  command
      .add_option("--insitu", insitu,
                  fmt::format("Look at the running flow by a Catalyst script of ParaView, "
                              "SCRIPT.py[:arguments], or one of {}; may be repeated",
                              pipeline_names()))
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command.add_option(
      "--insitu-every", insitu_every,
      fmt::format("Steps, or iterations, from one look to the next (default: {}, {})",
                  InSituOptions::usual_steps, InSituOptions::usual_iterations));
  command
      .add_option("--insitu-pressure", insitu_pressure,
                  "If looking takes longer than these steps: wait (the flow does) or drop (looks "
                  "are left out)")
      ->capture_default_str();
  command
      .add_option("--insitu-errors", insitu_errors,
                  "If a script fails: warn (and drop it) or stop (the run)")
      ->capture_default_str();
}

void PermeabilityOptions::add_output_options(CLI::App& command) {
  command.option_defaults()->group("Output");
  command.add_option("--out", out, "Folder for results.json, convergence.csv and the fields");
  command.add_flag("--check", check,
                   "Say what would be computed, with what memory and time, and compute nothing");
  command.add_flag_callback(
      "--no-fields", [this] { fields = false; }, "Do not write fields.vtkhdf");
  command
      .add_option("--fields-format", fields_format,
                  fmt::format("Format of the fields: {}", one_of(words_of(field_format_names))))
      ->capture_default_str();
  command.add_flag("--report", report,
                   "Write report.html: k, slices, convergence, velocities, in one file to look at");
  command
      .add_option("--viscosity", fluid.kinematic_viscosity,
                  "Kinematic viscosity of the fields' fluid, m^2/s")
      ->capture_default_str();
  command.add_option("--density", fluid.density, "Its density, kg/m^3")->capture_default_str();
  command.add_flag("--quiet", quiet, "Say nothing but warnings and errors");
  command.add_flag("--verbose", verbose, "Say what is read, cut and computed");
}

std::optional<std::string> PermeabilityOptions::why_steps_are_meant() const {
  if (max_steps != PermeabilityOptions{}.max_steps) return "steps are counted (--max-steps)";
  if (!insitu.empty()) return "scripts look at a flow that takes steps (--insitu)";
  return why_steps();
}

std::optional<std::string> PermeabilityOptions::why_steps() const {
  if (!trace.empty()) return "there are no tasks to trace (--trace)";
  if (tiles) return "it computes on no tiles (--tiles)";
  if (steps_per_sweep) return "it takes no steps (--steps-per-sweep)";
  if (!scheduler.empty()) return "there are no tasks to schedule (--scheduler)";
  if (balance) return "no tiles are to be balanced (--balance)";
  return why_not_solved_for(asked());
}

}  // namespace tessera

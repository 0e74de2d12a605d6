// SPDX-License-Identifier: MIT
#include "interfaces/cli/permeability_options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string_view>

#include "interfaces/cli/requests.hpp"
#include "interfaces/cli/values.hpp"
#include "models/lattice/model_names.hpp"
#include "permeability/gases.hpp"

namespace tessera {
namespace {

constexpr NameList<WhenBehind, 2> when_behind_names{
    {{"wait", WhenBehind::wait}, {"drop", WhenBehind::skip}}};
constexpr NameList<OnScriptError, 2> on_error_names{
    {{"warn", OnScriptError::warn}, {"stop", OnScriptError::stop}}};

/// The operators, the default first.
std::string collisions_in_words() {
  std::vector<std::string_view> words = words_of(collision_names);
  auto const usual = std::ranges::find(words, PermeabilityOptions{}.collision);
  std::rotate(words.begin(), usual, usual + 1);
  return one_of(words);
}

}  // namespace

PermeabilityRequest PermeabilityCommand::request() const {
  PermeabilityOptions options = options_;
  options.flow.gpus = machine_.gpus.value_or(options.flow.gpus);
  options.flow.cores = machine_.cores.value_or(options.flow.cores);
  options.balance = machine_.balance;
  options.tiles = machine_.tiles;
  options.steps_per_sweep = machine_.steps_per_sweep;
  options.flow.scheduler = machine_.scheduler.value_or(options.flow.scheduler);
  PermeabilityRequest request = request_of(options);
  image_.add_file_to(request.image);
  if (writes_report()) request.flow.keeps_states = true;
  request.trace = machine_.trace;
  request.in_situ = in_situ();
  request.checkpoint_minutes = checkpoint_minutes_;
  request.resume = resume_;
  return request;
}

FieldFormat PermeabilityCommand::fields_format() const {
  FieldFormat const format = parse_name("fields-format", fields_format_, field_format_names);
  check_field_format(format, setting_name("fields-format"));
  return format;
}

InSituOptions PermeabilityCommand::in_situ() const {
  InSituOptions options;
  for (std::string const& text : scripts_) options.scripts.push_back(parse_script(text));
  if (insitu_every_) require_at_least_one("insitu-every", *insitu_every_);
  options.every = insitu_every_;
  options.when_behind = parse_name("insitu-pressure", insitu_pressure_, when_behind_names);
  options.errors = parse_name("insitu-errors", insitu_errors_, on_error_names);
  return options;
}

void PermeabilityCommand::add_to(CLI::App& command) {
  image_.add_to(command, options_.flow.labels);
  command.get_option("--threshold")
      ->description(
          "Grey image: pore is below this value; or '>120'; or a range, 110..130, to know "
          "what k is between its ends, too");
  command.add_option("--grey", options_.grey,
                     "Labels of porous voxels, neither pore nor solid, and their permeability: "
                     "2=5mD, 3,4=1e-15m2, or in voxels squared, 2=0.01; one each");
  command.add_option("--grey-values", options_.grey_values,
                     "The image's values are permeabilities in this unit: mD, m2, um2, or voxels "
                     "(squared); 0 is solid, inf and --pore LABELS are pores");
  command.add_option("--voxel-size", options_.flow.voxel_size,
                     "Edge of a voxel with its unit, such as 2.25um");
  add_flow_options(command);
  machine_.add_to(command);
  add_looking_options(command);
  add_output_options(command);
}

void PermeabilityCommand::add_flow_options(CLI::App& command) {
  command.option_defaults()->group("Flow");
  command.add_option("--axis", options_.flow.axis, "Direction of the flow: x, y, z or all")
      ->capture_default_str();
  command.add_flag("--periodic", options_.flow.periodic, "The image wraps along all axes");
  command.add_flag("--mirror", options_.flow.mirror,
                   "The image and its mirror image along the flow, sealed sides");
  command
      .add_option("--buffer-layers", options_.flow.buffer_layers,
                  "Fluid layers at inlet and outlet of a sealed sample")
      ->capture_default_str();
  command.add_option("--lattice", options_.lattice, one_of(words_of(lattice_names)))
      ->capture_default_str();
  command.add_option("--collision", options_.collision, collisions_in_words())
      ->capture_default_str();
  command.add_option("--magic", options_.magic, "Lambda of TRT and MRT")->capture_default_str();
  command.add_option(
      "--equilibrium", options_.equilibrium,
      fmt::format(
          "stokes (creeping flow; the default), navier-stokes or product (the default of {})",
          collisions_with_product()));
  command
      .add_option("--precision", options_.flow.precision,
                  "half (stored so, computed in single), single or double")
      ->capture_default_str();
  command.add_option("--relaxation-time", options_.relaxation_time,
                     "tau > 1/2 (default: chosen for fast convergence)");
  command.add_option("--body-force", options_.body_force,
                     "Force per mass in lattice units (default: for Re near 0.01)");
  command.option_defaults()->group("Stopping");
  command
      .add_option("--solver", options_.solver,
                  "auto: minres where it can and fits the memory; minres: iterates on the steady "
                  "flow itself, many times sooner; steps")
      ->capture_default_str();
  command.add_option("--tolerance", options_.flow.tolerance, "Relative error of the permeability")
      ->capture_default_str();
  command
      .add_option("--max-steps", options_.max_steps, "Give up after so many steps, or iterations")
      ->capture_default_str();
  add_checkpoint_options(command, checkpoint_minutes_, resume_);
  command.add_option(
      "--refine", options_.refine,
      "Also say what the voxels leave open: k between a literal and a smooth surface, "
      "with voxels 1/2 or 1/3 as wide (2 or 3)");
  command.add_flag("--slip", options_.slip,
                   "Also say what slip at the walls adds to k: k (1 + s l) for a slip length l");
  command.add_option("--gas", options_.gas,
                     fmt::format("The same for a gas, Klinkenberg's k (1 + b/p): {}",
                                 one_of(words_of(gas_names))));
  command.add_option("--temperature", options_.temperature, "Of the gas, kelvin (default: 293.15)");
}

void PermeabilityCommand::add_looking_options(CLI::App& command) {
  command.option_defaults()->group("Looking at the flow while it is computed");
  command
      .add_option("--insitu", scripts_,
                  fmt::format("Look at the running flow by a Catalyst script of ParaView, "
                              "SCRIPT.py[:arguments], or one of {}; may be repeated",
                              pipeline_names()))
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command.add_option(
      "--insitu-every", insitu_every_,
      fmt::format("Steps, or iterations, from one look to the next (default: {}, {})",
                  InSituOptions::usual_steps, InSituOptions::usual_iterations));
  command
      .add_option("--insitu-pressure", insitu_pressure_,
                  "If looking takes longer than these steps: wait (the flow does) or drop (looks "
                  "are left out)")
      ->capture_default_str();
  command
      .add_option("--insitu-errors", insitu_errors_,
                  "If a script fails: warn (and drop it) or stop (the run)")
      ->capture_default_str();
}

void PermeabilityCommand::add_output_options(CLI::App& command) {
  command.option_defaults()->group("Output");
  command.add_option("-o,--out", out_, "Folder for results.json, convergence.csv and the fields");
  command.add_flag("--check", check_,
                   "Say what would be computed, with what memory and time, and compute nothing");
  command.add_flag_callback(
      "--no-fields", [this] { options_.fields = false; }, "Do not write fields.vtkhdf");
  command
      .add_option("--fields-format", fields_format_,
                  fmt::format("Format of the fields: {}", one_of(words_of(field_format_names))))
      ->capture_default_str();
  command.add_flag("--report", report_,
                   "Write report.html: k, slices, convergence, velocities, in one file to look at");
  command
      .add_option("--viscosity", options_.viscosity,
                  "Kinematic viscosity of the fields' fluid, m^2/s")
      ->capture_default_str();
  command.add_option("--density", options_.density, "Its density, kg/m^3")->capture_default_str();
  command.add_flag("--quiet", quiet_, "Say nothing but warnings and errors");
  command.add_flag("--verbose", verbose_, "Say what is read, cut and computed");
}

void add_checkpoint_options(CLI::App& command, std::optional<double>& minutes, bool& resume) {
  command.add_option(
      "--checkpoint", minutes,
      "Write all that is needed to go on later every so many minutes, and at the end");
  command.add_flag("--resume", resume,
                   "Go on from the checkpoint in the folder of --out, if there is one");
}

}  // namespace tessera

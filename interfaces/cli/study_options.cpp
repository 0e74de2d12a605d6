// SPDX-License-Identifier: MIT
#include "interfaces/cli/study_options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "interfaces/cli/values.hpp"
#include "io/fields/field_files.hpp"

namespace tessera {
namespace {

void add_workers(CLI::App& command, RockFlowOptions& flow) {
  command.option_defaults()->group("Machine");
  command.add_option("--gpus", flow.gpus, "GPUs to use; 0: cores (default: all that help)");
  command.add_option("--cores", flow.cores, "CPU cores to use (default: all that help)");
  command.add_option("--scheduler", flow.scheduler,
                     "Scheduling policy, one of StarPU's (default: $STARPU_SCHED, else chosen)");
}

/// The options of a flow that a study computes many of. `sample`: what it runs through, in words.
void add_flow_options(CLI::App& command, RockFlowOptions& flow, std::string const& sample) {
  command.option_defaults()->group("Flow");
  command.add_option("--voxel-size", flow.voxel_size,
                     "Edge of a voxel with its unit, such as 2.25um");
  command.add_option("--axis", flow.axis, "Direction of the flow: x, y, z or all")
      ->capture_default_str();
  command.add_flag("--mirror", flow.mirror,
                   fmt::format("{} and its mirror image along the flow, sealed sides", sample));
  command
      .add_option("--buffer-layers", flow.buffer_layers,
                  "Fluid layers at inlet and outlet of a sealed sample")
      ->capture_default_str();
  command.add_option("--precision", flow.precision, "single or double")->capture_default_str();
  command.add_option("--tolerance", flow.tolerance, "Relative solver error of each permeability")
      ->capture_default_str();
  add_workers(command, flow);
}

void add_trace(CLI::App& command, StudyFiles& files) {
  command.option_defaults()->group("Machine");
  command.add_option("--trace", files.trace,
                     "Folder for a trace of the workers, paje.trace for ViTE, and its picture");
}

void add_output_options(CLI::App& command, StudyFiles& files) {
  command.option_defaults()->group("Output");
  command.add_option("-o,--out", files.out, "Folder for the results")->required();
  command.add_flag("--quiet", files.quiet, "Only warnings and errors");
}

void add_periodic(CLI::App& command, RockFlowOptions& flow) {
  command.option_defaults()->group("Flow");
  command.add_flag("--periodic", flow.periodic, "The image wraps along all axes");
}

}  // namespace

void RevCommand::add_to(CLI::App& command) {
  image.add_to(command, options.flow.labels);
  command.option_defaults()->group("Sub-volumes");
  command.add_option("--edges", options.edges, "Edges of the cubes in voxels: 50,100,200")
      ->delimiter(',')
      ->required();
  command.add_option("--samples", options.samples, "Cubes of each edge")->capture_default_str();
  command.add_option("--seed", options.seed, "Chooses where they are")->capture_default_str();
  command.add_flag("--diffusion", options.diffusion,
                   "Effective conductivities of what is pore, instead of permeabilities");
  command.add_option("--conductivity", options.conductivity,
                     "The same of labels and what they conduct: 0=1, 1,3-4=0.05, 2=0; one each");
  command.add_option("--grey", options.grey,
                     "Labels of porous voxels, and their permeability: 2=5mD, or in voxels "
                     "squared, 2=0.01; one each");
  command.add_option("--grey-values", options.grey_values,
                     "The image's values are permeabilities in this unit: mD, m2, um2, or voxels "
                     "(squared); 0 is solid, inf and --pore LABELS are pores");
  add_flow_options(command, options.flow, "Each cube");
  add_trace(command, *this);
  add_output_options(command, *this);
}

RevRequest RevCommand::request() const {
  RevRequest request = request_of(options);
  image.add_file_to(request.flow.image);
  request.flow.trace = trace;
  return request;
}

void ForchheimerCommand::add_to(CLI::App& command) {
  image.add_to(command, options.flow.labels);
  command.option_defaults()->group("Flow");
  command
      .add_option("--reynolds", options.reynolds,
                  "Reynolds numbers of the mean pore velocity and the hydraulic diameter, such as "
                  "0.1,1,10")
      ->required()
      ->delimiter(',');
  add_flow_options(command, options.flow, "The image");
  add_output_options(command, *this);
  add_periodic(command, options.flow);
  command.get_option("--precision")
      ->description(
          "single or double (default: single, double where the flow would stand still too early "
          "for the tolerance, by rounding)")
      ->default_str("");
  command
      .add_option("--max-steps", options.max_steps,
                  "The flow at a Reynolds number ends here at last")
      ->capture_default_str();
}

ForchheimerRequest ForchheimerCommand::request() const {
  ForchheimerRequest request = request_of(options);
  image.add_file_to(request.flow.image);
  return request;
}

void DiffusionCommand::add_to(CLI::App& command) {
  RockFlowOptions& flow = options.flow;
  image.add_to(command, flow.labels);
  command.option_defaults()->group("Diffusion");
  command.add_option(
      "--conductivity", options.conductivity,
      "Labels and what they conduct: 0=1, 1,3-4=0.05, 2=0; one each (default: what is pore "
      "conducts 1)");
  command.add_flag("--values-conduct", options.values_conduct,
                   "The image's values are conductivities, 0 where nothing conducts");
  command.add_option("--diffusivity", options.diffusivity,
                     "Of what conducts 1, in m^2/s: answers in m^2/s as well");
  command.add_option(
      "--refine", options.refine,
      "Also say what the voxels leave open, with voxels 1/2 or 1/3 as wide (2 or 3)");
  command.add_option("--voxel-size", flow.voxel_size,
                     "Edge of a voxel with its unit, such as 2.25um, or its edges along x, y, z: "
                     "2um,2um,5um");
  command.add_option("--axis", flow.axis, "From one side to the other along x, y, z, or all three")
      ->capture_default_str();
  command.add_flag("--periodic", flow.periodic,
                   "The image wraps along all axes (default: ends at given concentrations, other "
                   "sides sealed)");
  command.add_option("--tolerance", flow.tolerance, "Relative error of the effective conductivity")
      ->capture_default_str();
  command.add_option("--max-iterations", options.max_iterations, "Give up after so many")
      ->capture_default_str();
  add_workers(command, flow);
  add_trace(command, *this);
  add_output_options(command, *this);
  command.add_flag_callback(
      "--no-fields", [this] { fields = false; }, "Do not write fields.vtkhdf");
  command
      .add_option("--fields-format", fields_format,
                  fmt::format("Format of the fields: {}", one_of(words_of(field_format_names))))
      ->capture_default_str();
}

DiffusionRequest DiffusionCommand::request() const {
  DiffusionRequest request = request_of(options);
  image.add_file_to(request.flow.image);
  request.flow.trace = trace;
  return request;
}

void PhasesCommand::add_to(CLI::App& command) {
  image.add_to_read(command);
  command.option_defaults()->group("Phases");
  command
      .add_option("--phase", options.phase, "A fluid and its labels: water=0, oil=1,3-4; one each")
      ->required();
  command.add_option("--solid", options.flow.labels.solid, "Labels of the solid")->required();
  ImageOptions::add_outside(command, options.flow.labels);
  add_flow_options(command, options.flow, "The image");
  add_trace(command, *this);
  add_output_options(command, *this);
  add_periodic(command, options.flow);
}

PhasesRequest PhasesCommand::request() const {
  PhasesRequest request = request_of(options);
  image.add_file_to(request.flow.image);
  request.flow.trace = trace;
  return request;
}

}  // namespace tessera

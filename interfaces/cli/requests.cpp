// SPDX-License-Identifier: MIT
#include "interfaces/cli/requests.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/machine/gpu_start.hpp"
#include "base/ranks/ranks.hpp"
#include "graph/balance/balance_names.hpp"
#include "interfaces/cli/image_options.hpp"
#include "interfaces/cli/values.hpp"
#include "io/images/spelling.hpp"
#include "models/lattice/model_names.hpp"

namespace tessera {
namespace {

FlowSetup setup_of(RockFlowOptions const& flow) {
  if (flow.periodic && flow.mirror) {
    throw BadInput(fmt::format("{} and {} exclude each other: choose one set-up",
                               setting_name("periodic"), setting_name("mirror")));
  }
  return flow.periodic ? FlowSetup::periodic
         : flow.mirror ? FlowSetup::mirrored
                       : FlowSetup::sealed;
}

/// What all flows have in common.
PermeabilityRequest request_of(RockFlowOptions const& flow) {
  PermeabilityRequest request;
  request.image = image_request(flow.labels);
  if (!flow.voxel_size.empty()) request.voxel_size_m = parse_length("voxel-size", flow.voxel_size);
  request.axes = parse_axes(flow.axis);
  request.flow.setup = setup_of(flow);
  request.flow.buffer_layers = flow.buffer_layers;
  if (!flow.precision.empty()) request.flow.precision = parse_precision(flow.precision);
  request.flow.tolerance = flow.tolerance;
  request.workers = workers_asked(flow.gpus, flow.cores);
  request.scheduler = flow.scheduler;
  return request;
}

FlowModel model_of(PermeabilityOptions const& options) {
  FlowModel model{.lattice = parse_name("lattice", options.lattice, lattice_names),
                  .collision = parse_name("collision", options.collision, collision_names)};
  model.equilibrium = options.equilibrium.empty()
                          ? usual_equilibrium(model.collision, Purpose::permeability)
                          : parse_name("equilibrium", options.equilibrium, equilibrium_names);
  return model;
}

/// "1um,1um,2um": edges along x, y and z; none: a single one, of cubes.
std::optional<std::array<double, 3>> edges_of(std::string const& text) {
  std::vector<std::string_view> const words = split(text, ',');
  if (words.size() <= 1) return std::nullopt;
  std::array<double, 3> edges{};
  if (words.size() != edges.size()) {
    throw BadInput(setting_text("voxel-size", text) +
                   ": expected an edge for all axes, or one for each of x, y and z");
  }
  std::ranges::transform(words, edges.begin(), [](std::string_view word) {
    return parse_length("voxel-size", std::string(word));
  });
  return edges;
}

/// Throws BadInput for what conduction does not know of.
void expect_fit_to_conduct(RockFlowOptions const& flow) {
  RockFlowOptions const usual;
  if (flow.precision != usual.precision)
    throw BadInput(setting_text("precision", flow.precision) +
                   ": expected single, with which answers are as exact as in double");
  if (flow.buffer_layers != usual.buffer_layers)
    throw BadInput(setting_name("buffer-layers") + ": expected none, as the ends are open");
}

void add_grey(PermeabilityRequest& request, std::vector<std::string> const& texts,
              std::string const& unit_of_values) {
  request.grey = parse_grey(texts);
  if (!unit_of_values.empty()) request.grey_values = PermeabilityUnit::parse(unit_of_values);
  for (GreyLabels const& own : request.grey) request.image.rule.grey.push_back(own.labels);
}

/// None: the program chooses.
std::optional<Solver> solver_named(std::string const& name) {
  if (name == "auto") return std::nullopt;
  if (auto const solver = named(solver_names, name)) return solver;
  throw BadInput(setting_text("solver", name) + ": expected auto, minres or steps");
}

}  // namespace

PermeabilityRequest request_of(PermeabilityOptions const& options) {
  std::string const& threshold = options.flow.labels.threshold;
  std::optional<ThresholdRange> const thresholds = ThresholdRange::parse(threshold);
  RockFlowOptions rock = options.flow;
  if (thresholds) rock.labels.threshold.clear();
  PermeabilityRequest request = request_of(rock);
  if (thresholds) {
    request.image.threshold = threshold;
    request.image.rule.threshold = thresholds->at(0.5);
    request.thresholds = thresholds;
  }
  PermeabilityCase& flow = request.flow;
  flow.model = model_of(options);
  flow.magic = options.magic;
  flow.relaxation_time = options.relaxation_time;
  flow.body_force = options.body_force;
  flow.max_steps = options.max_steps;
  flow.for_fields = flow.keeps_states = options.fields;
  if (options.balance) flow.balance = parse_name("balance", *options.balance, balance_names);
  if (options.tiles) require_at_least_one("tiles", *options.tiles);
  if (options.steps_per_sweep) require_at_least_one("steps-per-sweep", *options.steps_per_sweep);
  flow.tiles = options.tiles.value_or(0);
  flow.steps_per_sweep = options.steps_per_sweep.value_or(0);
  request.balance_is_asked = options.balance.has_value();
  request.solver = solver_named(options.solver);
  request.refine = options.refine;
  add_grey(request, options.grey, options.grey_values);
  if (request.has_grey() && !flow.relaxation_time) flow.relaxation_time = 1;
  flow.slip = options.slip || !options.gas.empty();
  if (!options.gas.empty()) request.gas = parse_name("gas", options.gas, gas_names);
  if (options.temperature) {
    if (!request.gas)
      throw BadInput(setting_name("temperature") + ": expected a gas, too (" + setting_name("gas") +
                     ")");
    request.temperature = *options.temperature;
  }
  if (flow.slip && !request.solver) request.solver = Solver::minres;
  request.fluid = {.kinematic_viscosity = options.viscosity, .density = options.density};
  request.check();
  return request;
}

RevRequest request_of(RevOptions const& options) {
  if (options.flow.periodic) {
    throw BadInput(setting_name("periodic") +
                   ": expected sealed or mirrored cubes, as what is cut out of an image does not "
                   "wrap");
  }
  RevRequest request{.flow = request_of(options.flow),
                     .edges = options.edges,
                     .samples = options.samples,
                     .seed = options.seed,
                     .diffusion = options.diffusion || !options.conductivity.empty(),
                     .conductivities = parse_conductivities(options.conductivity)};
  if (request.diffusion) expect_fit_to_conduct(options.flow);
  add_grey(request.flow, options.grey, options.grey_values);
  request.flow.flow.for_fields = false;
  request.check();
  return request;
}

ForchheimerRequest request_of(ForchheimerOptions const& options) {
  ForchheimerRequest request{.flow = request_of(options.flow),
                             .precision_is_asked = !options.flow.precision.empty(),
                             .reynolds = options.reynolds};
  request.flow.flow.model.equilibrium = EquilibriumForm::second_order;
  request.flow.flow.max_steps = options.max_steps;
  request.flow.solver = Solver::steps;
  request.check();
  return request;
}

PhasesRequest request_of(PhasesOptions const& options) {
  if (options.flow.labels.solid.empty())
    throw BadInput(setting_name("solid") + ": expected the labels of the solid");
  if (options.flow.labels.pore || !options.flow.labels.threshold.empty()) {
    throw BadInput(fmt::format("{}: expected the labels of each phase, by {}",
                               setting_name(options.flow.labels.pore ? "pore" : "threshold"),
                               setting_name("phase")));
  }
  PhasesRequest request{.flow = request_of(options.flow), .phases = options.phase};
  request.flow.flow.for_fields = false;
  request.check();
  return request;
}

DiffusionRequest request_of(DiffusionOptions const& options) {
  Labels const& labels = options.flow.labels;
  bool const rule = labels.pore || !labels.solid.empty() || !labels.threshold.empty();
  bool const by_label = !options.conductivity.empty();
  if (std::ranges::count(std::array{by_label, options.values_conduct, rule}, true) > 1) {
    throw BadInput(
        fmt::format("{}: expected what conducts to be said in one way: labels with their "
                    "conductivities ({}), the image's values "
                    "({}), or what is pore",
                    setting_name(by_label ? "conductivity" : "values-conduct"),
                    setting_name("conductivity"), setting_name("values-conduct")));
  }
  expect_fit_to_conduct(options.flow);
  RockFlowOptions flow = options.flow;
  std::optional<std::array<double, 3>> const edges = edges_of(flow.voxel_size);
  if (edges) flow.voxel_size.clear();
  DiffusionRequest request{.flow = request_of(flow),
                           .conductivities = parse_conductivities(options.conductivity),
                           .values_conduct = options.values_conduct,
                           .diffusivity = options.diffusivity,
                           .edges_m = edges,
                           .max_iterations = options.max_iterations};
  request.flow.refine = options.refine;
  request.check();
  return request;
}

std::jthread start_gpu_for(PermeabilityRequest const& request) {
  return request.wants_gpus() && Ranks::alone() ? start_gpu() : std::jthread();
}

}  // namespace tessera

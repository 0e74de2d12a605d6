// SPDX-License-Identifier: MIT
// Flow with inertia: the apparent permeability at several Reynolds numbers, and Forchheimer's law.
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <thread>
#include <vector>

#include "app/commands.hpp"
#include "cli/log.hpp"
#include "cli/output_folder.hpp"
#include "cli/streams.hpp"
#include "lattice/errors.hpp"
#include "lattice/units.hpp"
#include "machine/gpu_start.hpp"
#include "permeability/forchheimer.hpp"
#include "permeability/image_flows.hpp"
#include "permeability/rock_sample.hpp"
#include "permeability/solve_image.hpp"
#include "permeability/solver_choice.hpp"
#include "run/interrupt.hpp"
#include "run/performance.hpp"

namespace tessera {
namespace {

struct ForchheimerOptions {
  PermeabilityOptions flow;  ///< those of its options that are offered here
  std::vector<double> reynolds;

  void add_to(CLI::App& command) {
    flow.image.add_to(command);
    command.option_defaults()->group("Flow");
    command
        .add_option(
            "--reynolds", reynolds,
            "Reynolds numbers of the mean pore velocity and the hydraulic diameter, such as "
            "0.1,1,10")
        ->required()
        ->delimiter(',');
    flow.add_to_solve(command, "The image");
    command.option_defaults()->group("Flow");
    command.add_flag("--periodic", flow.periodic, "The image wraps along all axes");
    command
        .add_option("--max-steps", flow.max_steps,
                    "The flow at a Reynolds number ends here at last")
        ->capture_default_str();
  }

  /// Ascending. Throws BadInput.
  std::vector<double> in_order() const {
    std::vector<double> sorted = reynolds;
    for (double const re : sorted) require_between("--reynolds", re, 1e-6, 1e4);
    std::ranges::sort(sorted);
    auto const twice = std::ranges::adjacent_find(sorted);
    if (twice != sorted.end())
      throw BadInput(fmt::format("--reynolds {:g} stands there twice", *twice));
    return sorted;
  }
};

PermeabilityCase without_inertia(PermeabilityOptions flow) {
  flow.equilibrium.clear();
  return flow.asked_to_solve();
}

/// Darcy's.
double creeping_permeability(Geometry const& geometry, Axis axis, PermeabilityCase const& asked,
                             Workers const& workers) {
  ImageAnswer const found = solve_image(
      geometry, axis, asked, workers_to_solve(workers, geometry.pore_voxels(), asked.precision),
      Interrupt::requested());
  if (!found.answered()) throw EnvironmentError(fmt::format("creeping flow: {}", found.failure));
  return found.k_lattice;
}

int forchheimer(ForchheimerOptions const& options) {
  std::vector<double> const reynolds = options.in_order();
  PermeabilityOptions const& flow = options.flow;
  PermeabilityCase const creeping = without_inertia(flow);
  ImageFlows flows(flow);
  if (flows.axes().size() != 1)
    throw BadInput(fmt::format("--axis {}: expected x, y or z", flow.axis));
  flows.check_machine();
  Axis const axis = flows.axes().front();
  std::jthread gpu = flow.gpus == 0 ? std::jthread() : start_gpu();
  RockSample const sample = read_sample(flow, flows.asked(), flows.axes());
  Interrupt const interrupt;
  OutputFolder const folder(flow.out);
  if (gpu.joinable()) gpu.join();

  std::int64_t const nodes = sample.geometry.pore_voxels();
  flows.choose_workers(nodes);
  PermeabilityCase asked = flows.asked();
  asked.for_fields = false;
  double const k_darcy = creeping_permeability(sample.geometry, axis, creeping, flows.workers());
  std::vector<InertialFlow> found;
  {
    InertialSeries series(prepare_flow(sample.geometry, axis, asked, flows.workers()), asked,
                          flow.scheduler, k_darcy);
    for (double const re : reynolds) {
      if (Interrupt::requested()) break;
      found.push_back(series.flow_at(re, {.stop = &Interrupt::requested()}));
      if (found.back().settled()) continue;
      spdlog::warn("Re {:g}: no steady flow after {} steps{}", re, found.back().steps,
                   found.back().end == RunEnd::diverged
                       ? ", it diverged: the pores have too few voxels for it"
                       : "");
      break;
    }
  }
  auto const law = forchheimer_law(found, k_darcy);
  auto const size = sample.image.voxel_size_m;
  write_inertial_csv(folder.path() / "forchheimer.csv", found, size);
  Json flows_found = Json::array();
  for (InertialFlow const& one : found) flows_found.push_back(to_json(one, size));
  Json const results{{"image", to_json(sample.image)},
                     {"porosity", sample.porosity.total},
                     {"axis", std::string(1, name_of(axis))},
                     {"k_lattice", k_darcy},
                     {"k_mD", or_null(millidarcys(std::optional(k_darcy), size))},
                     {"flows", flows_found},
                     {"forchheimer", law ? to_json(*law, size) : Json(nullptr)},
                     {"warnings", warnings_given()},
                     {"software", to_json(software_result())}};
  write_json(folder.path() / "results.json", results);
  if (!flow.quiet) {
    print_all([&] {
      print_inertial(found, k_darcy, law, size);
      fmt::print("written to {}\n", folder.path().string());
    });
  }
  bool const complete =
      found.size() == reynolds.size() && std::ranges::all_of(found, &InertialFlow::settled);
  return complete ? done : not_converged;
}

}  // namespace

Command add_forchheimer_command(CLI::App& command) {
  auto const options = std::make_shared<ForchheimerOptions>();
  options->flow.equilibrium = "navier-stokes";
  options->flow.solver = "steps";
  options->add_to(command);
  return [options] {
    set_up_log(options->flow.verbosity());
    survive_broken_pipes();
    return forchheimer(*options);
  };
}

}  // namespace tessera

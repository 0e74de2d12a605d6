// SPDX-License-Identifier: MIT

#include "io/results/results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <iterator>
#include <optional>
#include <span>
#include <string>

#include "io/atomic_file.hpp"
#include "io/json.hpp"
#include "io/results/results_json.hpp"
#include "io/shell_words.hpp"
#include "models/lattice/units.hpp"

namespace tessera {
namespace {

std::string key_of(Axis axis) { return {name_of(axis)}; }

std::optional<double> voxel_area(std::optional<double> voxel_size_m) {
  if (!voxel_size_m) return std::nullopt;
  return *voxel_size_m * *voxel_size_m;
}

/// Lower and upper ends of the crop along x, y, z.
Json to_json(Crop const& crop) {
  Json ranges = Json::array();
  for (Axis const axis : all_axes) ranges.push_back({crop.lower[axis], crop.upper[axis]});
  return ranges;
}

Json to_json(PorosityResult const& porosity) {
  Json percolating;
  for (Axis const axis : all_axes) {
    percolating[key_of(axis)] = or_null(porosity.percolating[index_of(axis)]);
  }
  Json json{{"total", porosity.total}, {"percolating", percolating}};
  if (porosity.grey) json["grey"] = *porosity.grey;
  if (porosity.outside) json["outside"] = *porosity.outside;
  return json;
}

Json to_json(FlowResult const& flow) {
  return {{"lattice", flow.lattice},
          {"collision", flow.collision},
          {"relaxation_time", flow.relaxation_time},
          {"precision", flow.precision},
          {"body_force_lattice", flow.body_force_lattice},
          {"axes", flow.axes},
          {"setup", flow.setup},
          {"buffer_layers", or_null(flow.buffer_layers)},
          {"operator", flow.collision_operator},
          {"equilibrium", flow.equilibrium},
          {"magic", flow.magic},
          {"tolerance", flow.tolerance},
          {"max_steps", flow.max_steps},
          {"kinematic_viscosity_m2_s", flow.kinematic_viscosity_m2_s},
          {"density_kg_m3", flow.density_kg_m3}};
}

Json to_json(SolverResult const& solver) {
  Json json{{"name", name_in(solver_names, solver.kind)}};
  if (!solver.reason.empty()) json["reason"] = solver.reason;
  if (solver.k_quadratic) json["k_quadratic"] = *solver.k_quadratic;
  json["k_linear"] = solver.k_linear;
  if (solver.kind == Solver::steps) return json;
  json.update({{"iterations", solver.iterations},
               {"step_equivalents", solver.step_equivalents},
               {"residual", solver.residual},
               {"slice_spread", solver.slice_spread},
               {"confirmed", solver.confirmed}});
  return json;
}

Json in_md(double k, std::optional<double> area) {
  return area ? Json(k * *area / millidarcy_m2) : Json(nullptr);
}

Json to_json(ThresholdInterval const& found, std::optional<double> area) {
  return {{"thresholds", found.thresholds},
          {"porosity", found.porosity},
          {"k_lattice", found.k},
          {"lower_lattice", found.lower},
          {"upper_lattice", found.upper},
          {"lower_mD", in_md(found.lower, area)},
          {"upper_mD", in_md(found.upper, area)}};
}

Json to_json(VoxelInterval const& voxels, std::optional<double> area) {
  return {{"factor", voxels.factor},
          {"lower_lattice", voxels.lower},
          {"upper_lattice", voxels.upper},
          {"lower_mD", in_md(voxels.lower, area)},
          {"upper_mD", in_md(voxels.upper, area)},
          {"staircase_lattice", voxels.staircase},
          {"smooth_lattice", voxels.smooth},
          {"pore_volume_doubt", voxels.pore_volume_doubt}};
}

Json to_json(SlipResult const& slip, double k) {
  Json json{{"slope_lattice", slip.slope},
            {"per_voxel", k > 0 ? Json(slip.slope / k) : Json(nullptr)}};
  if (slip.klinkenberg_pa) {
    json.update({{"gas", slip.gas},
                 {"temperature_K", slip.temperature_k},
                 {"klinkenberg_Pa", *slip.klinkenberg_pa}});
  }
  return json;
}

Json to_json(PermeabilityResult const& result, Axis axis, std::optional<double> area) {
  double const k = result.column_lattice[index_of(axis)];
  Json json{{"k_m2", area ? Json(k * *area) : Json(nullptr)},
            {"k_mD", area ? Json(k * *area / millidarcy_m2) : Json(nullptr)},
            {"k_lattice", k},
            {"converged", result.converged},
            {"steps", result.steps},
            {"change", result.change},
            {"reynolds", result.reynolds},
            {"mach", result.mach},
            {"error_estimate", or_null(result.error_estimate)},
            {"force_balance", or_null(result.force_balance)},
            {"stop_reason", result.stop_reason},
            {"mean_velocity_lattice", result.mean_velocity_lattice},
            {"relaxation_time", result.relaxation_time},
            {"body_force_lattice", result.body_force_lattice},
            {"solver", to_json(result.solver)}};
  if (result.voxels) json["voxels"] = to_json(*result.voxels, area);
  if (result.thresholds) json["segmentation"] = to_json(*result.thresholds, area);
  if (result.slip) json["slip"] = to_json(*result.slip, k);
  return json;
}

using Tensor = std::array<std::array<double, 3>, 3>;

/// The permeability tensor with all values converted; needs the results of all three axes.
template <class Convert>
Tensor tensor(Results const& results, Convert const& convert) {
  Tensor k{};
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t column = 0; column < 3; ++column) {
      k[row][column] = convert(results.permeability[column]->column_lattice[row]);
    }
  }
  return k;
}

Json permeability_to_json(Results const& results) {
  auto const area = voxel_area(results.image.voxel_size_m);
  Json json = Json::object();
  for (Axis const axis : all_axes) {
    auto const& result = results.permeability[index_of(axis)];
    if (result) json[key_of(axis)] = to_json(*result, axis, area);
  }
  if (std::ranges::all_of(results.permeability, [](auto const& r) { return r.has_value(); })) {
    auto const in_m2 = [&](double k) { return k * *area; };
    auto const in_md = [&](double k) { return in_m2(k) / millidarcy_m2; };
    json["tensor_lattice"] = tensor(results, std::identity());
    json["tensor_m2"] = area ? Json(tensor(results, in_m2)) : Json(nullptr);
    json["tensor_mD"] = area ? Json(tensor(results, in_md)) : Json(nullptr);
  }
  return json;
}

/// Balance of the work; without tiles the reason for the choice of workers is all there is.
Json to_json(BalanceResult const& balance, bool tiles) {
  if (!tiles) return {{"workers", balance.workers}};
  Json looks = Json::array();
  for (BalanceResult::Look const& look : balance.looks) {
    looks.push_back({{"step", look.step},
                     {"seconds", look.seconds},
                     {"imbalance", look.imbalance},
                     {"largest_imbalance", look.largest_imbalance},
                     {"speeds", look.speeds},
                     {"moves", look.moves},
                     {"looks", look.looks}});
  }
  return {{"policy", balance.policy},
          {"workers", balance.workers},
          {"moves", balance.moves},
          {"bytes_moved", balance.bytes_moved},
          {"cuts", balance.cuts},
          {"cut_seconds", balance.cut_seconds},
          {"bytes_cut", balance.bytes_cut},
          {"domains", balance.domains},
          {"looks", looks}};
}

}  // namespace

std::string csv_number(std::optional<double> value) {
  return value && std::isfinite(*value) ? fmt::format("{}", *value) : std::string{};
}

Json to_json(ImageResult const& image) {
  Json json{{"path", image.path},
            {"shape", {image.shape.x, image.shape.y, image.shape.z}},
            {"voxel_size_m", or_null(image.voxel_size_m)},
            {"voxel_size_from", or_null(image.voxel_size_from)},
            {"sha256", image.sha256},
            {"dtype", image.dtype},
            {"header_bytes", image.header_bytes},
            {"dataset", or_null(image.dataset)},
            {"axes", image.axes},
            {"crop", image.crop ? to_json(*image.crop) : Json(nullptr)},
            {"pore", or_null(image.pore)},
            {"solid", or_null(image.solid)},
            {"threshold", or_null(image.threshold)},
            {"outside", or_null(image.outside)},
            {"generated", Json::parse(image.generated.empty() ? "null" : image.generated)}};
  for (GreyResult const& own : image.grey) {
    double const edge = image.voxel_size_m.value_or(0);
    json["grey"][own.labels] = {
        {"k_lattice", own.k_lattice},
        {"k_mD", image.voxel_size_m ? in_md(own.k_lattice, edge * edge) : Json(nullptr)}};
  }
  if (auto const& values = image.grey_values) {
    json["grey_values"] = {{"unit", values->unit},
                           {"kinds", values->kinds},
                           {"rounding", values->rounding},
                           {"range_lattice", or_null(values->range_lattice)}};
  }
  return json;
}

Json to_json(WorkerResult const& worker) {
  Json json{{"name", worker.name}, {"kind", worker.kind}, {"tasks", worker.tasks}};
  if (worker.passes > 0) json["passes"] = worker.passes;
  json.update({{"busy_s", worker.busy_s},
               {"waiting_s", worker.waiting_s},
               {"transferring_s", worker.transferring_s}});
  if (worker.nodes > 0) json["nodes"] = worker.nodes;
  return json;
}

Json to_json(std::vector<WorkerResult> const& workers) {
  Json all = Json::array();
  for (WorkerResult const& worker : workers) all.push_back(to_json(worker));
  return all;
}

Json common_json(PerformanceResult const& performance) {
  Json parts = Json::object();
  for (auto const& [name, seconds] : performance.parts) parts[name] = seconds;
  Json json{{"workers", to_json(performance.workers)}};
  if (performance.tiles > 0) json["tiles"] = performance.tiles;
  json.update({{"prepare_seconds", performance.prepare_seconds},
               {"parts_s", parts},
               {"wall_seconds", performance.wall_seconds},
               {"peak_memory_bytes", performance.peak_memory_bytes},
               {"balance", to_json(performance.balance, performance.tiles > 0)},
               {"checkpoints", to_json(performance.checkpoints)}});
  return json;
}

Json to_json(PerformanceResult const& performance) {
  Json json{{"fluid_nodes", performance.fluid_nodes},
            {"steps", performance.steps},
            {"seconds", performance.seconds},
            {"mflups", performance.mflups},
            {"bytes_per_fluid_node", performance.bytes_per_fluid_node},
            {"bandwidth_gbs", performance.bandwidth_gbs},
            {"bandwidth_fraction", or_null(performance.bandwidth_fraction)},
            {"imbalance", performance.imbalance}};
  json.update(common_json(performance));
  return json;
}

std::string text_of(Json const& json) {
  // The library writes numbers that are not finite as null, and doubles with the digits they need.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

void write_json(std::filesystem::path const& path, Json const& json) {
  write_whole_file(path, text_of(json));
}

Json to_json(RunResult const& run) {
  Json json{{"command", shell_line(run.command_line)},
            {"arguments", run.command_line},
            {"folder", run.folder},
            {"host", run.host},
            {"started", run.started}};
  if (!run.ranks.empty()) json["ranks"] = run.ranks;
  return json;
}

Json to_json(CheckpointsResult const& checkpoints) {
  return {{"written", checkpoints.written},
          {"seconds", checkpoints.seconds},
          {"bytes", checkpoints.bytes}};
}

Json to_json(InSituResult const& insitu) {
  Json scripts = Json::array();
  for (auto const& script : insitu.scripts)
    scripts.push_back({{"name", script.name}, {"arguments", script.arguments}});
  Json errors = Json::array();
  for (auto const& error : insitu.errors)
    errors.push_back({{"script", error.script}, {"step", error.step}, {"text", error.text}});
  return {{"engine", insitu.engine},     {"every", insitu.every},
          {"scripts", scripts},          {"executions", insitu.executions},
          {"dropped", insitu.dropped},   {"waited", insitu.waited},
          {"waited_s", insitu.waited_s}, {"seconds", insitu.seconds},
          {"bytes", insitu.bytes},       {"errors", errors}};
}

Json to_json(SoftwareResult const& software) {
  return {{"version", software.version},
          {"commit", software.commit},
          {"starpu", software.starpu},
          {"metis", software.metis},
          {"cuda", or_null(software.cuda)},
          {"compiler", software.compiler},
          {"instruction_set", software.instruction_set}};
}

Json to_json(Results const& results) {
  Json json{{"run", to_json(results.run)},
            {"image", to_json(results.image)},
            {"porosity", to_json(results.porosity)},
            {"flow", to_json(results.flow)},
            {"permeability", permeability_to_json(results)},
            {"warnings", results.warnings},
            {"performance", to_json(results.performance)},
            {"software", to_json(results.software)}};
  if (results.insitu) json["insitu"] = to_json(*results.insitu);
  return json;
}

void write_results(std::filesystem::path const& path, Results const& results) {
  write_json(path, to_json(results));
}

std::string convergence_csv(std::span<ConvergenceSample const> samples,
                            std::optional<double> voxel_size_m) {
  std::string text = "step,axis,k_lattice,k_mD,error_estimate,force_balance,mass,k_linear\n";
  for (ConvergenceSample const& sample : samples) {
    std::optional<double> const k_millidarcy = millidarcys(sample.k_lattice, voxel_size_m);
    text += fmt::format("{},{},{},{},{},{},{},{}\n", sample.step, name_of(sample.axis),
                        csv_number(sample.k_lattice), csv_number(k_millidarcy),
                        csv_number(sample.error_estimate), csv_number(sample.force_balance),
                        csv_number(sample.mass), csv_number(sample.k_linear));
  }
  return text;
}

void write_convergence_csv(std::filesystem::path const& path,
                           std::span<ConvergenceSample const> samples,
                           std::optional<double> voxel_size_m) {
  write_whole_file(path, convergence_csv(samples, voxel_size_m));
}

}  // namespace tessera

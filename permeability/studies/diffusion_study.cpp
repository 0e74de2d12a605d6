// SPDX-License-Identifier: MIT
#include "permeability/studies/diffusion_study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <memory>
#include <string_view>
#include <utility>
#include <variant>

#include "base/errors.hpp"
#include "base/machine/seconds_since.hpp"
#include "base/ranks/gathering.hpp"
#include "base/ranks/piece.hpp"
#include "base/ranks/ranks.hpp"
#include "base/ranks/same_for_all.hpp"
#include "base/settings.hpp"
#include "graph/runtime/runtime.hpp"
#include "io/json.hpp"
#include "io/results/results_json.hpp"
#include "permeability/flows/image_flows.hpp"
#include "permeability/flows/many_flows.hpp"
#include "permeability/flows/solver_room.hpp"
#include "permeability/flows/steady_workers.hpp"
#include "permeability/voxel_interval.hpp"
#include "run/console/log.hpp"
#include "run/plan/worker_plan.hpp"
#include "run/provenance.hpp"
#include "run/worker_results.hpp"

namespace tessera {
namespace {

/// The image's values as conductivities.
void take_values(Image const& image, LabelSet const& outside, Conductor& conductor) {
  std::visit(
      [&]<class T>(std::vector<T> const& voxels) {
        conductor.values.resize(voxels.size());
        for (std::size_t i = 0; i < voxels.size(); ++i) {
          auto const value = static_cast<double>(voxels[i]);
          if (outside.contains(value)) continue;
          if (!is_conductivity(value)) {
            throw BadInput(fmt::format(
                "{}: a voxel has the value {:g}: expected conductivities, 0 or {:g} to {:g}",
                image.path.string(), value, least_conductivity, most_conductivity));
          }
          conductor.values[i] = value;
        }
      },
      image.voxels);
}

std::array<double, 3> mean_flux(std::vector<float> const& flux, std::int64_t voxels) {
  std::array<double, 3> sum{};
  for (std::size_t i = 0; i < flux.size(); ++i) sum[i % 3] += double{flux[i]};
  for (double& component : sum) component /= static_cast<double>(voxels);
  return sum;
}

}  // namespace

void DiffusionRequest::check() const {
  flow.check();
  for (double const edge : edges_m.value_or(std::array<double, 3>{1, 1, 1}))
    require_between("voxel-size", edge, 1e-12, 1e3, "m");
  Runtime::check_scheduler(flow.scheduler);
  check_workers(flow.workers);
  if (max_iterations < 1 || max_iterations > std::numeric_limits<int>::max())
    throw BadInput(
        fmt::format("{} {}: expected at least 1", setting_name("max-iterations"), max_iterations));
  if (diffusivity) require_between("diffusivity", *diffusivity, 1e-30, 1e6, "m^2/s");
}

DiffusionStudy::DiffusionStudy(DiffusionRequest const& request)
    : request_(request), run_(this_run()) {}

std::array<double, 3> DiffusionStudy::take_edges(Image const& image) {
  std::array<double, 3> edges{};
  edges.fill(image_.voxel_size_m.value_or(1));
  if (request_.edges_m) {
    edges = *request_.edges_m;
    image_.voxel_size_m.reset();
    image_.voxel_size_from.reset();
  } else if (!request_.flow.voxel_size_m && voxels_are_no_cubes(image)) {
    edges = image.edges->metres;
  }
  return edges;
}

Conductor DiffusionStudy::conductor_in(Image const& image) const {
  PoreRule const& rule = request_.flow.image.rule;
  LabelSet const outside = rule.outside.value_or(LabelSet{});
  if (request_.values_conduct) {
    Conductor conductor{.geometry = {.shape = image.shape}};
    take_values(image, outside, conductor);
    conductor.geometry.pore.resize(conductor.values.size());
    if (rule.outside)
      conductor.geometry.outside = std::ranges::count(voxels_outside(image, outside), 1);
    return conductor;
  }
  return conductor_of(request_.conductivities.empty()
                          ? label_pores(image, rule)
                          : conductors(image, request_.conductivities, outside));
}

void DiffusionStudy::take(Image const& image) {
  image_ = image_result(image, request_.flow.image, request_.flow.voxel_size_m, false);
  std::array<double, 3> const edges = take_edges(image);
  expect_same_for_all(image_.path, image_.sha256);
  if (request_.values_conduct || !request_.conductivities.empty()) image_.pore.reset();
  conductor_ = conductor_in(image);
  conductor_.edges = edges;
  Geometry& geometry = conductor_.geometry;
  if (is_periodic()) geometry.periodic = {true, true, true};
  std::int64_t conducting = 0;
  double sum = 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < geometry.pore.size(); ++i) {
    double const own = conductor_.values.empty() ? conductor_.of_label[conductor_.labels[i]]
                                                 : conductor_.values[i];
    geometry.pore[i] = own > 0 ? 1 : 0;
    conducting += geometry.pore[i];
    sum += own;
    largest_ = std::max(largest_, own);
    if (own > 0) least = std::min(least, own);
  }
  if (conducting == 0)
    throw BadInput(fmt::format("{}: no voxel conducts: expected one at least", image_.path));
  auto const sample = static_cast<double>(geometry.sample_voxels());
  conducting_ = static_cast<double>(conducting) / sample;
  mean_ = sum / sample;
  components_.emplace(geometry, Links::faces);
  for (Axis const axis : request_.flow.axes) {
    answers_.push_back({.axis = axis, .percolating = components_->percolating_porosity(axis)});
    if (answers_.back().percolating > 0) continue;
    throw BadInput(fmt::format(
        "nothing that conducts leads through {} along {}: expected a connected path of voxels "
        "(through faces) from one side to the other",
        image_.path, axis_name(axis)));
  }
  if (request_.flow.refine > 0) check_refinable(conducting, least);
}

void DiffusionStudy::check_refinable(std::int64_t conducting, double least) const {
  int const factor = request_.flow.refine;
  auto const expect = [&](bool condition, std::string_view what) {
    if (!condition)
      throw BadInput(fmt::format("{} {}: expected {}", setting_name("refine"), factor, what));
  };
  expect(least == largest_, "one conductivity of all that conducts, as walls are refined");
  expect(!is_periodic(), "open ends");
  expect(has_cubes(), "voxels that are cubes");
  check_refinement(request_.flow.flow, {.gpus = gpus_to_use()}, conducting, factor);
}

bool DiffusionStudy::refine(std::atomic<bool> const& stop) {
  if (request_.flow.refine == 0) return true;
  auto const start = std::chrono::steady_clock::now();
  ManyFlows flows(request_.flow.workers, request_.flow.scheduler);
  for (DiffusionAnswer& answer : answers_) {
    if (!answer.converged) continue;
    answer.voxels = conductivity_interval(
        conductor_.geometry, answer.axis, answer.effective / largest_, request_.flow.flow,
        request_.flow.refine,
        [&](std::span<WantedFlow const> wanted) { return flows.answers(wanted, stop); });
    if (!answer.voxels) return false;
    answer.voxels->lower *= largest_;
    answer.voxels->upper *= largest_;
    for (double& value : answer.voxels->staircase) value *= largest_;
  }
  seconds_ += seconds_since(start);
  return true;
}

unsigned DiffusionStudy::gpus_to_use() const {
  constexpr std::int64_t bytes_per_node = 200;  // what the iteration has, and the set-up beside it
  SolverRoom const room = common_room(
      request_.flow.workers, static_cast<unsigned>(choose_gpus(request_.flow.workers.gpus)));
  auto const nodes = std::llround(conducting_ * static_cast<double>(sample_voxels()));
  unsigned const chosen = gpus_to_solve_on(nodes, bytes_per_node * nodes / room.processes, room,
                                           static_cast<std::int64_t>(answers_.size()));
  return room.gpus_are_asked_for ? room.gpus : chosen;
}

void DiffusionStudy::run(std::atomic<bool> const& stop, TakeFields const& take_fields,
                         std::function<void(DiffusionAnswer const&)> const& note) {
  auto const start = std::chrono::steady_clock::now();
  unsigned const gpus = gpus_to_use();
  Workers const workers{.cores = cores_or_all(request_.flow.workers, gpus), .gpus = gpus};
  SolvingTeam solving(Runtime::check_scheduler(request_.flow.scheduler, "eager"),
                      gpus > 0 ? 0 : static_cast<int>(workers.cores), static_cast<int>(gpus));
  scheduler_ = solving.runtime.scheduler();
  RunPiece const run_piece = pieces_of(&solving.team);
  std::vector<std::uint8_t> const conducting = conductor_.geometry.pore;
  Runtime::restart_counters();
  for (DiffusionAnswer& answer : answers_) {
    if (Ranks::any(stop)) break;
    auto const axis_start = std::chrono::steady_clock::now();
    conductor_.geometry.pore = conducting;
    components_->close_isolated(conductor_.geometry, answer.axis);
    SteadyOptions options;
    choose_workers(options, workers, &solving.team);
    std::optional<Axis> open;
    if (!is_periodic()) open = answer.axis;
    std::unique_ptr<DiffusionSpace> space;
    std::unique_ptr<DiffusionSolver> solver;
    run_piece("set up", [&] {
      space = make_diffusion_space(conductor_, open, options);
      solver = space->solver(answer.axis);
    });
    answer.set_up_seconds = seconds_since(axis_start);
    DiffusionResult const result = solve(*solver, request_.flow.flow.tolerance,
                                         {.limit = static_cast<int>(request_.max_iterations),
                                          .run_piece = run_piece,
                                          .stop = [&stop] { return Ranks::any(stop); }});
    answer.converged = result.confirmed;
    answer.effective = result.estimate.conductivity;
    answer.error_estimate = result.estimate.error_estimate;
    answer.iterations = result.estimate.iterations;
    answer.seconds = seconds_since(axis_start);
    bytes_per_node_ = space->bytes_per_node();
    if (note) note(answer);
    if (take_fields || is_periodic()) {
      Uninitialised<DiffusionState> states;
      run_piece("fields", [&] { states = solver->fields(); });
      Fields fields = fields_of(space->voxels(), states, answer.axis);
      if (is_periodic()) answer.column = mean_flux(fields.flux, sample_voxels());
      if (take_fields) take_fields(answer, std::move(fields));
    }
  }
  conductor_.geometry.pore = conducting;
  workers_ = workers_of_all_ranks(workers_of_runtime());
  seconds_ = seconds_since(start);
}

DiffusionStudy::Fields DiffusionStudy::fields_of(Uninitialised<std::int64_t> const& voxels,
                                                 Uninitialised<DiffusionState> const& states,
                                                 Axis axis) const {
  Int3 const shape = image_.shape;
  auto const size = static_cast<std::size_t>(volume(shape));
  auto const length = static_cast<double>(shape[axis]);
  Fields fields;
  fields.concentration.resize(size);
  fields.flux.resize(3 * size);
  fields.solved.resize(size);
  auto const put = [&](std::int64_t index, DiffusionState const& state) {
    auto const at = static_cast<std::size_t>(index);
    double const depth = static_cast<double>(voxel_at(shape, index)[axis]) + 0.5 + double{state[0]};
    fields.concentration[at] = static_cast<float>(1 - depth / length);
    for (std::size_t a = 0; a < 3; ++a) fields.flux[3 * at + a] = state[a + 1];
    fields.solved[at] = 1;
  };
  if (Ranks::alone()) {
    for (std::size_t i = 0; i < voxels.size(); ++i) put(voxels[i], states[i]);
    return fields;
  }
  Gathering gathering(1, [&put](std::span<std::byte const> bytes) {
    for (PieceReader piece(bytes); !piece.at_end();) {
      auto const index = piece.take<std::int64_t>();
      put(index, piece.take<DiffusionState>());
    }
  });
  PieceWriter own;
  for (std::size_t i = 0; i < voxels.size(); ++i) {
    own.add(voxels[i]);
    own.add(states[i]);
  }
  gathering.add(own.bytes());
  gathering.finish();
  return fields;
}

bool DiffusionStudy::complete() const {
  return std::ranges::all_of(answers_, &DiffusionAnswer::converged);
}

double DiffusionStudy::formation_factor(DiffusionAnswer const& answer) const {
  return largest_ / answer.effective;
}

double DiffusionStudy::tortuosity(DiffusionAnswer const& answer) const {
  return mean_ / answer.effective;
}

Json DiffusionStudy::to_json(DiffusionAnswer const& a) const {
  Json json{
      {"effective", a.effective},
      {"effective_m2_s", request_.diffusivity ? Json(*request_.diffusivity * a.effective) : Json()},
      {"formation_factor", formation_factor(a)},
      {"tortuosity", tortuosity(a)},
      {"percolating_fraction", a.percolating},
      {"error_estimate", a.error_estimate},
      {"iterations", a.iterations},
      {"converged", a.converged},
      {"seconds", a.seconds},
      {"set_up_seconds", a.set_up_seconds}};
  json["column"] = a.column ? Json(*a.column) : Json();
  if (auto const& voxels = a.voxels) {
    json["voxels"] = {{"factor", voxels->factor},
                      {"lower", voxels->lower},
                      {"upper", voxels->upper},
                      {"staircase", voxels->staircase},
                      {"pore_volume_doubt", voxels->pore_volume_doubt}};
  }
  return json;
}

Json DiffusionStudy::results() const {
  Json conductivities = Json::object();
  for (LabelConductivity const& own : request_.conductivities)
    conductivities[own.labels.text()] = own.value;
  Json axes = Json::object();
  for (DiffusionAnswer const& answer : answers_) {
    if (answer.iterations > 0) axes[std::string(1, name_of(answer.axis))] = to_json(answer);
  }
  return {
      {"run", tessera::to_json(run_)},
      {"image", tessera::to_json(image_)},
      {"setup",
       {{"voxel_edges_m", has_cubes() && !image_.voxel_size_m ? Json() : Json(conductor_.edges)},
        {"ends", is_periodic() ? "periodic" : "open"},
        {"conductivities", conductivities},
        {"values_conduct", request_.values_conduct},
        {"diffusivity_m2_s", request_.diffusivity ? Json(*request_.diffusivity) : Json()},
        {"tolerance", request_.flow.flow.tolerance}}},
      {"conducting_fraction", conducting_},
      {"mean_conductivity", mean_},
      {"diffusion", axes},
      {"performance",
       {{"seconds", seconds_},
        {"bytes_per_node", bytes_per_node_},
        {"scheduler", scheduler_},
        {"workers", tessera::to_json(workers_)}}},
      {"warnings", warnings_given()},
      {"software", tessera::to_json(software_result())}};
}

void DiffusionStudy::write(std::filesystem::path const& path, Fields const& fields) const {
  std::vector<Field> const all{
      {.name = "concentration", .components = 1, .values = std::span(fields.concentration)},
      {.name = "flux", .components = 3, .values = std::span(fields.flux)},
      {.name = "solved", .components = 1, .values = std::span(fields.solved)}};
  write_fields(path, image_.shape, Spacing(conductor_.edges), all);
}

std::string DiffusionStudy::line(DiffusionAnswer const& a) const {
  std::string const in_si = request_.diffusivity
                                ? fmt::format(", {:.6g} m^2/s", *request_.diffusivity * a.effective)
                                : "";
  return fmt::format(
      "along {}: effective conductivity {:.6g}{} ({} iterations: solver error {:.1e}{})\n"
      "  formation factor {:.6g}, tortuosity {:.6g}, leading through {:.4f} of the volume\n",
      axis_name(a.axis), a.effective, in_si, a.iterations, a.error_estimate,
      a.converged ? "" : ", not converged", formation_factor(a), tortuosity(a), a.percolating);
}

std::string DiffusionStudy::voxels_line(DiffusionAnswer const& a) {
  if (!a.voxels) return {};
  return fmt::format("along {}: the voxels leave {:.6g} to {:.6g} open\n", axis_name(a.axis),
                     a.voxels->lower, a.voxels->upper);
}

}  // namespace tessera

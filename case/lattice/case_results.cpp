// SPDX-License-Identifier: MIT
#include "case/lattice/case_results.hpp"

#include "case/toml_json.hpp"
#include "io/json.hpp"
#include "io/results/image_origin.hpp"
#include "io/results/results_json.hpp"
#include "io/sha256.hpp"
#include "run/console/log.hpp"

namespace tessera {
namespace {

Json flow_json(Case const& c, CaseOutcome const& outcome) {
  return {{"lattice", name_of(c.model.lattice)},         {"collision", name_of(c.model.collision)},
          {"equilibrium", name_of(c.model.equilibrium)}, {"precision", name_of(c.model.precision)},
          {"relaxation_time", c.fluid.relaxation_time},  {"viscosity", c.fluid.viscosity},
          {"reynolds", or_null(c.fluid.reynolds)},       {"mach", outcome.mach}};
}

Json units_json(CaseUnits const& units) {
  if (!units.si) return nullptr;
  return {
      {"voxel_m", units.voxel_m}, {"step_s", units.step_s}, {"density_kg_m3", units.density_kg_m3}};
}

Json forces_json(Case const& c, CaseRecords const& records) {
  Json forces = Json::object();
  for (std::size_t i = 0; i < c.output.forces.size(); ++i) {
    Case::ForceOutput const& output = c.output.forces[i];
    auto const& force = records.last_forces()[i];
    forces[output.name] = {
        {"on", output.on.text},
        {"force_lattice", force},
        {"coefficients", or_null(coefficients(output, force))},
        {"torque_lattice", output.about ? Json(records.last_torques()[i]) : Json(nullptr)}};
  }
  return forces;
}

/// In SI, if the case is.
Json final_si_json(Case const& c, CaseRecords const& records) {
  auto const& figures = records.last_figures();
  if (!figures || !c.units.si) return nullptr;
  return to_json(in_units(*figures, field_units(c.fluid.viscosity, c.units)));
}

Json strouhal_json(Case const& c, CaseRecords const& records) {
  Json numbers = Json::object();
  auto const found = records.strouhal_numbers();
  for (std::size_t i = 0; i < found.size(); ++i)
    numbers[c.output.strouhal[i].name] = or_null(found[i]);
  return numbers;
}

/// The image and the meshes that the case takes its solids from.
Json files_json(Case const& c) {
  Json files = Json::array();
  if (c.geometry.image) {
    Image const& image = *c.geometry.image;
    files.push_back({{"path", image.path.string()},
                     {"sha256", image.sha256},
                     {"generated", origin_of(image.path, image.sha256)}});
  }
  for (Case::Solid const& solid : c.geometry.solids) {
    if (solid.shape != Case::SolidShape::stl) continue;
    files.push_back({{"path", solid.stl.string()}, {"sha256", sha256_of_files({solid.stl})}});
  }
  return files;
}

/// As far as formulas of the file see them.
Json constants_json(Case const& c) {
  Json constants = Json::object();
  for (auto const& [name, value] : c.constants) constants[name] = value;
  return constants;
}

}  // namespace

Json case_results(RunResult const& run, Case const& c, CaseOutcome const& outcome,
                  CaseRecords const& records) {
  return {{"run", to_json(run)},
          {"case",
           {{"file", c.file.string()},
            {"title", c.title},
            {"set", c.overrides},
            {"input", to_json(c.input)},
            {"files", files_json(c)}}},
          {"constants", constants_json(c)},
          {"shape", {c.geometry.shape.x, c.geometry.shape.y, c.geometry.shape.z}},
          {"units", units_json(c.units)},
          {"flow", flow_json(c, outcome)},
          {"stop",
           {{"reason", describe(outcome.end, case_ends)},
            {"steps", outcome.steps},
            {"resumed_after_step", outcome.first_step == 0 ? Json() : Json(outcome.first_step)},
            {"steady", outcome.end == RunEnd::settled},
            {"change", or_null(outcome.change)}}},
          {"final", records.last_figures() ? to_json(*records.last_figures()) : Json()},
          {"final_si", final_si_json(c, records)},
          {"forces", forces_json(c, records)},
          {"strouhal", strouhal_json(c, records)},
          {"warnings", warnings_given()},
          {"performance", to_json(outcome.performance.result())},
          {"software", to_json(software_result())}};
}

}  // namespace tessera

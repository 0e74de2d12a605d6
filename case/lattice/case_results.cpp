// SPDX-License-Identifier: MIT
#include "case/lattice/case_results.hpp"

#include "io/json.hpp"
#include "io/results/image_origin.hpp"
#include "io/sha256.hpp"

namespace tessera {
namespace {

Json flow_json(Case const& c, double mach) {
  return {{"lattice", name_of(c.model.lattice)},         {"collision", name_of(c.model.collision)},
          {"equilibrium", name_of(c.model.equilibrium)}, {"precision", name_of(c.model.precision)},
          {"relaxation_time", c.fluid.relaxation_time},  {"viscosity", c.fluid.viscosity},
          {"reynolds", or_null(c.fluid.reynolds)},       {"mach", mach}};
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

}  // namespace

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

Json set_up_json(Case const& c, double mach) {
  return {{"shape", {c.geometry.shape.x, c.geometry.shape.y, c.geometry.shape.z}},
          {"units", units_json(c.units)},
          {"flow", flow_json(c, mach)}};
}

Json found_json(Case const& c, CaseRecords const& records) {
  return {{"final", records.last_figures() ? to_json(*records.last_figures()) : Json()},
          {"final_si", final_si_json(c, records)},
          {"forces", forces_json(c, records)},
          {"strouhal", strouhal_json(c, records)}};
}

}  // namespace tessera

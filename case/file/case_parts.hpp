// SPDX-License-Identifier: MIT
// The steps in which a case is read, in this order. For case/file/ alone.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "case/file/case.hpp"
#include "case/file/section_reader.hpp"

namespace tessera {

/// The method that the file names; all else is checked later. Throws BadInput.
CaseMethod method_of_case(std::filesystem::path const& path);
/// Reads the file, puts the overrides in their places and checks the keys.
CaseReading begin_reading(std::filesystem::path const& path,
                          std::vector<std::string> const& overrides, CaseMethod method);

CaseUnits read_units(CaseReading const& reading);
/// Reads dx, dt and [constants], which are usable from then on. Returns the constants.
Constants read_constants(CaseReading& reading);

/// Reads [formulas], which are usable from then on.
void read_formulas(CaseReading& reading);

Case::Geometry read_geometry(CaseReading const& reading, std::filesystem::path const& folder);
/// Reads the solids and checks labels, files and places; all else of the geometry must have been
/// read.
std::vector<Case::Solid> read_solids(CaseReading const& reading,
                                     std::filesystem::path const& folder,
                                     Case::Geometry const& geometry);
/// Makes the constants of the box, such as nx, ny, nz, usable in formulas.
void add_box_constants(CaseReading& reading, Int3 shape);

Case::Model read_model(CaseReading const& reading, Int3 shape);
/// Reads the fluid; relaxation rate and viscosity of the shear stresses depend on the lattice.
Case::Fluid read_fluid(CaseReading const& reading, LatticeKind lattice);

/// Reads the boundaries, with their conditions for periodic axes; needs geometry and model.
void read_boundaries(CaseReading const& reading, Case& c);
/// Reads `on` or `label` of a condition or a force.
Case::Place place_named(SectionReader const& section, Case::Geometry const& geometry,
                        std::string const& name);
Case::Place place_of_label(SectionReader const& section, Case::Geometry const& geometry);

/// Completes the rule of pores, once it is known which labels have a condition.
void complete_pore_rule(CaseReading const& reading, Case& c);

Case::Force read_force(CaseReading const& reading);
Case::Initial read_initial(CaseReading const& reading);
Case::Stop read_stop(CaseReading const& reading);
Case::Output read_output(CaseReading const& reading, Case const& c);
/// The schedule of a section with `every` and `final`.
Case::Schedule read_schedule(SectionReader const& section);
/// The `name` of a file.
std::string read_name(SectionReader const& section);
Case::Checkpoint read_checkpoint(CaseReading const& reading);
Case::InSitu read_insitu(CaseReading const& reading, std::filesystem::path const& folder);
Case::Run read_run(CaseReading const& reading);

/// Computes the Mach number and the warnings; refuses a case that cannot work.
void check_case(CaseReading const& reading, Case& c);

}  // namespace tessera

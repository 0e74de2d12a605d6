// SPDX-License-Identifier: MIT
// The steps in which a case is read, in this order. For case/file/ alone.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "case/file/case.hpp"
#include "case/file/section_reader.hpp"

namespace tessera {

/// What the file says it is computed by; all else is checked later. Throws BadInput.
CaseMethod method_of_case(std::filesystem::path const& path);
/// The file with the overrides in their places, its keys checked.
CaseReading begin_reading(std::filesystem::path const& path,
                          std::vector<std::string> const& overrides, CaseMethod method);

CaseUnits read_units(CaseReading const& reading);
/// dx, dt and [constants], which are usable from then on. Returns the latter.
Constants read_constants(CaseReading& reading);

/// [formulas], which are usable from then on.
void read_formulas(CaseReading& reading);

Case::Geometry read_geometry(CaseReading const& reading, std::filesystem::path const& folder);
/// Labels, files and places are checked; of the geometry all else has been read.
std::vector<Case::Solid> read_solids(CaseReading const& reading,
                                     std::filesystem::path const& folder,
                                     Case::Geometry const& geometry);
/// Makes nx, ny, nz and their likes usable in formulas.
void add_box_constants(CaseReading& reading, Int3 shape);

Case::Model read_model(CaseReading const& reading, Int3 shape);
/// Relaxation rate and viscosity of the shear stresses depend on the lattice.
Case::Fluid read_fluid(CaseReading const& reading, LatticeKind lattice);

/// Boundaries, and what they say of periodic axes; needs geometry and model.
void read_boundaries(CaseReading const& reading, Case& c);
/// `on` or `label` of a condition or a force.
Case::Place place_named(SectionReader const& section, Case::Geometry const& geometry,
                        std::string const& name);
Case::Place place_of_label(SectionReader const& section, Case::Geometry const& geometry);

/// Completes the rule that says what is pore, once it is known which labels have a condition.
void complete_pore_rule(CaseReading const& reading, Case& c);

Case::Force read_force(CaseReading const& reading);
Case::Initial read_initial(CaseReading const& reading);
Case::Stop read_stop(CaseReading const& reading);
Case::Output read_output(CaseReading const& reading, Case const& c);
/// Of a section with `every` and `final`.
Case::Schedule read_schedule(SectionReader const& section);
/// The `name` of a file.
std::string read_name(SectionReader const& section);
Case::Checkpoint read_checkpoint(CaseReading const& reading);
Case::InSitu read_insitu(CaseReading const& reading, std::filesystem::path const& folder);
Case::Run read_run(CaseReading const& reading);

/// Finds the Mach number and what is suspicious; refuses what cannot work.
void check_case(CaseReading const& reading, Case& c);

}  // namespace tessera

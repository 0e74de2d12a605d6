// SPDX-License-Identifier: MIT
// Sections of a case's results.json. Lattice units, except for seconds.
#pragma once

#include "case/file/case.hpp"
#include "case/lattice/case_records.hpp"
#include "io/json_fwd.hpp"

namespace tessera {

/// The image and the meshes that the case takes its solids from.
Json files_json(Case const& c);
/// What flows in what. `mach`: of the largest speed that has been seen.
Json set_up_json(Case const& c, double mach);
/// What was found.
Json found_json(Case const& c, CaseRecords const& records);

}  // namespace tessera

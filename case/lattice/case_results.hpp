// SPDX-License-Identifier: MIT
// results.json of a case.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "case/file/case.hpp"
#include "case/lattice/case_records.hpp"
#include "case/lattice/case_run.hpp"
#include "io/results/results.hpp"

namespace tessera {

/// The computation and its results. Lattice units, except for seconds.
nlohmann::ordered_json case_results(RunResult const& run, Case const& c, CaseOutcome const& outcome,
                                    CaseRecords const& records);

}  // namespace tessera

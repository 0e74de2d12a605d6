// SPDX-License-Identifier: MIT
// A case from its tiles to its last step.
#pragma once

#include <optional>
#include <string>

#include "case/file/case.hpp"
#include "case/flow_job.hpp"
#include "case/lattice/case_records.hpp"
#include "case/lattice/case_setup.hpp"
#include "run/fields/flow_state.hpp"
#include "run/flow_loop.hpp"
#include "run/performance.hpp"
#include "run/plan/flow_tiles.hpp"

namespace tessera {

inline constexpr EndWords case_ends{.settled = "steady", .all_steps = "all steps done"};

struct CaseOutcome : RunOutcome {
  std::optional<double> change;
  double mach = 0;                 ///< of the largest speed that has been seen
  std::string absurd;              ///< what was, if the flow diverged while it had numbers
  std::optional<FlowState> state;  ///< the last one; none of a flow that diverged
};

/// Runs it to its end, and adds what it took to `performance`; a Runtime must be there. `observe`
/// is called after each sweep.
CaseOutcome run_case(Case const& c, CaseSetup const& setup, TilesAsked const& asked,
                     Workers const& workers, CaseRecords& records, Performance& performance,
                     ObserveFlow const& observe, RunControl control);

}  // namespace tessera

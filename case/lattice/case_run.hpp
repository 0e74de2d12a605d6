// SPDX-License-Identifier: MIT
// A case from its tiles to its last step.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "case/file/case.hpp"
#include "case/lattice/case_records.hpp"
#include "case/lattice/case_setup.hpp"
#include "run/fields/flow_state.hpp"
#include "run/flow_loop.hpp"
#include "run/performance.hpp"
#include "run/plan/flow_tiles.hpp"

namespace tessera {

inline constexpr EndWords case_ends{.settled = "steady", .all_steps = "all steps done"};

/// How far it is.
struct CaseProgress {
  std::int64_t step = 0;
  std::int64_t nodes = 0;
  std::int64_t tiles = 0;
  std::optional<double> change;  ///< relative, of the velocities, when it was last looked at
};
using ObserveCase = std::function<void(CaseProgress const&)>;

struct CaseOutcome : RunOutcome {
  std::optional<double> change;
  double mach = 0;                 ///< of the largest speed that has been seen
  std::string absurd;              ///< what was, if the flow diverged while it had numbers
  std::optional<FlowState> state;  ///< the last one; none of a flow that diverged
  Performance performance;
};

/// Runs it to its end; a Runtime must be there. `observe` is called after each sweep.
CaseOutcome run_case(Case const& c, CaseSetup const& setup, TilesAsked const& asked,
                     Workers const& workers, CaseRecords& records, ObserveCase const& observe,
                     RunControl control);

}  // namespace tessera

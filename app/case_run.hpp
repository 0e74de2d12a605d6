// SPDX-License-Identifier: MIT
// A case from its tiles to its last step.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/case_records.hpp"
#include "app/case_setup.hpp"
#include "app/flow_run.hpp"
#include "app/flow_state.hpp"
#include "app/run_control.hpp"
#include "io/case/case.hpp"

namespace tessera {

enum class CaseEnd : std::uint8_t {
  all_steps,
  steady,
  interrupted,
  diverged,    ///< no numbers any more, or absurd ones
  steered,     ///< whoever looks at the flow says so
  look_failed  ///< looking at the flow failed, and the user wants that to end the run
};
char const* describe(CaseEnd end);

/// How far it is.
struct CaseProgress {
  std::int64_t step = 0;
  std::optional<double> change;  ///< relative, of the velocities, when it was last looked at
  double mflups = 0;
};

struct CaseOutcome {
  CaseEnd end = CaseEnd::all_steps;
  CaseProgress last;
  std::int64_t first_step = 0;  ///< that the run began after
  double seconds = 0;
  std::int64_t nodes = 0;
  std::int64_t tiles = 0;
  double mach = 0;                 ///< of the largest speed that has been seen
  std::string absurd;              ///< what was, if the flow diverged while it had numbers
  std::optional<FlowState> state;  ///< the last one; none of a flow that diverged
};

/// The tiles, the window and who computes, as a flow_case says; a Runtime must be there. `observe`
/// is called after each sweep.
CaseOutcome run_case(Case const& c, CaseSetup const& setup, FlowCase const& flow_case,
                     Workers const& workers, CaseRecords& records,
                     std::function<void(CaseProgress const&)> const& observe,
                     RunControl const& control);

}  // namespace tessera

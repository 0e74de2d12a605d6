// SPDX-License-Identifier: MIT
// A gas from its first state to its last step.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "case/gas/gas_flow.hpp"
#include "case/gas/gas_records.hpp"
#include "run/flow_loop.hpp"
#include "run/run_control.hpp"

namespace tessera {

inline constexpr EndWords gas_ends{.settled = "", .all_steps = "all steps done"};

struct GasProgress {
  std::int64_t step = 0;
  std::optional<std::int64_t> of;  ///< steps, where their number is known
  double time = 0;
};

struct GasOutcome : RunOutcome {
  double time = 0;                ///< that it has come to
  std::optional<GasState> state;  ///< the last one; none of a flow that diverged
};

/// The number of the last step, if the file says it, in so many words or by a fixed step.
std::optional<std::int64_t> last_step_of(GasCase const& c);

/// Runs it to its end. `observe` is called after each sweep.
GasOutcome run_gas(GasCase const& c, GasSetup const& setup, GasFlow& flow, GasRecords& records,
                   std::function<void(GasProgress const&)> const& observe, RunControl control);

}  // namespace tessera

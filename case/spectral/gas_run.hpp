// SPDX-License-Identifier: MIT
// A gas from its first state to its last step.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "case/spectral/gas_flow.hpp"
#include "case/spectral/gas_records.hpp"
#include "run/flow_loop.hpp"
#include "run/run_control.hpp"

namespace tessera {

inline constexpr EndWords gas_ends{.settled = "", .all_steps = "all steps done"};

struct GasProgress {
  std::int64_t step = 0;
  std::optional<std::int64_t> of;  ///< steps, where their number is known
  double time = 0;                 ///< when the state was measured last
};

struct GasOutcome : RunOutcome {
  spectral::GasMeasurement measured;  ///< the last one
  // On the first rank:
  double entropy_error = 0;       ///< of the last state, against the mean entropy at first
  std::optional<GasState> state;  ///< the last one; none of a flow that diverged
};

/// Where it goes on from: the checkpoint, if there is one. Throws BadInput.
GasStart start_of(GasCase const& c, Checkpoints const& checkpoints);

/// Runs it from there to its end. `observe` is called after each step. Throws BadInput for an
/// initial state that no gas can be in.
GasOutcome run_gas(GasCase const& c, GasSetup const& setup, GasStart const& start, GasFlow& flow,
                   GasRecords& records, std::function<void(GasProgress const&)> const& observe,
                   RunControl control);

}  // namespace tessera

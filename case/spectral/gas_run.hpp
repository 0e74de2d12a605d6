// SPDX-License-Identifier: MIT
// A run of a gas from its first state to its last step.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "case/flow_job.hpp"
#include "case/spectral/gas_flow.hpp"
#include "case/spectral/gas_records.hpp"
#include "run/flow_loop.hpp"
#include "run/run_control.hpp"

namespace tessera {

inline constexpr EndWords gas_ends{.settled = "", .all_steps = "all steps done"};

struct GasOutcome : RunOutcome {
  spectral::GasMeasurement measured;  ///< the last one
  // On rank 0:
  double entropy_error = 0;       ///< of the last state, relative to the initial mean entropy
  std::optional<GasState> state;  ///< the last one; none if the flow diverged
};

/// Where a run begins: at the checkpoint, if there is one. Throws BadInput.
GasStart start_of(GasCase const& c, Checkpoints const& checkpoints);

/// Runs a gas from its start to its end. `observe` is called after each step. Throws BadInput for
/// an impossible initial state.
GasOutcome run_gas(GasCase const& c, GasSetup const& setup, GasStart const& start, GasFlow& flow,
                   GasRecords& records, ObserveFlow const& observe, RunControl control);

}  // namespace tessera

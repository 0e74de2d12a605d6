// SPDX-License-Identifier: MIT
// Short ways to a flow for the tests.
#pragma once

#include "graph/runtime/runtime.hpp"
#include "permeability/flows/permeability_run.hpp"

namespace tessera::test {

/// A run in double precision that ends when k has settled, long before the velocities have.
inline PermeabilityCase double_case() {
  PermeabilityCase flow_case;
  flow_case.setup = FlowSetup::periodic;
  flow_case.precision = Precision::double_precision;
  flow_case.tolerance = 1e-10;
  flow_case.for_fields = false;
  flow_case.max_steps = 200'000;
  return flow_case;
}

/// Runs a flow to its end; a Runtime must be there.
inline PermeabilityOutcome flow(Geometry const& geometry, Axis axis,
                                PermeabilityCase const& flow_case) {
  PreparedFlow const preparation = prepare_flow(geometry, axis, flow_case, {2});
  return PermeabilityRun(preparation, flow_case).run();
}

}  // namespace tessera::test

// SPDX-License-Identifier: MIT
// Short ways to a flow for the tests.
#pragma once

#include "app/flow_run.hpp"
#include "graph/runtime.hpp"

namespace tessera::test {

inline FlowCase double_case() {
  FlowCase flow_case;
  flow_case.setup = FlowSetup::periodic;
  flow_case.precision = Precision::double_precision;
  flow_case.tolerance = 1e-10;
  flow_case.max_steps = 200'000;
  return flow_case;
}

/// Runs a flow to its end; a Runtime must be there.
inline FlowOutcome flow(Geometry const& geometry, Axis axis, FlowCase const& flow_case) {
  FlowPreparation const preparation = prepare_flow(geometry, axis, flow_case, {2});
  return FlowRun(preparation, axis, flow_case).run();
}

}  // namespace tessera::test

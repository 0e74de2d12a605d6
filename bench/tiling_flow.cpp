// SPDX-License-Identifier: MIT
#include "bench/tiling_flow.hpp"

#include "app/hybrid_flow.hpp"

namespace tessera {

double measure_tiling(Tiling const& tiling, Precision precision, unsigned cores, Balance balance,
                      double seconds) {
  Runtime const runtime({}, static_cast<int>(cores), 0);
  FlowOptions options;
  options.precision = precision;
  double const force[3] = {1e-6, 0, 0};  // small: the speed does not depend on it
  options.parameters = collision_parameters<double>(CollisionOperator::trt, 0.6, 3.0 / 16.0, force);
  options.balance = balance;
  FlowGraph graph(tiling, options);
  steps_per_second(graph, 0.25 * seconds);  // warm: the first step makes the plans
  return static_cast<double>(tiling.nodes) * steps_per_second(graph, seconds) * 1e-6;
}

}  // namespace tessera

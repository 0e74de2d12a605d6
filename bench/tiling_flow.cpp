// SPDX-License-Identifier: MIT
#include "bench/tiling_flow.hpp"

#include <chrono>

namespace tessera {
namespace {

/// Steps for about so many seconds; returns steps a second.
double steps_per_second(FlowGraph& graph, double seconds) {
  auto const start = std::chrono::steady_clock::now();
  auto const passed = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  std::int64_t const before = graph.steps();
  do {
    graph.submit_step();
  } while (passed() < seconds);
  graph.wait();
  return static_cast<double>(graph.steps() - before) / passed();
}

}  // namespace

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

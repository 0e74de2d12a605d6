// SPDX-License-Identifier: MIT
#include "app/hybrid_flow.hpp"

#include <chrono>

#include "app/flow_cut.hpp"

namespace tessera {

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

HybridFlow::HybridFlow(HybridCase const& hybrid) {
  FlowCase flow_case;
  flow_case.setup = FlowSetup::periodic;
  flow_case.precision = hybrid.precision;
  flow_case.relaxation_time = 0.6;
  flow_case.tiles = hybrid.tiles;
  flow_case.nodes_per_tile = hybrid.nodes_per_tile;
  preparation_ = prepare_flow(*hybrid.rock, Axis::x, flow_case, hybrid.workers);
  runtime_ = std::make_unique<Runtime>("", static_cast<int>(hybrid.workers.cores),
                                       static_cast<int>(hybrid.workers.gpus));
  FlowOptions options;
  options.precision = hybrid.precision;
  double const force[3] = {preparation_.body_force, 0, 0};
  options.parameters =
      collision_parameters<double>(flow_case.collision, 0.6, flow_case.magic, force);
  options.domains = domains_of(hybrid.workers);
  options.balance = hybrid.balance;
  options.window = hybrid.window;
  options.cut_anew = cut_anew_of(preparation_, flow_case);
  graph_ = std::make_unique<FlowGraph>(preparation_.tiling, options);
}

double HybridFlow::run(double seconds) {
  return static_cast<double>(nodes()) * steps_per_second(*graph_, seconds) * 1e-6;
}

}  // namespace tessera

// SPDX-License-Identifier: MIT
#include "app/hybrid_flow.hpp"

#include <chrono>
#include <utility>

#include "app/flow_cut.hpp"

namespace tessera {
namespace {

FlowCase flow_case(HybridCase const& hybrid) {
  FlowCase result;
  result.setup = FlowSetup::periodic;
  result.model = hybrid.model;
  result.precision = hybrid.precision;
  result.relaxation_time = 0.6;
  result.tiles = hybrid.tiles;
  result.nodes_per_tile = hybrid.nodes_per_tile;
  return result;
}

}  // namespace

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

FlowPreparation prepare_flow(HybridCase const& hybrid) {
  return prepare_flow(*hybrid.rock, Axis::x, flow_case(hybrid), hybrid.workers);
}

HybridFlow::HybridFlow(HybridCase const& hybrid)
    : HybridFlow(hybrid, std::make_shared<FlowPreparation const>(prepare_flow(hybrid))) {}

HybridFlow::HybridFlow(HybridCase const& hybrid, std::shared_ptr<FlowPreparation const> preparation)
    : preparation_(std::move(preparation)),
      runtime_(std::make_unique<Runtime>(hybrid.scheduler, static_cast<int>(hybrid.workers.cores),
                                         static_cast<int>(hybrid.workers.gpus))) {
  FlowCase const flow = flow_case(hybrid);
  FlowOptions options;
  options.precision = hybrid.precision;
  double const force[3] = {preparation_->body_force, 0, 0};
  options.model = flow.model;
  options.parameters =
      flow_parameters(flow.model, preparation_->relaxation_time, flow.magic, force);
  options.domains = domains_of(hybrid.workers);
  options.balance = hybrid.balance;
  options.window = hybrid.window;
  options.border_first = hybrid.border_first;
  if (hybrid.may_be_cut_anew) options.cut_anew = cut_anew_of(*preparation_, flow);
  graph_ = std::make_unique<FlowGraph>(preparation_->tiling, options);
}

double HybridFlow::run(double seconds) {
  return static_cast<double>(nodes()) * steps_per_second(*graph_, seconds) * 1e-6;
}

}  // namespace tessera

// SPDX-License-Identifier: MIT
#include "run/plan/hybrid_flow.hpp"

#include <chrono>
#include <functional>
#include <utility>

namespace tessera {
namespace {

std::function<BlockGrid()> grid_of(HybridCase const& hybrid) {
  return [rock = hybrid.rock, lattice = hybrid.model.lattice] { return BlockGrid(*rock, lattice); };
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

HybridCase hybrid_case(Geometry const& rock, Precision precision, Workers const& workers) {
  HybridCase hybrid;
  hybrid.precision = precision;
  hybrid.rock = &rock;
  hybrid.workers = workers;
  return hybrid;
}

FlowTiles plan_tiles(HybridCase const& hybrid) {
  return plan_tiles(grid_of(hybrid)(), hybrid.rock->periodic, hybrid.workers, hybrid);
}

HybridFlow::HybridFlow(HybridCase const& hybrid)
    : HybridFlow(hybrid, std::make_shared<FlowTiles const>(plan_tiles(hybrid))) {}

HybridFlow::HybridFlow(HybridCase const& hybrid, std::shared_ptr<FlowTiles const> tiles)
    : tiles_(std::move(tiles)),
      runtime_(std::make_unique<Runtime>(hybrid.scheduler, static_cast<int>(hybrid.workers.cores),
                                         static_cast<int>(hybrid.workers.gpus))) {
  FlowOptions options =
      flow_options(*tiles_, hybrid.workers, hybrid,
                   hybrid.may_be_cut_anew ? grid_of(hybrid) : std::function<BlockGrid()>{});
  options.halo = hybrid.halo;
  double const force[3] = {1e-6, 0, 0};  // small: the speed does not depend on it
  options.parameters = flow_parameters(hybrid.model, 0.6, 3.0 / 16.0, force);
  graph_ = std::make_unique<FlowGraph>(tiles_->tiling, options);
}

double HybridFlow::run(double seconds) {
  return static_cast<double>(nodes()) * steps_per_second(*graph_, seconds) * 1e-6;
}

}  // namespace tessera

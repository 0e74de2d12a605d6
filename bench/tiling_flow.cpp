// SPDX-License-Identifier: MIT
#include "bench/tiling_flow.hpp"

#include "run/plan/hybrid_flow.hpp"

namespace tessera {
namespace {

std::vector<Domain> domains_for(TilingCase const& tiling_case) {
  std::vector<Domain> domains = Runtime::domains(false);  // GPUs
  Domain const cores = Runtime::cores();
  if (!tiling_case.part_for_each_worker) {
    domains.push_back(cores);
    return domains;
  }
  for (int const worker : cores.workers) domains.push_back({cores.kind, {worker}});
  return domains;
}

FlowOptions options_for(TilingCase const& tiling_case) {
  FlowOptions options;
  options.precision = tiling_case.precision;
  // Small, the speed does not depend on it; and askew to the axes, for those who compare fields.
  double const force[3] = {1e-6, -0.7e-6, 0.4e-6};
  options.parameters = flow_parameters(options.model, 0.6, 3.0 / 16.0, force);
  options.domains = domains_for(tiling_case);
  options.balance = tiling_case.balance;
  return options;
}

}  // namespace

TilingFlow::TilingFlow(TilingCase const& tiling_case)
    : nodes_(static_cast<double>(tiling_case.tiling->nodes)),
      runtime_({}, static_cast<int>(tiling_case.cores), static_cast<int>(tiling_case.gpus)),
      graph_(*tiling_case.tiling, options_for(tiling_case)) {}

double TilingFlow::run(double seconds) { return nodes_ * steps_per_second(graph_, seconds) * 1e-6; }

TilingSpeed measure_tiling(TilingCase const& tiling_case, double seconds) {
  TilingFlow flow(tiling_case);
  flow.run(0.25 * seconds);  // warm: the first step makes the plans
  std::int64_t const first = flow.graph().steps();
  std::vector<TileReport> const before = flow.graph().tile_reports();
  TilingSpeed speed{.mflups = flow.run(seconds)};
  std::vector<TileReport> const after = flow.graph().tile_reports();
  auto const steps = static_cast<double>(flow.graph().steps() - first);
  for (std::size_t t = 0; t < after.size(); ++t)
    speed.busy_s.push_back((after[t].busy_s - before[t].busy_s) / steps);
  return speed;
}

}  // namespace tessera

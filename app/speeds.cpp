// SPDX-License-Identifier: MIT
#include "app/speeds.hpp"

#include <fmt/format.h>

#include <chrono>
#include <optional>
#include <string>

#include "app/flow_run.hpp"
#include "app/kept_figures.hpp"
#include "graph/runtime.hpp"
#include "io/generate.hpp"
#include "lattice/errors.hpp"

namespace tessera {
namespace {

/// A rock for the measurement: large enough to fill the workers, small enough for a second.
FlowPreparation rock(std::int64_t edge, Workers const& workers, Precision precision) {
  FlowCase flow_case;
  flow_case.setup = FlowSetup::periodic;
  flow_case.precision = precision;
  flow_case.relaxation_time = 0.6;
  return prepare_flow(overlapping_spheres({edge, edge, edge}, 14, 0.3, 7).geometry, Axis::x,
                      flow_case, workers);
}

double measure(Workers const& workers, Precision precision, std::int64_t edge) {
  FlowPreparation const preparation = rock(edge, workers, precision);
  Runtime const runtime({}, static_cast<int>(workers.cores), static_cast<int>(workers.gpus));
  FlowOptions options;
  options.precision = precision;
  options.parameters = collision_parameters<double>(CollisionOperator::trt, 0.6, 3.0 / 16, {});
  options.domains = domains_of(workers);
  FlowGraph graph(preparation.tiling, options);
  auto const steps_in = [&](double seconds) {
    auto const start = std::chrono::steady_clock::now();
    std::int64_t steps = 0;
    double passed = 0;
    while (passed < seconds) {
      graph.submit_step();
      ++steps;
      passed = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    }
    graph.wait();
    passed = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return static_cast<double>(steps) / passed;
  };
  steps_in(0.1);  // first touch of memory, plans
  return steps_in(0.4) * static_cast<double>(preparation.tiling.nodes);
}

template <class Measure>
double kept_or_measured(std::string const& key, Measure&& measure_now) {
  if (std::optional<double> const kept = kept_figure(key)) return *kept;
  double const speed = measure_now();
  keep_figure(key, speed);
  return speed;
}

}  // namespace

Speeds speeds_of_machine(unsigned cores, unsigned gpus, Precision precision) {
  Speeds speeds;
  if (cores > 0) {
    speeds.cores = kept_or_measured(figure_key(fmt::format("{} cores", cores), precision), [&] {
      return measure({.cores = cores, .gpus = 0}, precision, 192);
    });
  }
  if (gpus > 0) {
    speeds.gpu = kept_or_measured(figure_key(Runtime::gpu_name(), precision),
                                  [&] { return measure({.cores = 1, .gpus = 1}, precision, 384); });
  }
  return speeds;
}

}  // namespace tessera

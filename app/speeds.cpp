// SPDX-License-Identifier: MIT
#include "app/speeds.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "app/flow_run.hpp"
#include "graph/runtime.hpp"
#include "io/atomic_file.hpp"
#include "io/generate.hpp"
#include "lattice/errors.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

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

std::string key_of(std::string const& device, Precision precision) {
  char host[256] = "";
  gethostname(host, sizeof host - 1);
  constexpr char const* names[] = {"single", "double", "half"};
  return fmt::format("{}, {}, D3Q19, {}", host, device, names[static_cast<int>(precision)]);
}

nlohmann::ordered_json read_kept() {
  std::ifstream file(speeds_file());
  auto kept = nlohmann::ordered_json::parse(file, nullptr, false);
  return kept.is_object() ? kept : nlohmann::ordered_json::object();
}

/// Keeping is a convenience: a full or read-only disk must not stop a run.
void keep(std::string const& key, double speed) {
  nlohmann::ordered_json kept = read_kept();
  kept[key] = speed;
  try {
    fs::create_directories(speeds_file().parent_path());
    write_whole_file(speeds_file(), kept.dump(2) + "\n");
  } catch (std::exception const& error) {
    spdlog::debug("speeds are not kept: {}", error.what());
  }
}

template <class Measure>
double kept_or_measured(std::string const& key, Measure&& measure_now) {
  nlohmann::ordered_json const kept = read_kept();
  if (auto const found = kept.find(key); found != kept.end() && found->is_number())
    return found->template get<double>();
  double const speed = measure_now();
  keep(key, speed);
  return speed;
}

}  // namespace

fs::path speeds_file() {
  for (auto const& [variable, below] : {std::pair{"TESSERA_CACHE", ""},
                                        {"XDG_CACHE_HOME", "tessera"},
                                        {"HOME", ".cache/tessera"}}) {
    if (char const* const folder = std::getenv(variable); folder != nullptr && *folder != '\0')
      return fs::path(folder) / below / "speeds.json";
  }
  return fs::temp_directory_path() / "tessera" / "speeds.json";
}

Speeds speeds_of_machine(unsigned cores, unsigned gpus, Precision precision) {
  Speeds speeds;
  if (cores > 0) {
    speeds.cores = kept_or_measured(key_of(fmt::format("{} cores", cores), precision), [&] {
      return measure({.cores = cores, .gpus = 0}, precision, 192);
    });
  }
  if (gpus > 0) {
    speeds.gpu = kept_or_measured(key_of(Runtime::gpu_name(), precision),
                                  [&] { return measure({.cores = 1, .gpus = 1}, precision, 384); });
  }
  return speeds;
}

}  // namespace tessera

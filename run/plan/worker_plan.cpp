// SPDX-License-Identifier: MIT
#include "run/plan/worker_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/errors.hpp"
#include "base/ranks/ranks.hpp"
#include "base/settings.hpp"
#include "graph/runtime/runtime.hpp"
#include "graph/runtime/starpu_environment.hpp"

namespace tessera {
namespace {

/// Seconds a step that the halo exchange with cores costs the GPUs: some ten tasks and a hundred
/// transfers more. Measured on an H200 (docs/performance.md).
constexpr double exchange_s = 0.3e-3;
/// Relative gain; a smaller one is not worth the risk of slowing the GPUs' threads down.
constexpr double least_gain = 0.01;
/// Nodes of each GPU: with fewer a step is over before cores could have helped, on any GPU.
constexpr std::int64_t fewest_nodes = 20'000'000;

/// Number of cores asked for beside GPUs.
unsigned cores_asked(WorkersAsked const& asked, unsigned gpus) {
  if (asked.cores_if_they_help) return cores_beside(gpus, cores_present());
  return asked.cores < 0 ? 0 : static_cast<unsigned>(asked.cores);
}

}  // namespace

WorkersAsked workers_asked(int gpus, std::string const& cores) {
  WorkersAsked asked{.gpus = gpus};
  if (cores.empty() || cores == "auto") {
    asked.cores_if_they_help = true;
    return asked;
  }
  auto const [end, error] = std::from_chars(cores.data(), cores.data() + cores.size(), asked.cores);
  if (error != std::errc() || end != cores.data() + cores.size() || asked.cores < 0)
    throw BadInput(
        fmt::format("{}: expected a number of cores, or auto", setting_text("cores", cores)));
  return asked;
}

unsigned cores_beside(unsigned gpus, unsigned cores_present) {
  unsigned const kept_free = gpus + 2;  // one to submit, one for all else that runs on the machine
  return cores_present > kept_free ? cores_present - kept_free : 0;
}

unsigned gpus_that_help(std::int64_t nodes, unsigned gpus) {
  constexpr std::int64_t fewest_of_each = 2'000'000;
  if (gpus == 0) return 0;
  return static_cast<unsigned>(std::clamp<std::int64_t>(nodes / fewest_of_each, 1, gpus));
}

unsigned cores_or_all(WorkersAsked const& asked, unsigned gpus) {
  if (asked.cores >= 0) return static_cast<unsigned>(asked.cores);
  return gpus > 0 ? cores_beside(gpus, cores_present()) : cores_present();
}

WorkerPlan plan_workers(WorkersAsked const& asked, unsigned gpus, std::int64_t nodes,
                        Speeds const& speeds) {
  WorkerPlan plan;
  plan.workers.gpus = gpus;
  plan.workers.gpu_bytes = Runtime::gpu_bytes();
  plan.workers.beside_others = !Ranks::alone();
  if (gpus == 0) {
    plan.workers.cores = asked.cores > 0 ? static_cast<unsigned>(asked.cores) : cores_present();
    return plan;
  }
  plan.workers.cores = 1;  // this core adds up the sums
  bool const free_choice = asked.cores_if_they_help;
  unsigned const cores = cores_asked(asked, gpus);
  if (cores == 0) return plan;
  double const gpus_alone = gpus * speeds.gpu;
  double const share = speeds.cores / (speeds.cores + gpus_alone);
  double const cost = exchange_s * gpus_alone / static_cast<double>(nodes);
  if (free_choice && nodes < gpus * fewest_nodes) {
    plan.reason = fmt::format("cores left out: {} nodes are too few to be shared with them", nodes);
  } else if (free_choice && share - cost < least_gain) {
    plan.reason = fmt::format(
        "cores left out: {} of them would add {:.1f} % and cost {:.1f} % for the exchange with "
        "them",
        cores, 100 * share, 100 * cost);
  } else {
    plan.workers.cores = cores;
    plan.workers.cores_share = share;
    plan.reason = fmt::format("{} cores take {:.1f} % of the nodes", cores, 100 * share);
  }
  return plan;
}

int choose_gpus(int asked_for) {
  int const present = Runtime::gpus_present();
  if (asked_for < 0) return present;
  if (asked_for > present) {
    throw BadInput(fmt::format("{} {}: expected at most {}, the GPUs that can be used here",
                               setting_name("gpus"), asked_for, present));
  }
  return asked_for;
}

void check_workers(WorkersAsked const& asked) {
  check_starpu_environment();  // before its numbers are believed
  int const gpus = choose_gpus(asked.gpus);
  unsigned const present = cores_present();
  if (asked.cores > static_cast<int>(present)) {
    throw BadInput(fmt::format("{} {}: expected at most {}, the cores that can be used here",
                               setting_name("cores"), asked.cores, present));
  }
  if (gpus == 0 && asked.cores == 0)
    throw BadInput(setting_text("cores", "0") +
                   ": expected a GPU, or a core at least, to compute on");
}

WorkerPlan plan_workers(WorkersAsked const& asked, std::int64_t nodes, Precision precision) {
  check_workers(asked);
  auto gpus = static_cast<unsigned>(choose_gpus(asked.gpus));
  if (asked.gpus < 0) gpus = gpus_that_help(nodes / Ranks::count(), gpus);
  unsigned const beside = cores_asked(asked, gpus);
  Speeds speeds;
  bool const free_choice = asked.cores_if_they_help;
  bool const needed = !free_choice || nodes >= gpus * fewest_nodes;
  if (gpus > 0 && beside > 0 && needed) {
    // Measuring runs a flow, in which all ranks would have to take part.
    speeds = Ranks::alone() ? speeds_of_machine(beside, gpus, precision)
                            : kept_speeds(beside, gpus, precision);
    if (speeds.gpu == 0) {
      WorkerPlan plan = plan_workers({.gpus = asked.gpus, .cores = 0}, gpus, nodes, speeds);
      plan.reason = "cores left out: a single process has to measure them first (tessera tune)";
      return plan;
    }
  }
  return plan_workers(asked, gpus, nodes / Ranks::count(), speeds);
}

}  // namespace tessera

// SPDX-License-Identifier: MIT
#include "case/spectral/gas_job.hpp"

#include <fmt/format.h>

#include <chrono>
#include <map>
#include <utility>
#include <vector>

#include "base/machine/seconds_since.hpp"
#include "base/ranks/ranks.hpp"
#include "case/file/gas_words.hpp"
#include "case/spectral/gas_in_situ.hpp"
#include "graph/runtime/runtime.hpp"
#include "io/json.hpp"
#include "io/results/results_json.hpp"
#include "io/sha256.hpp"
#include "run/checkpoint/flow_identity.hpp"
#include "run/plan/worker_plan.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

Json mesh_json(spectral::MeshOfGas const& of) {
  std::map<int, std::int64_t> by_degree;
  for (std::uint8_t const degree : of.mesh.degree) ++by_degree[degree];
  Json degrees = Json::object();
  for (auto const& [degree, elements] : by_degree) degrees[std::to_string(degree)] = elements;
  return {{"dimension", of.mesh.dimension}, {"elements", of.mesh.elements()},
          {"points", of.mesh.points()},     {"map_degree", of.mesh.map_degree},
          {"elements_by_degree", degrees},  {"sides", of.mesh.boundaries}};
}

Json flow_json(GasCase const& c) {
  return {{"gamma", c.gas.gamma},
          {"R", or_null(c.gas.r)},
          {"riemann", name_in(riemann_names, c.model.riemann)},
          {"integrator", name_in(integrator_names, c.time.integrator)},
          {"precision", name_in(gas_precision_names, c.model.precision)}};
}

Json final_json(GasOutcome const& outcome) {
  spectral::GasIntegrals const& sums = outcome.measured.integrals;
  double const(&q)[spectral::variables] = sums.conserved;
  return {
      {"volume", sums.volume},
      {"mass", q[spectral::density]},
      {"momentum", {q[spectral::momentum], q[spectral::momentum + 1], q[spectral::momentum + 2]}},
      {"energy", q[spectral::energy]},
      {"kinetic_energy", sums.kinetic_energy},
      {"entropy", sums.entropy},
      {"entropy_error", outcome.entropy_error},
      {"least_density", outcome.measured.extremes.least_density},
      {"least_pressure", outcome.measured.extremes.least_pressure},
      {"largest_speed", outcome.measured.extremes.largest_speed},
      {"largest_mach", outcome.measured.extremes.largest_mach}};
}

Json errors_json(GasErrors const& e) {
  auto const norms = [](GasErrors::Norms const& n) {
    return Json{{"l2", n.l2}, {"max", n.largest}};
  };
  return {{"density", norms(e.density)},
          {"velocity", norms(e.velocity)},
          {"pressure", norms(e.pressure)}};
}

/// All GPUs there are, else all cores. Beside GPUs cores compute only where that is asked for: in
/// proportion to what either does, about, which the balance puts right.
Workers workers_of(GasCase const& c) {
  WorkersAsked const asked = workers_asked(c.run.gpus, c.run.cores);
  check_workers(asked);
  Workers workers;
  workers.gpus = static_cast<unsigned>(asked.gpus < 0 ? Runtime::gpus_present() : asked.gpus);
  if (workers.gpus == 0) {
    workers.cores = cores_or_all(asked, 0);
  } else if (asked.cores > 0) {
    constexpr double cores_of_a_gpu = 400;  // that together do as many points a second
    workers.cores = static_cast<unsigned>(asked.cores);
    workers.cores_share = workers.cores / (workers.cores + cores_of_a_gpu * workers.gpus);
  }
  return workers;
}

}  // namespace

GasJob::GasJob(GasCase const& c, GasSetup const& setup, std::filesystem::path folder,
               CheckpointPlan const& plan)
    : FlowJob(c, folder, plan, identity_of(c, setup)),
      case_(c),
      setup_(setup),
      records_(c, setup, std::move(folder)) {}

Scene GasJob::scene() const { return scene_of(case_, setup_); }

WorkerPlan GasJob::choose_workers() const { return {.workers = workers_of(case_), .reason = {}}; }

void GasJob::run(Workers const& workers, ObserveFlow const& observe, RunControl const& control,
                 Performance& performance) {
  auto const begun = std::chrono::steady_clock::now();
  GasStart const start = start_of(case_, checkpoints());
  GasFlow flow(case_, setup_, workers, start);
  performance.add_preparation(seconds_since(begun));
  remove_old_fields();
  outcome_ = run_gas(case_, setup_, start, flow, records_, observe, control);
  bytes_ = static_cast<std::int64_t>(flow.bytes_in_use());
  Ranks::sum({&bytes_, 1});
  // Their work is counted in units of its own.
  std::vector<WorkClock::Use> uses = flow.worker_uses();
  for (WorkClock::Use& use : uses) use.work = 0;
  performance.add_tiles({.tiles = static_cast<std::int64_t>(flow.tiles()),
                         .uses = std::move(uses),
                         .report = flow.balance_report()});
}

std::string GasJob::why_diverged() const {
  return fmt::format(
      "before step {}, after time {:.6g}: expected a smaller cfl or dt, a lower degree, or a finer "
      "mesh",
      outcome_.steps, outcome_.measured.time);
}

double GasJob::points_per_second() const {
  auto const steps = static_cast<double>(outcome_.steps - outcome_.first_step);
  auto const stages = static_cast<double>(spectral::stages_of(case_.time.integrator).size());
  auto const points = static_cast<double>(setup_.of.mesh.points());
  return outcome_.seconds > 0 ? points * steps * stages / outcome_.seconds : 0;
}

std::string GasJob::summary() const {
  std::string text = fmt::format(
      "{} after {} steps{}, time {:.6g}, {:.1f} s, {:.1f} M points/s\n",
      describe(outcome_.end, gas_ends), outcome_.steps,
      outcome_.first_step == 0 ? "" : fmt::format(" ({} of them earlier)", outcome_.first_step),
      outcome_.measured.time, outcome_.seconds, points_per_second() * 1e-6);
  if (!outcome_.state) return text;
  auto const& sums = outcome_.measured.integrals.conserved;
  text += fmt::format("mass {:.12g}, energy {:.12g}, entropy error {:.4e}\n",
                      sums[spectral::density], sums[spectral::energy], outcome_.entropy_error);
  if (!case_.output.exact) return text;
  GasErrors const errors = errors_of(outcome_.measured);
  return text + fmt::format("errors (L2): density {:.6e}, velocity {:.6e}, pressure {:.6e}\n",
                            errors.density.l2, errors.velocity.l2, errors.pressure.l2);
}

void GasJob::write_own_records() { records_.write(outcome_.state ? &*outcome_.state : nullptr); }

Json GasJob::files() const {
  Json files = Json::array();
  fs::path const& mesh = case_.mesh.file;
  if (!mesh.empty())
    files.push_back({{"path", mesh.string()}, {"sha256", sha256_of_files({mesh})}});
  return files;
}

Json GasJob::set_up_section() const {
  return {{"method", "spectral"}, {"mesh", mesh_json(setup_.of)}, {"flow", flow_json(case_)}};
}

Json GasJob::end_section() const {
  return {{"reason", describe(outcome_.end, gas_ends)}, {"time", outcome_.measured.time}};
}

Json GasJob::found_section() const {
  bool const compares = outcome_.state && case_.output.exact;
  return {{"final", outcome_.state ? final_json(outcome_) : Json()},
          {"errors", compares ? errors_json(errors_of(outcome_.measured)) : Json()}};
}

Json GasJob::performance_section() const {
  std::size_t const points = setup_.of.mesh.points();
  Json json{{"points", points},
            {"steps", outcome_.steps - outcome_.first_step},
            {"stages_per_step", spectral::stages_of(case_.time.integrator).size()},
            {"seconds", outcome_.seconds},
            {"points_per_s", points_per_second()},
            {"bytes_per_point", static_cast<double>(bytes_) / static_cast<double>(points)}};
  json.update(common_json(performance()));
  return json;
}

}  // namespace tessera

// SPDX-License-Identifier: MIT
#include "case/spectral/gas_job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <utility>

#include "base/ranks/ranks.hpp"
#include "case/file/gas_words.hpp"
#include "case/toml_json.hpp"
#include "graph/runtime/runtime.hpp"
#include "io/json.hpp"
#include "io/results/results_json.hpp"
#include "io/sha256.hpp"
#include "run/checkpoint/flow_identity.hpp"
#include "run/console/log.hpp"
#include "run/console/output_folder.hpp"
#include "run/performance.hpp"
#include "run/plan/worker_plan.hpp"
#include "run/provenance.hpp"
#include "run/worker_results.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

Json case_json(GasCase const& c) {
  Json files = Json::array();
  if (!c.mesh.file.empty())
    files.push_back({{"path", c.mesh.file.string()}, {"sha256", sha256_of_files({c.mesh.file})}});
  return {{"file", c.file.string()},
          {"title", c.title},
          {"set", c.overrides},
          {"input", to_json(c.input)},
          {"files", files}};
}

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

/// What a gas says of its workers.
Json workers_json(std::vector<WorkerResult> const& workers) {
  Json all = Json::array();
  for (WorkerResult const& w : workers) {
    all.push_back({{"name", w.name},
                   {"kind", w.kind},
                   {"tasks", w.tasks},
                   {"busy_s", w.busy_s},
                   {"waiting_s", w.waiting_s}});
  }
  return all;
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

GasJob::GasJob(GasCase const& c, GasSetup const& setup, fs::path folder,
               CheckpointPlan const& checkpoints)
    : case_(c),
      setup_(setup),
      run_(this_run()),
      folder_(std::move(folder)),
      checkpoints_(folder_ / "checkpoint.h5", checkpoints, identity_of(c, setup)),
      records_(c, setup, folder_) {}

void GasJob::compute(std::atomic<bool> const& stop, FlowWatch* watch,
                     std::function<void(GasProgress const&)> const& observe) {
  auto const begun = std::chrono::steady_clock::now();
  Workers const workers = workers_of(case_);
  Runtime const runtime(case_.run.scheduler, static_cast<int>(workers.cores),
                        static_cast<int>(workers.gpus));
  GasStart const start = start_of(case_, checkpoints_);
  GasFlow flow(case_, setup_, workers, start);
  std::chrono::duration<double> const prepared = std::chrono::steady_clock::now() - begun;
  performance_.prepare_seconds = prepared.count();
  if (checkpoints_.earlier() == nullptr && Ranks::is_root()) remove_old_fields(folder_);
  outcome_ = run_gas(case_, setup_, start, flow, records_, observe,
                     {.stop = &stop, .watch = watch, .checkpoints = &checkpoints_});
  std::array<std::int64_t, 2> sums{static_cast<std::int64_t>(flow.tiles()),
                                   static_cast<std::int64_t>(flow.bytes_in_use())};
  Ranks::sum(sums);
  performance_.tiles = sums[0];
  performance_.bytes = sums[1];
  performance_.workers = workers_of_all_ranks(workers_of_runtime());
  if (outcome_.end == RunEnd::diverged) {
    log_error(
        "the flow diverged before step {}, after time {:.6g}: expected a smaller cfl or dt, a "
        "lower "
        "degree, or a finer mesh",
        outcome_.steps, outcome_.measured.time);
  }
}

double GasJob::points_per_second() const {
  auto const steps = static_cast<double>(outcome_.steps - outcome_.first_step);
  auto const stages = static_cast<double>(spectral::stages_of(case_.time.integrator).size());
  auto const points = static_cast<double>(setup_.of.mesh.points());
  return outcome_.seconds > 0 ? points * steps * stages / outcome_.seconds : 0;
}

Json GasJob::performance() const {
  std::size_t const points = setup_.of.mesh.points();
  return {
      {"points", points},
      {"steps", outcome_.steps - outcome_.first_step},
      {"stages_per_step", spectral::stages_of(case_.time.integrator).size()},
      {"seconds", outcome_.seconds},
      {"points_per_s", points_per_second()},
      {"tiles", performance_.tiles},
      {"bytes_per_point", static_cast<double>(performance_.bytes) / static_cast<double>(points)},
      {"workers", workers_json(performance_.workers)},
      {"prepare_seconds", performance_.prepare_seconds},
      {"wall_seconds", seconds_of_process()},
      {"peak_memory_bytes", peak_memory_bytes()},
      {"checkpoints", to_json(checkpoints_.report())}};
}

Json GasJob::results() const {
  Json constants = Json::object();
  for (auto const& [name, value] : case_.constants) constants[name] = value;
  return {
      {"run", to_json(run_)},
      {"method", "spectral"},
      {"case", case_json(case_)},
      {"constants", constants},
      {"mesh", mesh_json(setup_.of)},
      {"flow", flow_json(case_)},
      {"stop",
       {{"reason", describe(outcome_.end, gas_ends)},
        {"steps", outcome_.steps},
        {"time", outcome_.measured.time},
        {"resumed_after_step", outcome_.first_step == 0 ? Json() : Json(outcome_.first_step)},
        {"changed_parameters", checkpoints_.history()}}},
      {"final", outcome_.state ? final_json(outcome_) : Json()},
      {"errors",
       outcome_.state && case_.output.exact ? errors_json(errors_of(outcome_.measured)) : Json()},
      {"warnings", warnings_given()},
      {"performance", performance()},
      {"software", to_json(software_result())}};
}

void GasJob::write_records() {
  records_.write(outcome_.state ? &*outcome_.state : nullptr);
  checkpoints_.repeat_failure();
}

}  // namespace tessera

// SPDX-License-Identifier: MIT
#include "case/gas/gas_job.hpp"

#include <spdlog/spdlog.h>

#include <chrono>
#include <map>
#include <utility>

#include "case/file/gas_words.hpp"
#include "case/toml_json.hpp"
#include "cli/log.hpp"
#include "cli/output_folder.hpp"
#include "io/sha256.hpp"
#include "run/performance.hpp"
#include "run/provenance.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

/// Fields of an earlier run would stand beside results that are not theirs.
void remove_old_fields(fs::path const& folder) {
  for (fs::directory_entry const& entry : fs::directory_iterator(folder)) {
    if (is_name_of_fields(entry.path().filename().string())) fs::remove(entry.path());
  }
}

std::unique_ptr<GasFlow> flow_of(GasCase const& c, GasSetup const& setup) {
  if (c.model.precision == Precision::single_precision)
    return std::make_unique<PlainGasFlow<float>>(c, setup);
  return std::make_unique<PlainGasFlow<double>>(c, setup);
}

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

Json totals_json(GasTotals const& t) {
  return {{"volume", t.volume}, {"mass", t.mass},       {"momentum", t.momentum},
          {"energy", t.energy}, {"entropy", t.entropy}, {"entropy_error", t.entropy_error}};
}

Json errors_json(GasErrors const& e) {
  auto const norms = [](GasErrors::Norms const& n) {
    return Json{{"l2", n.l2}, {"max", n.largest}};
  };
  return {{"density", norms(e.density)},
          {"velocity", norms(e.velocity)},
          {"pressure", norms(e.pressure)}};
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

void GasJob::compute(std::atomic<bool> const& stop,
                     std::function<void(GasProgress const&)> const& observe) {
  auto const start = std::chrono::steady_clock::now();
  std::unique_ptr<GasFlow> const flow = flow_of(case_, setup_);
  points_ = flow->nodes();
  std::chrono::duration<double> const prepared = std::chrono::steady_clock::now() - start;
  prepare_seconds_ = prepared.count();
  if (checkpoints_.earlier() == nullptr) remove_old_fields(folder_);
  outcome_ = run_gas(case_, setup_, *flow, records_, observe,
                     {.stop = &stop, .watch = nullptr, .checkpoints = &checkpoints_});
  if (outcome_.end == RunEnd::diverged) {
    spdlog::error(
        "the flow diverged before step {}, time {:.6g}: expected a smaller cfl or dt, a lower "
        "degree, or a finer mesh",
        outcome_.steps, outcome_.time);
  }
}

double GasJob::points_per_second() const {
  auto const steps = static_cast<double>(outcome_.steps - outcome_.first_step);
  auto const stages = static_cast<double>(spectral::stages_of(case_.time.integrator).size());
  return outcome_.seconds > 0 ? static_cast<double>(points_) * steps * stages / outcome_.seconds
                              : 0;
}

Json GasJob::performance() const {
  return {{"points", points_},
          {"steps", outcome_.steps - outcome_.first_step},
          {"stages_per_step", spectral::stages_of(case_.time.integrator).size()},
          {"seconds", outcome_.seconds},
          {"points_per_s", points_per_second()},
          {"prepare_seconds", prepare_seconds_},
          {"wall_seconds", seconds_of_process()},
          {"peak_memory_bytes", peak_memory_bytes()},
          {"checkpoints", to_json(checkpoints_.report())}};
}

Json GasJob::results() const {
  Json constants = Json::object();
  for (auto const& [name, value] : case_.constants) constants[name] = value;
  return {{"run", to_json(run_)},
          {"method", "spectral"},
          {"case", case_json(case_)},
          {"constants", constants},
          {"mesh", mesh_json(setup_.of)},
          {"flow", flow_json(case_)},
          {"stop",
           {{"reason", describe(outcome_.end, gas_ends)},
            {"steps", outcome_.steps},
            {"time", outcome_.time},
            {"resumed_after_step", outcome_.first_step == 0 ? Json() : Json(outcome_.first_step)},
            {"changed_parameters", checkpoints_.history()}}},
          {"final", records_.totals() ? totals_json(*records_.totals()) : Json()},
          {"errors", records_.errors() ? errors_json(*records_.errors()) : Json()},
          {"warnings", warnings_given()},
          {"performance", performance()},
          {"software", to_json(software_result())}};
}

void GasJob::write_records() {
  records_.write(outcome_.state ? &*outcome_.state : nullptr);
  checkpoints_.repeat_failure();
}

}  // namespace tessera

// SPDX-License-Identifier: MIT

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/errors.hpp"
#include "case/file/formula.hpp"
#include "case/lattice/lattice_job.hpp"
#include "interfaces/api/tessera.hpp"
#include "interfaces/cpp/called.hpp"
#include "io/json.hpp"
#include "io/results/results_json.hpp"
#include "run/console/log.hpp"
#include "run/console/output_folder.hpp"
#include "run/fields/state_fields.hpp"
#include "run/node_flow.hpp"

namespace tessera {
namespace {

class CaseComputation {
 public:
  CaseComputation(CaseRequest const& request, Watch const& watch, LookAtCase const& look)
      : request_(request),
        look_(look),
        watched_(watch),
        functions_(callers(request)),
        known_(functions_),
        case_(read_case(request.file, request.set, request.folder)),
        setup_(set_up(case_)),
        units_(field_units(case_.fluid.viscosity, case_.units)) {
    if (!case_.insitu.scripts.empty())
      throw BadInput("[insitu]: expected no scripts in a program that is not ours");
    check_machine(case_);
    for (std::string const& warning : case_.warnings) log_warning(warning);
    for (std::string const& warning : setup_.box.warnings) log_warning(warning);
  }

  CaseRun run() {
    OutputFolder const folder(request_.out);
    LatticeJob job(case_, setup_, folder.path(),
                   checkpoint_plan(case_.output.checkpoint, {}, request_.resume));
    Looker looker(*this, job);
    job.compute(watched_.stop(), request_.look_every > 0 ? &looker : nullptr,
                [this](FlowProgress const& progress) { show(progress); });
    Json const results = job.results();
    CaseRun found;
    job.losses().attempt("results.json",
                         [&] { write_json(folder.path() / "results.json", results); });
    job.write_records();
    if (auto const& state = job.outcome().state)
      found.fields = arrays_of(std::make_shared<StateFields>(state->fields(units_)), shape());
    found.results = results.dump();
    found.warnings = warnings_given();
    found.interrupted = watched_.stop();
    return found;
  }

 private:
  /// Lets somebody look every so many steps, and at the last one.
  class Looker : public FlowWatch {
   public:
    Looker(CaseComputation& computation, LatticeJob& job)
        : computation_(computation), job_(job), next_(job.checkpoints().first_step()) {}

    std::int64_t next_look() const override { return next_; }
    void look(RunningFlow& flow, MonitorRow const& /*known*/) override {
      if (flow.steps() == looked_at_) return;
      looked_at_ = flow.steps();
      next_ = looked_at_ + computation_.request_.look_every;
      wanted_ = computation_.show_state(dynamic_cast<NodeFlow&>(flow), job_) && wanted_;
    }
    std::optional<RunEnd> wants_end() const override {
      return wanted_ ? std::nullopt : std::optional(RunEnd::steered);
    }
    bool wants_fields() override { return false; }
    bool wants_checkpoint() override { return false; }
    FlowChanges take_changes() override { return {}; }
    void end() override {}

   private:
    CaseComputation& computation_;
    LatticeJob& job_;
    std::int64_t next_;
    std::int64_t looked_at_ = -1;
    bool wanted_ = true;
  };

  static std::vector<CallersFunction> callers(CaseRequest const& request) {
    std::vector<CallersFunction> functions;
    functions.reserve(request.functions.size());
    for (auto const& function : request.functions) {
      functions.emplace_back([&function](std::span<double const> arguments) {
        return function(arguments.data(), static_cast<int>(arguments.size()));
      });
    }
    return functions;
  }

  Int3 shape() const { return setup_.box.geometry.shape; }

  void show(FlowProgress const& progress) {
    Stage const stage{.axis = ' ',
                      .done = progress.step,
                      .of = case_.stop.steps.value_or(0),
                      .error = progress.change.value_or(0)};
    watched_.show(&stage);
  }

  bool show_state(NodeFlow& flow, LatticeJob const& job) const {
    auto const fields = std::make_shared<StateFields>(shape(), units_, false);
    flow.submit_snapshots(0);
    flow.visit_snapshots(0, [&](Int3 voxel, std::int32_t tile, NodeState const& state) {
      fields->put(linear_index(shape(), voxel), state, tile);
    });
    CaseLook state{.step = flow.steps(),
                   .time = static_cast<double>(flow.steps()) * units_.time,
                   .fields = arrays_of(fields, shape()),
                   .forces = {}};
    auto const& forces = job.records().last_forces();
    for (std::size_t i = 0; i < forces.size(); ++i)
      state.forces.emplace_back(case_.output.forces[i].name, forces[i]);
    return look_(state);
  }

  CaseRequest const& request_;
  LookAtCase const& look_;
  Watched watched_;
  std::vector<CallersFunction> functions_;
  CallersFunctions known_;
  Case case_;
  CaseSetup setup_;
  FieldUnits units_;
};

}  // namespace

CaseRun run_case(CaseRequest const& request, Watch const& watch, LookAtCase const& look) {
  CaseRun found;
  guarded(watch, [&] { found = CaseComputation(request, watch, look).run(); });
  return found;
}

}  // namespace tessera

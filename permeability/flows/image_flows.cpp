// SPDX-License-Identifier: MIT
#include "permeability/flows/image_flows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/errors.hpp"
#include "base/machine/seconds_since.hpp"
#include "base/ranks/ranks.hpp"
#include "base/settings.hpp"
#include "graph/runtime/host_share.hpp"
#include "graph/runtime/runtime.hpp"
#include "permeability/flows/solved_flow.hpp"
#include "permeability/flows/stepped_flow.hpp"
#include "run/console/log.hpp"
#include "run/plan/tile_count.hpp"

namespace tessera {

ImageFlows::ImageFlows(PermeabilityRequest const& request)
    : request_(request), asked_(request.flow) {
  auto const why_steps = request.why_steps();
  if (!insists_on_minres() || !why_steps) return;
  throw BadInput(fmt::format("{}: {}: expected {}", setting_text("solver", "minres"), *why_steps,
                             setting_text("solver", "steps")));
}

void ImageFlows::check_machine() const {
  Runtime::check_scheduler(request_.scheduler);
  check_workers(request_.workers);
}

void ImageFlows::warn_of_precision() const {
  if (asked_.precision == Precision::single_precision && asked_.tolerance < 1e-4) {
    log_warning("a tolerance of {:.1e} is finer than single precision is good for: {}",
                asked_.tolerance, setting_text("precision", "double"));
  }
  if (asked_.precision == Precision::half_storage && asked_.tolerance < 1e-2) {
    log_warning("a tolerance of {:.1e} is finer than half precision is good for: {}",
                asked_.tolerance, setting_text("precision", "single"));
  }
}

WorkerPlan ImageFlows::plan(std::int64_t nodes) const {
  return plan_workers(request_.workers, nodes, asked_.precision);
}

WorkerPlan ImageFlows::choose_workers(std::int64_t nodes) {
  WorkerPlan plan = this->plan(nodes);
  if (!plan.reason.empty()) log_info(plan.reason);
  workers_ = plan.workers;
  asked_.nodes_per_tile = tuned_nodes_per_tile(workers_.gpus > 0, asked_.precision);
  // After how many steps a decision falls must not depend on whose host has been tuned.
  asked_.window =
      static_cast<int>(Ranks::broadcast_number(tuned_window(workers_.gpus > 0, asked_.precision)));
  return plan;
}

SolverChoice ImageFlows::solver_for(PreparedBox const& box, FlowUser const& user,
                                    SolverRoom const& room) const {
  if (request_.solver == Solver::steps) return {};
  // Where it is not ours to choose, a GPU that is too small says so itself.
  auto const flows = static_cast<std::int64_t>(axes().size());
  std::int64_t const bytes = bytes_to_solve(box.nodes, asked_.precision, room.processes);
  unsigned const gpus =
      std::max(std::min(room.gpus, 1U), gpus_to_solve_on(box.nodes, bytes, room, flows));
  if (insists_on_minres()) return {.solves = true, .gpus = gpus, .reason = {}};
  if (auto const kept = user.kept_solver(box.axis)) {
    if (*kept == Solver::minres) expect_solvable_to_go_on(box.axis);
    return {*kept == Solver::minres, gpus, {}};
  }
  if (auto const why = request_.why_steps_are_meant()) return {.reason = *why};
  return choose_solver(box, asked_, workers_, room, flows);
}

void ImageFlows::expect_solvable_to_go_on(Axis axis) const {
  if (auto const why = request_.why_steps()) {
    throw BadInput(fmt::format(
        "{}: the run along {} to go on from is one of minres, but {}: expected the options that it "
        "began with, or a run that begins anew",
        setting_name("resume"), axis_name(axis), *why));
  }
}

SolverChoice ImageFlows::choice_of_first(PreparedBox const& box, FlowUser const& user) const {
  SolverRoom const room = common_room(request_.workers, workers_.gpus);
  SolverChoice choice;
  if (Ranks::is_root()) {
    Ranks::ByItself const by_itself;
    choice = solver_for(box, user, room);
  }
  choice.solves = Ranks::broadcast_number(choice.solves ? 1 : 0) != 0;
  choice.gpus = static_cast<unsigned>(Ranks::broadcast_number(choice.gpus));
  choice.reason = Ranks::all_gather(choice.reason).front();
  if (choice.solves && !request_.in_situ.scripts.empty())
    Ranks::expect_alone(setting_name("insitu") + " with minres");
  return choice;
}

bool ImageFlows::voxels_are_needed() const {
  // Alone, to be cut anew; else for what tells checkpoints apart, and for grey links.
  return Ranks::alone() || request_.checkpoint_minutes || request_.resume || request_.has_grey();
}

bool ImageFlows::prepares_ahead() const {
  // Each axis has a trace of its own, and flows beside it a Runtime.
  return axes().size() > 1 && Ranks::alone() && request_.trace.empty() &&
         !request_.has_flows_beside();
}

PreparedBox ImageFlows::box(Axis axis, SamplePores const& pores) {
  pores_ = &pores;
  std::unique_ptr<BoxAhead> const ahead = std::move(ahead_);
  if (!ahead || ahead->axis != axis) return prepare_box(pores, axis, asked_);
  auto const start = std::chrono::steady_clock::now();
  solving_->pause.reset();
  ahead->preparing.finish();
  ahead->box.seconds = seconds_since(start);  // the rest was beside a flow
  return std::move(ahead->box);
}

void ImageFlows::prepare_next(Axis axis) {
  auto const next = std::ranges::find(axes(), axis) + 1;
  if (pores_ == nullptr || !prepares_ahead() || !solving_ || solving_->gpus == 0 ||
      next >= axes().end())
    return;
  ahead_ = std::make_unique<BoxAhead>(*next, *pores_, asked_);
}

void ImageFlows::end_preparing() {
  if (ahead_ && solving_) solving_->pause.reset();
  ahead_.reset();
  pores_ = nullptr;
}

RunEnd ImageFlows::answer(PreparedBox box, FlowUser& user) {
  end_.reset();
  SolverChoice choice = choice_of_first(box, user);
  if (choice.solves) {
    choice.reason = solve_by_all(box, choice, user);
    // Each axis has a trace of its own; flows beside it, which are rank 0's, start a Runtime.
    if (end_ && (!request_.trace.empty() || request_.has_flows_beside())) dismiss_team();
    if (end_) return *end_;
  }
  dismiss_team();
  SteppedFlow flow(std::move(box), asked_, workers_, request_.scheduler);
  if (!voxels_are_needed()) flow.let_go_of_voxels();
  answer_by(flow, choice.reason, true, user);
  return *end_;
}

std::string ImageFlows::solve_by_all(PreparedBox& box, SolverChoice const& choice, FlowUser& user) {
  if (Ranks::alone()) return solve_if_possible(box, choice, user);
  // Each process finds the nodes and links for itself.
  SpreadGeometry layers =
      std::exchange(box.geometry, spread_geometry(whole_geometry(box.geometry)));
  std::string why_not = solve_if_possible(box, choice, user);
  box.geometry = std::move(layers);
  return why_not;
}

std::string ImageFlows::solve_if_possible(PreparedBox& box, SolverChoice const& choice,
                                          FlowUser& user) {
  if (!choice.reason.empty()) log_info("{}: by minres: {}", axis_name(box.axis), choice.reason);
  std::optional<std::string> const why_not = solve(box, choice, user);
  if (!why_not) return {};
  log_warning("{} goes on by steps: {}", setting_text("solver", "auto"), *why_not);
  choose_physics(box, asked_);
  return *why_not;
}

AnswerFlows ImageFlows::answers_beside(std::atomic<bool> const& stop) {
  return [this, &stop](std::span<WantedFlow const> wanted) {
    return ManyFlows(request_.workers, request_.scheduler).answers(wanted, stop);
  };
}

WorkerTeam& ImageFlows::team_of(Workers const& workers) {
  auto const gpus = static_cast<int>(workers.gpus);
  int const cores = gpus == 0 ? static_cast<int>(workers.cores) : prepares_ahead() ? 1 : 0;
  if (solving_ && (solving_->cores != cores || solving_->gpus != gpus)) dismiss_team();
  if (!solving_)
    solving_.emplace(Runtime::check_scheduler(request_.scheduler, "eager"), cores, gpus);
  solving_->pause.reset();
  return solving_->team;
}

void ImageFlows::dismiss_team() {
  end_preparing();
  spaces_ = {};
  solving_.reset();
}

/// Nothing if that is the answer, as it always is where the user insists, else why it is not.
std::optional<std::string> ImageFlows::solve(PreparedBox& box, SolverChoice const& choice,
                                             FlowUser& user) {
  bool const insists = insists_on_minres();
  Workers workers = workers_;
  workers.gpus = choice.gpus;
  if (choice.gpus == 0) workers = {.cores = cores_or_all(request_.workers, 0)};
  std::optional<SolvedFlow> flow;
  try {
    flow.emplace(box, asked_, workers, spaces_, axes().size() > 1, &team_of(workers));
    prepare_next(box.axis);
    if (answer_by(*flow, choice.reason, insists, user)) return std::nullopt;
    return "minres did not settle";
  } catch (std::exception const& error) {  // no memory left; a pore space without walls
    bool const bad_input = dynamic_cast<BadInput const*>(&error) != nullptr;
    if (insists || (flow && bad_input) || end_) throw;
    // What only one has met the others wait behind.
    if (!Ranks::alone() && !bad_input) throw;
    return reason(error);
  }
}

/// Whether it does: a flow that does not settle may leave the answer to another one.
bool ImageFlows::answer_by(AxisFlow& flow, std::string const& why, bool at_any_rate,
                           FlowUser& user) {
  PermeabilityOutcome outcome = user.compute(flow);
  if (solving_) solving_->pause.emplace();
  bool const unsettled = outcome.end == RunEnd::diverged || outcome.end == RunEnd::all_steps;
  if (unsettled && !at_any_rate) return false;
  end_ = outcome.end;
  user.keep(flow, std::move(outcome), why);
  return true;
}

}  // namespace tessera

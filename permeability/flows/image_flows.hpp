// SPDX-License-Identifier: MIT
// The flows through an image, each by whichever way to its permeability is the shorter one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "graph/runtime/main_memory.hpp"
#include "permeability/flows/axis_flow.hpp"
#include "permeability/flows/solver_choice.hpp"
#include "permeability/flows/stokes_run.hpp"
#include "permeability/permeability_request.hpp"
#include "run/plan/worker_plan.hpp"

namespace tessera {

/// Who wants the flows: runs them, and keeps what they find.
class FlowUser {
 public:
  FlowUser() = default;
  virtual ~FlowUser() = default;
  FlowUser(FlowUser const&) = delete;
  FlowUser& operator=(FlowUser const&) = delete;

  /// The solver of an earlier run, where this one goes on from it.
  virtual std::optional<Solver> kept_solver(Axis) const { return std::nullopt; }
  virtual PermeabilityOutcome compute(AxisFlow& flow) = 0;
  /// The flow that has been computed last is the answer; `why` it was this one, if that needs a
  /// word.
  virtual void keep(AxisFlow& flow, PermeabilityOutcome outcome, std::string const& why) = 0;
};

class ImageFlows {
 public:
  /// The request has been checked and must outlive it. Throws BadInput where its settings exclude
  /// each other.
  explicit ImageFlows(PermeabilityRequest const& request);

  PermeabilityCase const& asked() const { return asked_; }
  std::vector<Axis> const& axes() const { return request_.axes; }

  /// Throws BadInput where this machine has not what is asked for.
  void check_machine() const;
  /// Of a tolerance that is too fine for it (docs/method.md, "Precision").
  void warn_of_precision() const;
  /// Who would compute an image of so many nodes.
  WorkerPlan plan(std::int64_t nodes) const;
  /// All ranks: who computes, and with what tiles: the same for all axes. Says why in the log.
  WorkerPlan choose_workers(std::int64_t nodes);
  Workers const& workers() const { return workers_; }

  /// Which way the flow in a box goes, and why where that is not what the options say.
  SolverChoice solver_for(PreparedBox const& box, FlowUser const& user) const {
    return solver_for(box, user, own_room());
  }

  /// All ranks: the flow in a box; how it ended.
  RunEnd answer(PreparedBox box, FlowUser& user);

 private:
  bool insists_on_minres() const { return request_.solver == Solver::minres; }
  /// Whether somebody asks for the voxels of a box while its flow runs.
  bool voxels_are_needed() const;
  SolverRoom own_room() const;
  /// All ranks: of all.
  SolverRoom common_room() const;
  SolverChoice solver_for(PreparedBox const& box, FlowUser const& user,
                          SolverRoom const& room) const;
  /// Throws BadInput if what is asked for is not what minres, which it was begun by, can do.
  void expect_solvable_to_go_on(Axis axis) const;
  /// All ranks: what the first one chooses.
  SolverChoice choice_of_first(PreparedBox const& box, FlowUser const& user) const;
  /// All ranks: solve; these say why the answer has to come by steps, if it does.
  std::string solve_by_all(PreparedBox& box, SolverChoice const& choice, FlowUser& user);
  std::string solve_if_possible(PreparedBox& box, SolverChoice const& choice, FlowUser& user);
  std::optional<std::string> solve(PreparedBox& box, SolverChoice const& choice, FlowUser& user);
  bool answer_by(AxisFlow& flow, std::string const& why, bool at_any_rate, FlowUser& user);

  PermeabilityRequest const& request_;
  PermeabilityCase asked_;  ///< its flow, with what has been chosen since
  Workers workers_;
  StokesSpaces spaces_;
  std::optional<RunEnd> end_;  ///< of the axis at hand, once there is an answer
};

}  // namespace tessera

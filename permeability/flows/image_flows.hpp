// SPDX-License-Identifier: MIT
// The flows through an image, each by the solver that takes less time to its permeability.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "graph/runtime/main_memory.hpp"
#include "graph/runtime/runtime.hpp"
#include "graph/worker_team.hpp"
#include "permeability/flows/axis_flow.hpp"
#include "permeability/flows/many_flows.hpp"
#include "permeability/flows/solver_choice.hpp"
#include "permeability/flows/stokes_run.hpp"
#include "permeability/permeability_request.hpp"
#include "permeability/sample_pores.hpp"
#include "run/plan/worker_plan.hpp"

namespace tessera {

/// The caller of ImageFlows: runs the flows, and keeps what they find.
class FlowUser {
 public:
  FlowUser() = default;
  virtual ~FlowUser() = default;
  FlowUser(FlowUser const&) = delete;
  FlowUser& operator=(FlowUser const&) = delete;

  /// The solver of the earlier run that this run goes on from, if there is one.
  virtual std::optional<Solver> kept_solver(Axis) const { return std::nullopt; }
  virtual PermeabilityOutcome compute(AxisFlow& flow) = 0;
  /// Called when the flow computed last is the answer. `why`: why this solver was chosen, if that
  /// needs saying.
  virtual void keep(AxisFlow& flow, PermeabilityOutcome outcome, std::string const& why) = 0;
};

/// A Runtime whose workers solve flows, as one team.
struct SolvingTeam {
  SolvingTeam(std::string const& scheduler, int of_cores, int of_gpus)
      : cores(of_cores), gpus(of_gpus), runtime(scheduler, cores, gpus, {.bound = false}) {}

  int cores;
  int gpus;
  Runtime runtime;
  WorkerTeam team{};
  /// While no flow is solved: workers that look for tasks take time from those that need a core.
  std::optional<Runtime::Pause> pause{};
};

class ImageFlows {
 public:
  /// The request has been checked and must outlive it. Throws BadInput where its settings exclude
  /// each other.
  explicit ImageFlows(PermeabilityRequest const& request);

  PermeabilityCase const& asked() const { return asked_; }
  std::vector<Axis> const& axes() const { return request_.axes; }

  /// Throws BadInput if this machine lacks what is asked for.
  void check_machine() const;
  /// Warns of a tolerance that is too fine for the precision (docs/method.md, "Precision").
  void warn_of_precision() const;
  /// The workers that would compute an image of so many nodes.
  WorkerPlan plan(std::int64_t nodes) const;
  /// Collective: chooses who computes, for all axes alike. Logs the reason.
  WorkerPlan choose_workers(std::int64_t nodes);
  Workers const& workers() const { return workers_; }

  /// Collective: the box of an axis. While GPUs compute its flow, a core prepares that of the next
  /// axis: `pores` must stay as they are until the box of the last one has been taken, or a
  /// PoresInUse has gone. Throws BadInput if no pore leads through.
  PreparedBox box(Axis axis, SamplePores const& pores);
  /// Goes before the pores do, however the run ends: waits until no core reads them any more.
  class PoresInUse {
   public:
    explicit PoresInUse(ImageFlows& flows) : flows_(flows) {}
    ~PoresInUse() { flows_.end_preparing(); }
    PoresInUse(PoresInUse const&) = delete;
    PoresInUse& operator=(PoresInUse const&) = delete;

   private:
    ImageFlows& flows_;
  };
  /// The solver for the flow in a box, and why, unless the options say so.
  SolverChoice solver_for(PreparedBox const& box, FlowUser const& user) const {
    return solver_for(box, user, own_room(request_.workers, workers_.gpus));
  }

  /// Collective: computes the flow in a box; returns how it ended.
  RunEnd answer(PreparedBox box, FlowUser& user);
  /// For flows beside it, after answer(): ManyFlows::answers() by the same workers.
  AnswerFlows answers_beside(std::atomic<bool> const& stop);

 private:
  bool insists_on_minres() const { return request_.solver == Solver::minres; }
  /// Whether the voxels of a box are needed while its flow runs.
  bool voxels_are_needed() const;
  SolverChoice solver_for(PreparedBox const& box, FlowUser const& user,
                          SolverRoom const& room) const;
  /// Throws BadInput if minres, which began the run to go on from, cannot do what is now asked for.
  void expect_solvable_to_go_on(Axis axis) const;
  /// Collective: the choice of rank 0.
  SolverChoice choice_of_first(PreparedBox const& box, FlowUser const& user) const;
  /// Collective: solves the flow; returns why the answer has to come by steps; empty: it need not.
  std::string solve_by_all(PreparedBox& box, SolverChoice const& choice, FlowUser& user);
  std::string solve_if_possible(PreparedBox& box, SolverChoice const& choice, FlowUser& user);
  std::optional<std::string> solve(PreparedBox& box, SolverChoice const& choice, FlowUser& user);
  /// Collective: the team of these workers; starts their Runtime unless it is there.
  WorkerTeam& team_of(Workers const& workers);
  /// Collective: ends the Runtime of the team, if there is one.
  void dismiss_team();
  /// Whether the boxes of later axes are prepared while the flows of earlier ones are computed.
  bool prepares_ahead() const;
  /// Begins to prepare the box of the axis after this one, if a core of the team is there for it.
  void prepare_next(Axis axis);
  /// Waits for the box that is being prepared, and lets go of it.
  void end_preparing();
  bool answer_by(AxisFlow& flow, std::string const& why, bool at_any_rate, FlowUser& user);

  PermeabilityRequest const& request_;
  PermeabilityCase asked_;  ///< the request's case, with what has been chosen since
  Workers workers_;
  std::optional<SolvingTeam> solving_;  ///< outlives the spaces
  StokesSpaces spaces_;
  /// A box that is prepared beside the flow of the axis before.
  struct BoxAhead {
    BoxAhead(Axis of, SamplePores const& pores, PermeabilityCase const& asked)
        : axis(of),
          preparing("prepare", [&pores, &asked, this] { box = prepare_box(pores, axis, asked); }) {}

    Axis axis;
    PreparedBox box{};
    WorkBeside preparing;
  };
  SamplePores const* pores_ = nullptr;  ///< of the boxes
  std::unique_ptr<BoxAhead> ahead_;
  std::optional<RunEnd> end_;  ///< of the axis at hand, once there is an answer
};

}  // namespace tessera

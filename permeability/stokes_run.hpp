// SPDX-License-Identifier: MIT
// A permeability without steps: by the Krylov solver of steady/, where it holds.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "io/results.hpp"
#include "permeability/fields.hpp"
#include "permeability/permeability_run.hpp"
#include "steady/stokes.hpp"

namespace tessera {

/// Why a flow cannot be solved for, in words; nothing if it can be: creeping flow by TRT on D3Q19,
/// in single or double precision, at rest first, at no relaxation time of the user's.
std::optional<std::string> why_not_solved_for(PermeabilityCase const& asked);

/// The case as the solver takes it: at a relaxation time of 1, on which k does not depend.
PermeabilityCase solved_for(PermeabilityCase asked);

/// The flow through a box, on the cores or the first GPU of its workers. Starts no Runtime.
class StokesRun {
 public:
  /// The box must outlive it. Throws BadInput where a pore space has no wall.
  StokesRun(PreparedBox const& box, PermeabilityCase const& asked, Workers const& workers);
  ~StokesRun();
  StokesRun(StokesRun const&) = delete;
  StokesRun& operator=(StokesRun const&) = delete;

  /// Iterates until the error of the permeability is below the tolerance and the assembled state
  /// confirms it, or `stop` is set. `for_fields`: and until the residual is below it, too; k alone
  /// is good long before. `observe` sees every point; their steps are iterations.
  PermeabilityOutcome run(bool for_fields,
                          std::function<void(PermeabilityPoint const&)> const& observe,
                          std::atomic<bool> const* stop);

  std::int64_t nodes() const;
  double bytes_per_node() const;
  /// Visits the state that the run has come to.
  void visit_nodes(VisitNode const& visit) const;
  /// What results.json says of it.
  SolverResult result() const;

 private:
  PermeabilityPoint point_of(StokesEstimate const& estimate) const;
  bool confirm();
  void take_means(PermeabilityPoint& point);

  PreparedBox const& box_;
  double tolerance_;
  std::int64_t most_iterations_;
  double set_up_seconds_ = 0;
  std::unique_ptr<StokesSpace> space_;
  std::unique_ptr<StokesSolver> solver_;
  StokesEstimate estimate_;
  StokesConfirmation confirmation_;
  bool confirmed_ = false;
  std::vector<std::int64_t> voxels_;
  std::vector<StokesState> states_;  ///< in the end
};

}  // namespace tessera

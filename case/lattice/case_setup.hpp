// SPDX-License-Identifier: MIT
// A case in the solver's form.
#pragma once

#include <functional>

#include "case/file/case.hpp"
#include "case/lattice/case_boundaries.hpp"
#include "methods/lattice/flow_graph.hpp"
#include "models/lattice/density_and_velocity.hpp"
#include "models/lattice/flow_model.hpp"

namespace tessera {

struct FlowIdentity;

struct CaseSetup {
  CaseBox box;
  FlowModel model;
  FlowParameters parameters;
  /// What changes in time, for the step from `step` to the next; -1 is before the first. None:
  /// nothing changes.
  std::function<StepValues(std::int64_t step)> values_at;
  DensityAndVelocity initial;
  std::function<DensityAndVelocity(Int3 voxel)>
      initial_in_space;  ///< instead, if it varies in space
};

/// All ranks: sets up a case. Throws BadInput, one line, for what the solver does not support.
CaseSetup set_up(Case const& c);

/// The identity of a case's flow, for its checkpoints.
FlowIdentity identity_of(Case const& c, CaseSetup const& setup);

}  // namespace tessera

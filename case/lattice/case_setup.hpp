// SPDX-License-Identifier: MIT
// A case as the solver takes it.
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
  /// Of the step from `step` to the next; -1 is before the first. None: nothing changes in time.
  std::function<StepValues(std::int64_t step)> values_at;
  DensityAndVelocity initial;
  std::function<DensityAndVelocity(Int3 voxel)> initial_in_space;  ///< instead, if it varies there
};

/// All ranks. Throws BadInput, one line, for what the solver does not have yet.
CaseSetup set_up(Case const& c);

/// Which flow it is, for its checkpoints.
FlowIdentity identity_of(Case const& c, CaseSetup const& setup);

}  // namespace tessera

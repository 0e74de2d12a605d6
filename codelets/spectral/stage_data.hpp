// SPDX-License-Identifier: MIT
// What a Runge-Kutta stage of a tile reads and writes, for cores and GPUs.
#pragma once

#include <array>
#include <cstddef>

#include "models/spectral/riemann.hpp"
#include "models/spectral/runge_kutta.hpp"
#include "models/spectral/time_step.hpp"
#include "partition/spectral/tiles.hpp"

namespace tessera::spectral {

/// What flows and how it is computed; the same for all tiles and stages.
struct GasParameters {
  Gas<double> gas;
  RiemannSolver riemann = RiemannSolver::roe;
  double entropy_fix = 0;  ///< see roe()
  Integrator integrator = Integrator::carpenter_kennedy;
};

/// The parameters of a stage, in the kernel's precision.
template <class N>
struct StageFacts {
  Gas<N> gas;
  RiemannSolver riemann;
  N entropy_fix;
  StageFactors<N> stage;
};
template <class N>
TESSERA_HOST_DEVICE StageFacts<N> facts_of(GasParameters const& parameters, Stage const& stage,
                                           double dt) {
  return {{static_cast<N>(parameters.gas.gamma)},
          parameters.riemann,
          static_cast<N>(parameters.entropy_fix),
          factors_of<N>(stage, dt)};
}

/// Where a tile's data lie.
template <class N>
struct StageData {
  TileView<N> tables;
  N* state;            ///< in place
  N* kept;             ///< of the step: see Stage
  N* next_traces;      ///< of the state after the stage
  N* const* outboxes;  ///< of the state after the stage
  /// Traces of the state before the stage: the own ones, then the neighbours' (Link::source).
  N const* const* sources;
  double* speeds;  ///< of each pack the largest wave_rate over the Jacobian, after the stage; none:
                   ///< not requested
};

}  // namespace tessera::spectral

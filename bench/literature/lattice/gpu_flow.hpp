// SPDX-License-Identifier: MIT
// The flow that the GPU's steps are measured with, and what their times mean.
#pragma once

#include <cstdint>

#include "models/lattice/collision.hpp"

namespace tessera {

/// A force without symmetry, so small that no velocity grows large in the longest run.
inline FlowParameters bench_parameters(CollisionOperator collision) {
  double const force[3] = {3e-7, 2e-7, -1e-7};
  return flow_parameters({.collision = collision}, 0.6, 3.0 / 16.0, force);
}

/// What a step of a cube does in a second.
struct StepRate {
  double mflups = 0;
  double gbs = 0;  ///< populations read and written
};

template <class Real>
constexpr StepRate rate_of(std::int64_t edge, double seconds) {
  auto const nodes = static_cast<double>(edge * edge * edge);
  return {nodes / seconds * 1e-6, nodes * (2.0 * D3Q19::size * sizeof(Real)) / seconds * 1e-9};
}

}  // namespace tessera

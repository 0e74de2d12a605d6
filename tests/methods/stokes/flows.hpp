// SPDX-License-Identifier: MIT
// Flows through small geometries, solved.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <utility>

#include "geometry/connectivity.hpp"
#include "geometry/flow_setup.hpp"
#include "geometry/geometry.hpp"
#include "methods/stokes/stokes.hpp"

namespace tessera::test {

/// Makes the voxels from `lower` to before `upper` pores.
inline void carve(Geometry& geometry, Int3 lower, Int3 upper) {
  for (Int3 at{0, 0, lower.z}; at.z < upper.z; ++at.z) {
    for (at.y = lower.y; at.y < upper.y; ++at.y) {
      for (at.x = lower.x; at.x < upper.x; ++at.x)
        geometry.pore[linear_index(geometry.shape, at)] = 1;
    }
  }
}

/// A periodic box; kind(x, y, z) as Geometry::pore has it.
inline Geometry box_of(Int3 shape, std::function<int(Int3)> const& kind) {
  Geometry geometry{.shape = shape, .pore = {}, .periodic = {true, true, true}};
  for (std::int64_t z = 0; z < shape.z; ++z) {
    for (std::int64_t y = 0; y < shape.y; ++y) {
      for (std::int64_t x = 0; x < shape.x; ++x)
        geometry.pore.push_back(static_cast<std::uint8_t>(kind({x, y, z})));
    }
  }
  return geometry;
}

/// Without the pores that do not lead through along the axis.
inline Geometry leading_through(Geometry const& geometry, Axis axis) {
  Geometry kept = geometry;
  PoreComponents(geometry, Links::faces_and_edges).close_isolated(kept, axis);
  return kept;
}

inline StokesOptions stokes_options(Precision precision, double magic = 3.0 / 16) {
  StokesOptions options;
  options.precision = precision;
  options.magic = magic;
  return options;
}

/// The sum of velocities along x, in double precision, to a residual that leaves nothing to be
/// wrong; NaN if it is not reached.
inline double settled(Geometry const& geometry) {
  auto const space = make_stokes_space(geometry, stokes_options(Precision::double_precision));
  auto const solver = space->solver(Axis::x);
  StokesEstimate estimate = solver->estimate();
  while (estimate.iterations < 1000 && estimate.residual > 1e-9) estimate = solver->iterate(20);
  return estimate.residual > 1e-9 ? std::numeric_limits<double>::quiet_NaN() : estimate.quadratic;
}

struct SolvedFlow {
  StokesEstimate estimate;
  StokesConfirmation confirmation;
  double nodes = 0;
};

/// Iterates `count` times and confirms.
inline SolvedFlow iterated(Geometry const& geometry, Axis axis, StokesOptions const& options,
                           int count) {
  auto const space = make_stokes_space(geometry, options);
  auto const solver = space->solver(axis);
  SolvedFlow flow;
  flow.estimate = solver->iterate(count);
  flow.confirmation = solver->confirm();
  flow.nodes = static_cast<double>(space->nodes());
  return flow;
}

}  // namespace tessera::test

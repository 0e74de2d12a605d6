// SPDX-License-Identifier: MIT
// What slip of a gas at the walls adds to a permeability, to first order, from the flow without it.
//
// At a wall with the slip length l the velocity along it is l du/dn (Maxwell, Phil. Trans. R. Soc.
// 170 (1879) 231). The flow of a force of 1 has the flux U = integral of u . F, and as the problem
// is self-adjoint
//   dU/dl = (1 / nu) integral over the walls of |tau|^2,   tau = nu du_t/dn   at l = 0,
// so no other flow has to be computed.
//
// The walls are those that the voxels are samples of, not the staircase, whose area is too large
// and whose stress varies from step to step. A wall node has a share of the wall's area, the sum
// over its wall links of 6 w c . n, with the normal n of the smoothed solid at the middle of each
// link: exact for planes of any inclination, as c . n links of direction c cross a unit of area. It
// has the force that its links hand over, along the wall. Both are smoothed in a window in the
// tangent plane: tau is the smoothed force over the smoothed area. A force g and a gradient of the
// density of -3 g are the same problem, so the density's gradient along the wall is taken out of
// the force by the same links, and its deviation from that. What smoothing does to a curved wall is
// off by the square of its width; 2 f . tau - a tau^2, f being a node's force before smoothing,
// removes that term.
//
// How exact that is: docs/method.md, "Slip".
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "geometry/geometry.hpp"
#include "methods/stokes/stokes.hpp"

namespace tessera {

/// The stress on the walls of a box, sealed sides included, in lattice units for a force of 1.
struct WallStress {
  double squared = 0;  ///< the integral of |tau|^2, without nodes whose wall is not resolved
  /// The share of wall nodes whose wall is: others lie among grains of a voxel or two, which have
  /// hardly any area once they are smooth.
  double resolved = 1;
};

/// Finds it. `voxels`, `states` and `odd` are of all its nodes (StokesSpace::voxels(),
/// StokesSolver::fields() and odd_halves()); beyond sides that do not wrap around is solid.
WallStress wall_stress(Int3 shape, std::array<bool, 3> const& periodic,
                       std::span<std::int64_t const> voxels, std::span<StokesState const> states,
                       std::span<StokesOddHalves const> odd);

}  // namespace tessera

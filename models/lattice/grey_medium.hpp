// SPDX-License-Identifier: MIT
// What the links of a porous medium let through, whose pores the voxels do not resolve.
//
// A link passes a share t of each of its two populations on and reflects the rest, as a wall
// half-way does with all of it. In a medium of one k the flow of a force F has the velocity
// t F / (2 (1 - t)) at relaxation time 1, which is Darcy's k F / nu where t = 2 / (2 + nu / k); of
// a link between two nodes nu / k is their mean, so layers in series have the harmonic mean of
// their k, exactly. Beside a wall, or another medium, a row of nodes lacks what its oblique links
// carried along: a sixth of a voxel of its width, where Brinkman's layer takes sqrt(k). Where that
// is less the straight link of two such nodes passes so much more on.
//
// Partial reflection: Dardis, McCloskey, Phys. Rev. E 57 (1998) 4834; Walsh, Burwinkle, Saar,
// Comput. Geosci. 35 (2009) 1186, at nodes. Brinkman, Appl. Sci. Res. A 1 (1949) 27.
#pragma once

#include <cmath>

#include "base/host_device.hpp"

/// Resistances are nu / k of voxels: 0 in an open pore.
namespace tessera::grey_medium {

inline constexpr double solid = -1;  ///< in place of a resistance

/// t of a link between nodes.
template <class T>
TESSERA_HOST_DEVICE T passing(T resistance, T other) {
  return T{4} / (T{4} + (resistance + other));
}

/// By what factor a link along an axis, of two nodes that both have `resistance`, passes more than
/// t. beside(end, side) is nu / k, or solid, of the voxel beside the link's first (0) or second
/// end, on side 0 ... 3. The factor is right to 0.004 voxels of width for walls along the axis, at
/// any k, and to 1 % or so for parallel layers of small k (docs/method.md).
template <class Beside>
TESSERA_HOST_DEVICE double straight_factor(double nu, double resistance, Beside const& beside) {
  if (!(resistance > 0)) return 1;
  double const unlike = 1 - 3 * std::sqrt(nu / resistance);
  if (unlike <= 0) return 1;  // Brinkman's layer is wider
  double const own = passing(resistance, resistance);
  double lacking = 0;
  for (int side = 0; side < 4; ++side) {
    double const first = beside(0, side);
    double const second = beside(1, side);
    if (first == 0 || second == 0) continue;  // an open pore drags along
    double const oblique = (first < 0 ? 0.0 : passing(resistance, first)) +
                           (second < 0 ? 0.0 : passing(resistance, second));
    lacking += 1 - 0.5 * oblique / own;
  }
  double const factor = 1 + 0.5 * unlike * unlike * lacking;
  return factor > 0 ? factor : 0.0;
}

}  // namespace tessera::grey_medium

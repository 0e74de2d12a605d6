// SPDX-License-Identifier: MIT
// What of a case the fluid never meets: conditions without a link.
#pragma once

#include <array>
#include <vector>

#include "geometry/geometry.hpp"
#include "lattice/lattice_kind.hpp"
#include "partition/boundaries.hpp"

namespace tessera {

/// For each condition, whether a velocity of the lattice leads from a pore to it.
std::vector<bool> conditions_with_links(Geometry const& geometry, Boundaries const& boundaries,
                                        LatticeKind lattice);

}  // namespace tessera

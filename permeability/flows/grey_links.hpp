// SPDX-License-Identifier: MIT
// Grey voxels to the time steps: links that pass a share of what is on them
// (methods/stokes/medium.hpp says which).
#pragma once

#include <memory>

#include "partition/lattice/boundaries.hpp"
#include "permeability/permeability_case.hpp"

namespace tessera {

/// The number of their condition among those of grey_links(), which measures its force.
inline constexpr std::size_t grey_condition = 1;

/// All ranks: none, if no voxel of the box is grey. The box has the viscosity of relaxation time 1,
/// at which a medium has its permeability.
std::shared_ptr<Boundaries const> grey_links(PreparedBox const& box);

}  // namespace tessera

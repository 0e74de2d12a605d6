// SPDX-License-Identifier: MIT
// The fields of a finished flow on the voxels of the image, in SI units.
#pragma once

#include <cstdint>
#include <functional>

#include "codelets/lattice/snapshot.hpp"
#include "permeability/permeability_case.hpp"
#include "run/fields/state_fields.hpp"

namespace tessera {

/// Calls for each node of a flow, on several threads perhaps: where it is, in which tile, its state
/// in lattice units.
using VisitNode = std::function<void(Int3 voxel, std::int32_t tile, NodeState const& state)>;
using VisitNodes = std::function<void(VisitNode const&)>;

/// The largest speed of any node, in lattice units. `also` is called for each, if it is there.
double largest_speed(VisitNodes const& visit_nodes, VisitNode const& also = {});

/// Puts the nodes of an image into its fields: those of buffer layers and of a mirror image are not
/// the user's. Both must outlive it.
VisitNode into(StateFields& fields, PreparedBox const& box, Int3 image_shape);

}  // namespace tessera

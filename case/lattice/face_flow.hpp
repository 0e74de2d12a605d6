// SPDX-License-Identifier: MIT
// Mass flow through the faces of a box, counted link by link.
//
// Conditions that act on nodes replace populations that these have received, so the mass of the
// first layer of voxels is not conserved; but each population that crosses from it to the next
// layer, or back, is pulled by one node. The mass that crosses in a step is therefore what the
// fluid further in gains or loses, to rounding, in any flow; the velocities of the nodes give it
// only where they hardly change.
//
// A wall that moves along itself takes a part of the fluid with it: what it takes along one of its
// links comes back along the next one. Where the first link belongs to the second layer and the
// voxel behind the wall to the first layer, or the other way round, that mass crosses, too. So
// links of the second layer count that end in a wall within the first: by what enters along them
// less what leaves, without the even part of populations that an interpolated wall mixes, which is
// mass that it makes or takes. The sum is the momentum of the nodes where a flow is the same along
// the axis, whatever moves the walls. A wall through the centres of nodes has half of each of them
// on its outer side, and with it half of what flows along links within the wall.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "case/file/case.hpp"
#include "methods/lattice/flow_graph.hpp"
#include "partition/lattice/block_grid.hpp"
#include "partition/lattice/boundaries.hpp"

namespace tessera {

/// The faces with a velocity, a pressure or an outflow, in the order of the case.
std::vector<Case::Face> open_faces(Case const& c);

/// Mass (lattice units) that crosses in the next step from the first layer of voxels behind each of
/// the faces to the fluid further in, less what comes back. A link to a voxel behind two of the
/// faces counts with the first of them: the rates of all faces add up to what enters the voxels
/// behind none of them. All ranks; waits for all tasks; the same to the last bit on any tiles.
/// `grid`: of all pores; `factors`: of the conditions in that step.
std::vector<double> mass_rates(FlowGraph& graph, BlockGrid const& grid,
                               Boundaries const& boundaries,
                               std::array<double, most_conditions> const& factors,
                               std::span<Case::Face const> faces);

}  // namespace tessera

// SPDX-License-Identifier: MIT
// What the voxels of an image leave open of its permeability, beside what the solver does.
#pragma once

#include <optional>
#include <vector>

#include "io/results/results.hpp"
#include "permeability/flows/many_flows.hpp"
#include "permeability/permeability_case.hpp"

namespace tessera {

/// Throws BadInput if the image cannot be refined so: a flow that is not solved for, or too little
/// memory on the GPU and in the main memory.
void check_refinement(PermeabilityCase const& asked, Workers const& workers, std::int64_t nodes,
                      int factor);

/// k along an axis of the image as it is, `k`, between two surfaces through the same voxels, each
/// computed on voxels 1/factor as wide: below, the staircase taken literally and extrapolated to
/// ever finer ones; above, a smooth one (geometry/finer.hpp) with a margin; and both further apart
/// by what the count of voxels leaves open of the pores' volume (geometry/flat_walls.hpp).
/// `answer` answers the flows through the surfaces; nothing if it was stopped.
std::optional<VoxelInterval> voxel_interval(Geometry const& image, Axis axis, double k,
                                            PermeabilityCase const& asked, int factor,
                                            AnswerFlows const& answer);

/// The effective conductivity of pores that conduct 1 between `effective`, that of the image as it
/// is, which is at most that of the staircase (docs/method.md), and what the staircase conducts
/// more to a power; both further apart as above. Has no smooth surface. Warns where pores are too
/// narrow for an upper end.
std::optional<VoxelInterval> conductivity_interval(Geometry const& image, Axis axis,
                                                   double effective, PermeabilityCase const& asked,
                                                   int factor, AnswerFlows const& answer);

/// The limit of k on ever finer grids, from its values at the factors 1, 2 and, if there are three,
/// 3: k + C factor^-order, of the order 1.2 that re-entrant edges give (docs/method.md) if there
/// are two.
double staircase_limit(std::vector<double> const& k);

}  // namespace tessera

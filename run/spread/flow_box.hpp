// SPDX-License-Identifier: MIT
// The box that the flow runs in, where image and box are distributed over processes.
#pragma once

#include "geometry/flow_setup.hpp"
#include "run/spread/geometry.hpp"

namespace tessera {

/// All ranks: the voxels of the box around an image.
SpreadGeometry pores_in_box(SpreadGeometry const& image, FlowBoxShape const& box);

}  // namespace tessera

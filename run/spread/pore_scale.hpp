// SPDX-License-Identifier: MIT
// The size of the pores of a geometry that is distributed over processes.
#pragma once

#include "run/spread/geometry.hpp"

namespace tessera {

/// All ranks: hydraulic_diameter() of the whole geometry.
double hydraulic_diameter(SpreadGeometry const& geometry, Int3 lower, Int3 upper);

}  // namespace tessera

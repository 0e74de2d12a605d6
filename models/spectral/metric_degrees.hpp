// SPDX-License-Identifier: MIT
// Which degree the metrics of each element have, so that they keep a uniform flow uniform where
// unlike degrees meet, too.
//
// On a curved side between degrees p < q the flux goes down from q to p by projection, and what
// comes of a uniform flow must be what the metrics of p say. So those of q may be of degree p + 1
// along the side at most: in space they never are if the map is of a degree k > p, in the plane
// they still project to the same as long as k <= p + 2. And elements that share a curved side must
// have the same metrics there. So all elements that curved sides connect have those of the lowest
// degree among them.
#pragma once

#include <cstdint>
#include <vector>

#include "models/spectral/mesh.hpp"

namespace tessera::spectral {

/// By element; of most meshes the degrees themselves.
std::vector<std::uint8_t> metric_degrees(Mesh const& mesh);

}  // namespace tessera::spectral

// SPDX-License-Identifier: MIT
// The degree of each element's metrics, such that a uniform flow stays uniform where unlike degrees
// meet, too.
//
// On a curved side between degrees p < q the flux is projected from q to p, and the projected flux
// of a uniform flow must agree with the metrics of p. So the metrics of q may be of degree p + 1
// along the side at most: in space they never are if the map is of a degree k > p, in the plane
// their projection is still the same as long as k <= p + 2. And elements that share a curved side
// must have the same metrics there. So all elements that curved sides connect have the metrics of
// the lowest degree among them.
#pragma once

#include <cstdint>
#include <vector>

#include "models/spectral/mesh.hpp"

namespace tessera::spectral {

/// The degrees of the metrics, by element; for most meshes they are the elements' degrees.
std::vector<std::uint8_t> metric_degrees(Mesh const& mesh);

}  // namespace tessera::spectral

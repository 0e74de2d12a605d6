// SPDX-License-Identifier: MIT
#include "run/spread/pore_scale.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/ranks/ranks.hpp"
#include "geometry/pore_scale.hpp"
#include "run/spread/layer_above.hpp"

namespace tessera {
namespace {

std::vector<std::uint8_t> lowest_layer(SpreadGeometry const& geometry) {
  auto const voxels = static_cast<std::ptrdiff_t>(geometry.shape.x * geometry.shape.y);
  auto const& pore = geometry.own.pore;
  if (pore.empty()) return {};
  return {pore.begin(), pore.begin() + voxels};
}

/// Faces between the own last layer and the one above that lead from pore to pore: both processes
/// have counted them as wall. Of those whose voxel lies in the box.
std::int64_t open_faces(SpreadGeometry const& geometry, std::vector<std::uint8_t> const& above,
                        Int3 lower, Int3 upper) {
  if (above.empty()) return 0;
  std::int64_t const z = geometry.layers.upper - 1;
  std::int64_t const z_above = geometry.layers.upper % geometry.shape.z;
  auto const counts = [&](std::int64_t at) { return at >= lower.z && at < upper.z ? 1 : 0; };
  std::int64_t open = 0;
  for (Int3 at{0, lower.y, geometry.layers.count() - 1}; at.y < upper.y; ++at.y) {
    for (at.x = lower.x; at.x < upper.x; ++at.x) {
      auto const there = static_cast<std::size_t>(at.x + geometry.shape.x * at.y);
      open += geometry.own.is_pore(at) && above[there] != 0 ? 1 : 0;
    }
  }
  return open * (counts(z) + counts(z_above));
}

}  // namespace

double hydraulic_diameter(SpreadGeometry const& geometry, Int3 lower, Int3 upper) {
  LayerRange const own = geometry.layers;
  Int3 own_lower = lower;
  Int3 own_upper = upper;
  own_lower.z = std::clamp(lower.z, own.lower, own.upper) - own.lower;
  own_upper.z = std::clamp(upper.z, own.lower, own.upper) - own.lower;
  PoreSurface const surface = pore_surface(geometry.own, own_lower, own_upper);
  auto const above = from_above(geometry, lowest_layer(geometry));
  std::array sums{surface.pores, surface.faces - open_faces(geometry, above, lower, upper)};
  if (!geometry.everywhere) Ranks::sum(sums);
  return PoreSurface{sums[0], sums[1]}.hydraulic_diameter();
}

}  // namespace tessera

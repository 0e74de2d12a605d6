// SPDX-License-Identifier: MIT
#include "permeability/flows/grey_links.hpp"

#include <array>
#include <cstdint>
#include <cstdlib>
#include <utility>
#include <vector>

#include "models/lattice/grey_medium.hpp"
#include "run/spread/geometry.hpp"

namespace tessera {
namespace {

/// What the links of a box pass.
struct Medium {
  Int3 shape;
  std::array<bool, 3> periodic{};
  double viscosity = 0;
  std::vector<float> resistance;  ///< nu / k of voxels, or solid

  double at(Int3 voxel) const {
    for (Axis const a : all_axes) {
      bool const inside = voxel[a] >= 0 && voxel[a] < shape[a];
      if (!inside && !periodic.at(index_of(a))) return grey_medium::solid;
      voxel[a] = (voxel[a] + shape[a]) % shape[a];
    }
    return double{resistance[linear_index(shape, voxel)]};
  }
  /// The share of the link from a node along c, which ends at another node.
  double passing(Int3 node, Int3 c) const {
    double const own = at(node);
    double const share = grey_medium::passing(own, at(node + c));
    bool const is_straight = std::abs(c.x) + std::abs(c.y) + std::abs(c.z) == 1;
    return is_straight && at(node + c) == own ? straight_factor(node, c, own) * share : share;
  }
  double straight_factor(Int3 node, Int3 c, double own) const {
    std::array<Int3, 4> sides{};
    std::size_t count = 0;
    for (Axis const a : all_axes) {
      if (c[a] != 0) continue;
      sides.at(count)[a] = 1;
      sides.at(count + 1)[a] = -1;
      count += 2;
    }
    return double{
        static_cast<float>(grey_medium::straight_factor(viscosity, own, [&](int end, int side) {
          Int3 const from = end == 0 ? node : node + c;
          return at(from + sides.at(static_cast<std::size_t>(side)));
        }))};
  }
};

}  // namespace

std::shared_ptr<Boundaries const> grey_links(PreparedBox const& box) {
  if (box.geometry.own.of_grey.empty()) return nullptr;
  Geometry const whole = whole_geometry(box.geometry);
  std::vector<float> resistance(whole.pore.size());  // nu / k
  for (std::size_t i = 0; i < resistance.size(); ++i) {
    std::uint8_t const kind = whole.pore[i];
    if (kind == 0) resistance[i] = static_cast<float>(grey_medium::solid);
    if (kind > 1)
      resistance[i] = static_cast<float>(box.viscosity / whole.of_grey[kind - std::size_t{2}]);
  }
  auto boundaries = std::make_shared<Boundaries>();
  boundaries->shape = whole.shape;
  boundaries->periodic = whole.periodic;
  boundaries->between_nodes = grey_condition;
  BoundaryCondition& grey = boundaries->conditions.emplace_back();
  grey.kind = BoundaryKind::grey;
  grey.measure_force = true;
  grey.passing = [medium =
                      Medium{whole.shape, whole.periodic, box.viscosity, std::move(resistance)}](
                     Int3 node, Int3 c) { return medium.passing(node, c); };
  return boundaries;
}

}  // namespace tessera

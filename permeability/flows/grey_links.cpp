// SPDX-License-Identifier: MIT
#include "permeability/flows/grey_links.hpp"

#include <cstdint>
#include <utility>
#include <vector>

#include "run/spread/geometry.hpp"

namespace tessera {
namespace {

/// The voxel of the box that one beyond its sides is, as the box repeats itself.
Int3 wrapped(Int3 at, Int3 shape) {
  for (Axis const a : all_axes) at[a] = (at[a] + shape[a]) % shape[a];
  return at;
}

}  // namespace

std::shared_ptr<Boundaries const> grey_links(PreparedBox const& box) {
  if (box.geometry.own.of_grey.empty()) return nullptr;
  Geometry const whole = whole_geometry(box.geometry);
  std::vector<float> resistance(whole.pore.size());  // nu / k
  for (std::size_t i = 0; i < resistance.size(); ++i) {
    std::uint8_t const kind = whole.pore[i];
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
  grey.passing = [shape = whole.shape, resistance = std::move(resistance)](Int3 node, Int3 c) {
    auto const of = [&](Int3 at) { return double{resistance[linear_index(shape, at)]}; };
    return 4 / (4 + of(node) + of(wrapped(node + c, shape)));
  };
  return boundaries;
}

}  // namespace tessera

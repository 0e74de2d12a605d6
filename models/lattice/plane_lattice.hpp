// SPDX-License-Identifier: MIT
// Velocity sets of the plane have no velocity along z: on a volume each layer would be a flow of
// its own, and the result would belong to another geometry.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/box.hpp"
#include "models/lattice/model_names.hpp"

namespace tessera {

/// "D3Q13, D3Q15, D3Q19 or D3Q27".
inline std::string sets_of_dimensions(int dimensions) {
  std::vector<std::string_view> names;
  for (auto const& [name, lattice] : lattice_names) {
    if (velocities_of(lattice).dimensions == dimensions) names.push_back(name);
  }
  return one_of(names);
}

/// The error of a set of the plane on a box of several layers along z, to follow its name in a
/// message; nothing where they fit. `one_layer`: how the user gets a single layer.
inline std::optional<std::string> misfit_of_plane_lattice(LatticeKind lattice, Int3 shape,
                                                          std::string const& one_layer,
                                                          std::string const& lattice_is) {
  if (velocities_of(lattice).dimensions != 2 || shape.z == 1) return std::nullopt;
  return " is for plane flows, but nz = " + std::to_string(shape.z) + ": expected " + one_layer +
         ", or " + lattice_is + sets_of_dimensions(3);
}

}  // namespace tessera

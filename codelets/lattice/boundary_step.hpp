// SPDX-License-Identifier: MIT
// The boundary conditions of a tile in a step, on a core.
#pragma once

#include "codelets/lattice/boundary_plan.hpp"
#include "codelets/lattice/boundary_terms.hpp"

namespace tessera {

/// Writes what nodes beside boundaries shall pull into the populations after the collision, halo
/// included. `entering_values`: room for one a link. `forces`: receives the force on the walls of
/// each group; nullptr if there are no groups. `memory`: a value a link; nullptr if no link
/// remembers one.
template <class Lattice, class Storage>
void apply_boundaries(BoundaryView const& view, BoundaryParameters const& parameters, Storage* f,
                      double* entering_values, WallForce* forces, double* memory) {
  for (std::uint32_t i = 0; i < view.counts.links; ++i) {
    double* const of_link = memory == nullptr ? nullptr : memory + i;
    entering_values[i] = entering<Lattice>(view.links[i], f, parameters, of_link);
  }
  for (std::uint32_t g = 0; forces != nullptr && g < view.counts.groups; ++g)
    forces[g] = force_of_group<Lattice>(view, view.groups[g], f, entering_values);
  for (std::uint32_t i = 0; i < view.counts.links; ++i) {
    f[view.links[i].target] =
        to_storage<Storage>(static_cast<Arithmetic<Storage>>(entering_values[i]));
  }
  for (std::uint32_t i = 0; i < view.counts.nodes; ++i)
    replace_at<Lattice>(view.nodes[i], f, parameters);
}

}  // namespace tessera

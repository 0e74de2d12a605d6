// SPDX-License-Identifier: MIT
// Which neighbours of a voxel are connected with it.
#pragma once

#include <cstdint>

#include "models/lattice/lattice_kind.hpp"

namespace tessera {

/// Neighbours of a voxel; many tools count faces only.
enum class Links : std::uint8_t { faces, faces_and_edges, all };

/// The links of a velocity set. D3Q15 streams through faces and corners: pores that only a corner
/// leads to are left out.
constexpr Links links_of(LatticeKind lattice) {
  bool edges = false;
  bool corners = false;
  Velocities const velocities = velocities_of(lattice);
  for (auto const& c : velocities.c) {
    int const along = c[0] * c[0] + c[1] * c[1] + c[2] * c[2];  // so many axes
    edges = edges || along == 2;
    corners = corners || along == 3;
  }
  if (!edges) return Links::faces;
  return corners ? Links::all : Links::faces_and_edges;
}

}  // namespace tessera

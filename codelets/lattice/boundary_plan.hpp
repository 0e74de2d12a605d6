// SPDX-License-Identifier: MIT
// The boundary conditions of a tile, laid out as lists of what is done before each step: link-wise
// conditions by incoming population, wet-node conditions by node.
//
// The kernels of the bulk know half-way bounce-back alone: where a node finds no neighbour, it
// takes its own opposite population. Each population of the old lattice is pulled by one node only.
// So a boundary condition writes what a node shall pull to the place that it pulls from: the bulk
// kernel is the same with and without conditions, and so is its speed.
//
// First the links, in two passes, as one may read what another replaces: all values are computed,
// then written. Then the nodes at inlets and outlets, which read what the links have written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/lattice/equilibrium_form.hpp"
#include "models/lattice/lattice_kind.hpp"
#include "partition/lattice/boundaries.hpp"
#include "partition/lattice/tiling.hpp"

namespace tessera {

/// What enters a node along one link: weight_a f[a] + weight_b f[b] + factor constant + offset; it
/// is written where the node pulls from: the place of the population that leaves along the link, or
/// of the one that comes from another node, across a periodic face or along a grey link.
struct BoundaryLink {
  double weight_a;
  double weight_b;
  double constant;
  double offset;  ///< of the density, across a periodic face
  std::uint32_t target;
  std::uint32_t a;
  std::uint32_t b;
  std::uint32_t node;    ///< where the node's population 0 stands
  std::uint32_t stride;  ///< to its next one
  float point[3];        ///< of the wall, in voxels
  std::uint8_t q;        ///< the velocity that enters
  std::int8_t out[3];    ///< of the faces that it crosses: outward
  std::uint8_t condition;
  BoundaryKind kind;
};

/// A node beside an inlet or an outlet.
struct BoundaryNode {
  double velocity[3];
  double density_shift;                    ///< rho - 1
  std::uint32_t sources[most_velocities];  ///< where it pulls each population from
  std::uint32_t unknown;                   ///< bit q: it streams in from outside
  std::uint8_t axis;                       ///< normal to the face
  std::int8_t inward;                      ///< c_axis of what streams in: 1 or -1
  std::uint8_t condition;
  BoundaryKind kind;
};

/// Consecutive links of one block and one condition whose force is measured.
struct LinkGroup {
  std::uint32_t first;
  std::uint32_t count;
  std::uint32_t condition;
};

/// Force of the fluid on a wall in a step, in lattice units, pressure counted from density 1.
struct WallForce {
  double force[3] = {};
  double torque[3] = {};  ///< about the corner of the box
};

/// Parameters of the conditions in a step.
struct BoundaryParameters {
  EquilibriumForm equilibrium = EquilibriumForm::linear;
  double force[3] = {};
  double factor[most_conditions] = {};  ///< of velocities, and of densities less 1
  double supply = 0;                    ///< of mass, by walls that may move: over a link's weight
};

struct BoundaryCounts {
  std::uint32_t links = 0;
  std::uint32_t remembered = 0;  ///< links with a value kept from step to step: all or none
  std::uint32_t nodes = 0;
  std::uint32_t groups = 0;
};

/// The lists in one buffer, in main memory or in a GPU's.
struct BoundaryView {
  BoundaryCounts counts;
  BoundaryLink const* links = nullptr;
  BoundaryNode const* nodes = nullptr;
  LinkGroup const* groups = nullptr;
};
BoundaryView view_boundaries(BoundaryCounts const& counts, std::byte const* buffer);

struct BoundaryPlan {
  BoundaryCounts counts;
  std::vector<std::uint32_t> first_link;  ///< of each block of the tile, and the end
  std::vector<std::byte> buffer;          ///< see view_boundaries(); empty: nothing but plain walls

  BoundaryView view() const { return view_boundaries(counts, buffer.data()); }
};

/// The plan of a tile. Throws BadInput where a condition is not supported.
BoundaryPlan plan_boundaries(Tiling const& tiling, Tile const& tile, Boundaries const& boundaries);

}  // namespace tessera

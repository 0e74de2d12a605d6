// SPDX-License-Identifier: MIT
// Boundary conditions at the walls and faces of a box, by voxel, and of links between its nodes.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "base/box.hpp"
#include "base/host_device.hpp"
#include "models/lattice/lattice_kind.hpp"
#include "partition/lattice/voxel_numbers.hpp"

namespace tessera {

enum class BoundaryKind : std::uint8_t {
  wall,               ///< half-way bounce-back
  moving_wall,        ///< half-way bounce-back at a velocity (Ladd, J. Fluid Mech. 271 (1994) 285)
  interpolated_wall,  ///< where the surface is (Bouzidi, Firdaouss, Lallemand, Phys. Fluids 13
                      ///< (2001) 3452), at a velocity
  on_node_wall,       ///< what streams in bounces back on the node itself, through whose centre the
                      ///< wall goes (He, Zou, Luo, Dembo, J. Stat. Phys. 87 (1997) 115), at a
                      ///< velocity
  full_way_wall,      ///< what leaves comes back a step later, at a velocity: the voxel behind
                      ///< returns it
  slip,               ///< mirrors: free slip, symmetry; of walls along the axes
  outflow,            ///< what streams in is what streamed in one node upstream
  convective_outflow,  ///< what streams in is carried out at the speed of the flow (Orlanski, J.
                       ///< Comput. Phys. 21 (1976) 251; Yang, Comput. Math. Appl. 65 (2013) 882)
  anti_bounce_back,    ///< density half-way (Ginzburg, Verhaeghe, d'Humieres 2008)
  density_drop,        ///< within the box, where a periodic axis wraps
  grey,  ///< between nodes: a share of what leaves either one reaches the other, the rest turns
         ///< back
  // On the nodes beside a face of the box:
  zou_he_velocity,  ///< Zou, He, Phys. Fluids 9 (1997) 1591; D3Q19 and others: Hecht, Harting,
                    ///< J. Stat. Mech. (2010) P01018
  zou_he_density,
  regularised_velocity,  ///< Latt, Chopard, Malaspinas, Deville, Michler, Phys. Rev. E 77 (2008)
  regularised_density    ///< 056703
};

/// Properties of a kind that code other than its kernel needs.
struct BoundaryTraits {
  bool acts_on_nodes = false;   ///< on all that enters a node, rather than along single links
  bool says_velocity = false;   ///< else, of those that act on nodes, the density
  bool remembers = false;       ///< what enters along a link depends on what has entered before
  bool reads_upstream = false;  ///< other populations than those that stream into its nodes
  /// Whether the condition holds at the end of a step, when its nodes collide; otherwise it holds
  /// in the middle of the step, while populations meet it on their way.
  bool holds_at_nodes = false;
  bool may_move = false;  ///< a wall
};

TESSERA_HOST_DEVICE constexpr BoundaryTraits traits_of(BoundaryKind kind) {
  switch (kind) {
    case BoundaryKind::wall:
    case BoundaryKind::anti_bounce_back:
    case BoundaryKind::density_drop:
    case BoundaryKind::grey:
      break;
    case BoundaryKind::moving_wall:
    case BoundaryKind::interpolated_wall:
      return {.may_move = true};
    case BoundaryKind::on_node_wall:
      return {.holds_at_nodes = true, .may_move = true};
    case BoundaryKind::full_way_wall:
      return {.remembers = true, .may_move = true};
    case BoundaryKind::slip:
    case BoundaryKind::outflow:
      return {.reads_upstream = true};
    case BoundaryKind::convective_outflow:
      return {.remembers = true, .reads_upstream = true};
    case BoundaryKind::zou_he_velocity:
    case BoundaryKind::regularised_velocity:
      return {.acts_on_nodes = true, .says_velocity = true, .holds_at_nodes = true};
    case BoundaryKind::zou_he_density:
    case BoundaryKind::regularised_density:
      return {.acts_on_nodes = true, .holds_at_nodes = true};
  }
  return {};
}

using Velocity = std::array<double, 3>;

/// A boundary condition, in lattice units. Its functions are called once for each node beside the
/// boundary; in time the values change by a factor only (StepValues::factor).
struct BoundaryCondition {
  BoundaryKind kind = BoundaryKind::wall;
  std::function<Velocity(Int3 node)> velocity;  ///< of walls and inlets; none: at rest
  std::function<double(Int3 node)> density;     ///< none: 1
  /// Fraction of the link from a node along c (components -1, 0, 1) at which the surface stands, in
  /// (0, 1]; none: 1/2.
  std::function<double(Int3 node, Int3 c)> link_fraction;
  /// Grey: the share of the populations that the link from a node along c passes on; alike from its
  /// other end.
  std::function<double(Int3 node, Int3 c)> passing;
  bool measure_force = false;  ///< momentum exchange, as part of the measurements
};

/// What enters a node from a wall along a link; velocity q leads away from the wall, its opposite o
/// to the wall. It is a sum of these parts of populations after the collision, and of what the
/// motion of the wall carries.
struct WallLink {
  double fraction = 0.5;  ///< of the link from the node at which the wall stands
  double leaving = 1;     ///< of f_o of the node
  double entering = 0;    ///< of f_q of the node
  double behind = 0;      ///< of f_o of the next node that way
  double carried = 0;     ///< times the factor of the condition (Ladd 1994)
};
/// The terms of the link from a wall into `node` along velocity q. `in_gap`: there is no next node
/// that way. For walls between nodes; for walls on nodes only `carried` is valid.
WallLink wall_link(BoundaryCondition const& wall, Velocities const& velocities, Int3 node, int q,
                   bool in_gap);

/// The largest number of conditions, the plain wall among them.
inline constexpr std::size_t most_conditions = 32;

struct Boundaries {
  Int3 shape;                      ///< of the box
  std::array<bool, 3> periodic{};  ///< axes along which it wraps
  /// Density at the lower face of a periodic axis less that at the upper one, by axis; the flow is
  /// periodic otherwise (Kim, Pitsch, Phys. Fluids 19 (2007) 108101).
  std::array<double, 3> density_drop{};
  /// The first condition is the plain wall, which stands where none is given.
  std::vector<BoundaryCondition> conditions{1};
  /// Conditions behind the faces x-, x+, y-, y+, z-, z+ of the box, along axes that do not wrap.
  std::array<std::uint8_t, 6> of_face{};
  /// Conditions in the solid voxels of the box; empty: all plain walls.
  VoxelNumbers of_voxel;
  /// The grey condition of the links between nodes; 0: they pass everything.
  std::uint8_t between_nodes = 0;

  /// Faces behind which a condition reads upstream: for BlockGrid::need_all_beside().
  std::array<bool, 6> faces_that_mirror() const;
  /// Whether there are only plain walls, none of which measures its force.
  bool plain() const;
  /// The condition that a link from a node along c meets, if it does not end in a pore. Where it
  /// leaves the box across an edge, a plain wall beside the edge comes first, then the lower axis.
  std::uint8_t condition_at(Int3 node, Int3 c) const;
  /// By how much the density falls from the place at node + d, which the box repeats periodically,
  /// to its image within the box.
  double drop_beyond(Int3 node, Int3 d) const;
};

}  // namespace tessera

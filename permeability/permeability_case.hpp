// SPDX-License-Identifier: MIT
// A flow through an image along one axis, whose permeability is asked for: what the user says, and
// what is prepared before the first step.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "geometry/flow_setup.hpp"
#include "permeability/sample_pores.hpp"
#include "run/plan/flow_tiles.hpp"
#include "run/scene.hpp"
#include "run/spread/geometry.hpp"

namespace tessera {

struct FlowIdentity;

/// The user's choices in lattice units; defaults are meant for creeping flow.
struct PermeabilityCase : TilesAsked {
  FlowSetup setup = FlowSetup::sealed;
  std::int64_t buffer_layers = default_buffer_layers;
  double magic = 3.0 / 16.0;
  std::optional<double> relaxation_time;  ///< chosen from the pore size if not given
  std::optional<double> body_force;       ///< chosen, too, if not given
  double tolerance = 1e-3;                ///< relative error of the permeability
  bool for_fields = true;                 ///< the tolerance holds for the state, too
  bool keeps_states = true;               ///< nodes are visited in the end
  std::int64_t max_steps = 1'000'000;
  bool slip = false;  ///< also dk/dl of a slip length l at the walls; by minres alone
};

/// The box of a flow and its parameters.
struct PreparedBox {
  Axis axis = Axis::x;
  SpreadGeometry geometry;  ///< of the box, without the pores that do not percolate
  std::int64_t nodes = 0;   ///< its pore voxels
  Int3 sample_lower;        ///< the sample in the box: averages are taken over it
  Int3 sample_upper;
  double sample_share = 1;  ///< see FlowBoxShape
  std::int64_t isolated_voxels = 0;
  double relaxation_time = 0;
  double viscosity = 0;
  double body_force = 0;
  double hydraulic_diameter = 0;
  double seconds = 0;  ///< taken by preparing

  double sample_volume() const {
    return static_cast<double>(volume(sample_upper - sample_lower) - geometry.outside);
  }
  /// Mean speed along the axis over so many nodes of the sample, from the superficial velocity.
  double mean_pore_speed(double superficial, double sample_nodes) const {
    return superficial * sample_volume() / sample_nodes;
  }
  /// Reynolds number by the mean pore speed and the pores' hydraulic diameter.
  double reynolds(double superficial, double sample_nodes) const;
};

/// Collective: called by all ranks. Throws BadInput if no pore leads through.
PreparedBox prepare_box(SamplePores const& sample, Axis axis, PermeabilityCase const& asked);
/// Box of an image that this process has as a whole; not collective.
PreparedBox prepare_box(Geometry const& image, Axis axis, PermeabilityCase const& asked);
/// Sets relaxation time, viscosity and force for a flow in this box.
void choose_physics(PreparedBox& box, PermeabilityCase const& asked);

/// A box with the tiles of its lattice.
struct PreparedFlow : PreparedBox, FlowTiles {
  Workers workers;

  /// A function that makes the blocks of the geometry anew. The flow must outlive the function.
  std::function<BlockGrid()> grid(LatticeKind lattice) const;
};

/// Collective: called by all ranks.
PreparedFlow prepare_flow(PreparedBox box, PermeabilityCase const& asked, Workers const& workers);
/// Box and tiles of an image, in a process that is alone. Throws BadInput if no pore leads through.
PreparedFlow prepare_flow(Geometry const& image, Axis axis, PermeabilityCase const& asked,
                          Workers const& workers);

/// What tells this flow's checkpoints from those of others.
FlowIdentity identity_of(PreparedBox const& flow, PermeabilityCase const& asked);

/// What in-situ scripts are told of the box. `image_shape`: without layers of fluid and mirror
/// image.
VoxelScene scene_of(PreparedBox const& flow, FlowSetup setup, Int3 image_shape,
                    FieldUnits const& units);

}  // namespace tessera

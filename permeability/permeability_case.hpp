// SPDX-License-Identifier: MIT
// A flow through an image along one axis, whose permeability is asked for: what the user says, and
// what is prepared before the first step.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "geometry/flow_setup.hpp"
#include "run/plan/flow_tiles.hpp"
#include "run/scene.hpp"
#include "run/spread/geometry.hpp"

namespace tessera {

struct FlowIdentity;

/// Lattice units; defaults are chosen for creeping flow.
struct PermeabilityCase : TilesAsked {
  FlowSetup setup = FlowSetup::sealed;
  std::int64_t buffer_layers = default_buffer_layers;
  double magic = 3.0 / 16.0;
  std::optional<double> relaxation_time;  ///< chosen from the pore size if not given
  std::optional<double> body_force;       ///< likewise
  double tolerance = 1e-3;                ///< relative error of the permeability
  bool for_fields = true;                 ///< and of the state that it is of
  std::int64_t max_steps = 1'000'000;
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
  double seconds = 0;  ///< that preparing took

  double sample_volume() const { return static_cast<double>(volume(sample_upper - sample_lower)); }
  /// Along the axis, mean over so many nodes of the sample, from the superficial velocity.
  double mean_pore_speed(double superficial, double sample_nodes) const {
    return superficial * sample_volume() / sample_nodes;
  }
  /// By that speed and the pores' hydraulic diameter.
  double reynolds(double superficial, double sample_nodes) const;
};

/// All ranks. Throws BadInput if no pore leads through.
PreparedBox prepare_box(SpreadGeometry const& image, Axis axis, PermeabilityCase const& asked);
/// The same of a rank by itself, or of a process that is alone.
PreparedBox prepare_box(Geometry const& image, Axis axis, PermeabilityCase const& asked);
/// Relaxation time, viscosity and force, for a flow in this box.
void choose_physics(PreparedBox& box, PermeabilityCase const& asked);

/// With the tiles that it takes its steps on.
struct PreparedFlow : PreparedBox, FlowTiles {
  Workers workers;

  /// The blocks of its geometry, again. It must outlive the function.
  std::function<BlockGrid()> grid(LatticeKind lattice) const;
};

/// All ranks.
PreparedFlow prepare_flow(PreparedBox box, PermeabilityCase const& asked, Workers const& workers);
/// The same from an image, of a process that is alone. Throws BadInput if no pore leads through.
PreparedFlow prepare_flow(Geometry const& image, Axis axis, PermeabilityCase const& asked,
                          Workers const& workers);

/// Which flow it is, for its checkpoints.
FlowIdentity identity_of(PreparedBox const& flow, PermeabilityCase const& asked);

/// For those who look at it. `image_shape`: without layers of fluid or a mirror image.
VoxelScene scene_of(PreparedBox const& flow, FlowSetup setup, Int3 image_shape,
                    FieldUnits const& units);

}  // namespace tessera

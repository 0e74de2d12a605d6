// SPDX-License-Identifier: MIT
// A flow through an image along one axis, whose permeability is asked for: what the user says, and
// what is prepared before the first step.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "geometry/flow_setup.hpp"
#include "plan/flow_tiles.hpp"
#include "run/flow_identity.hpp"
#include "run/scene.hpp"

namespace tessera {

/// Lattice units; defaults are chosen for creeping flow.
struct PermeabilityCase : TilesAsked {
  FlowSetup setup = FlowSetup::sealed;
  std::int64_t buffer_layers = default_buffer_layers;
  double magic = 3.0 / 16.0;
  std::optional<double> relaxation_time;  ///< chosen from the pore size if not given
  std::optional<double> body_force;       ///< likewise
  double tolerance = 1e-3;                ///< relative error of the permeability
  std::int64_t max_steps = 1'000'000;
};

/// Tiles, box and parameters, for the user to see before the first step.
struct PreparedFlow : FlowTiles {
  Axis axis = Axis::x;
  Geometry geometry;  ///< of the box, without the pores that do not percolate
  Workers workers;
  Int3 sample_lower;  ///< the sample in the box: averages are taken over it
  Int3 sample_upper;
  double sample_share = 1;  ///< see FlowBox
  std::int64_t isolated_voxels = 0;
  double relaxation_time = 0;
  double body_force = 0;
  double hydraulic_diameter = 0;
  double seconds = 0;

  /// The blocks of its geometry, again. It must outlive the function.
  std::function<BlockGrid()> grid(LatticeKind lattice) const;
};

/// Throws BadInput if no pore leads through.
PreparedFlow prepare_flow(Geometry const& image, Axis axis, PermeabilityCase const& asked,
                          Workers const& workers);

/// Which flow it is, for its checkpoints.
FlowIdentity identity_of(PreparedFlow const& flow, PermeabilityCase const& asked);

/// For those who look at it. `image_shape`: without layers of fluid or a mirror image.
Scene scene_of(PreparedFlow const& flow, FlowSetup setup, Int3 image_shape,
               FieldUnits const& units);

}  // namespace tessera

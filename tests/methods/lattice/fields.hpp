// SPDX-License-Identifier: MIT
// Runs a fixed number of steps on a FlowGraph and keeps everything that can be seen of it.
#pragma once

#include <cstring>
#include <utility>
#include <vector>

#include "geometry/generate.hpp"
#include "methods/lattice/flow_graph.hpp"
#include "partition/cut.hpp"
#include "partition/lattice/block_graph.hpp"

namespace tessera::test {

/// Pores between overlapping spheres.
inline Geometry const& rock() {
  static Geometry const geometry = overlapping_spheres({70, 45, 37}, 5, 0.35, 7).geometry;
  return geometry;
}

/// Pores of the kind in fewer blocks, 3 x 4 x 3, for tests that make many short runs.
inline Geometry const& small_rock() {
  static Geometry const geometry = overlapping_spheres({70, 29, 21}, 5, 0.35, 7).geometry;
  return geometry;
}

/// What a run has left: the state of each voxel (zero in the solid) and the measurements of the
/// last two steps.
struct Fields {
  std::vector<NodeState> states;  ///< x fastest
  Measurement last_but_one;
  Measurement last;
};

/// A weak flow askew to the axes, so that no component is zero.
inline FlowOptions skew_flow(Precision precision, EquilibriumForm equilibrium, double tau = 0.7) {
  constexpr double force[3] = {3e-6, -2e-6, 1e-6};
  FlowOptions options;
  options.precision = precision;
  options.model.equilibrium = equilibrium;
  options.parameters = flow_parameters(options.model, tau, 3.0 / 16, force);
  return options;
}

/// Runs `steps` steps on tiles; a Runtime must be there. All but the last two are submitted by
/// advance(graph, number).
template <class Advance>
Fields fields_after(int steps, Tiling const& tiling, FlowOptions const& options,
                    Advance&& advance) {
  Fields fields;
  fields.states.resize(static_cast<std::size_t>(volume(tiling.image_shape)));
  FlowGraph graph(tiling, options);
  advance(graph, steps - 2);
  bool const has_functional = functional_parameters(options.model, options.parameters).has_value();
  for (int i = 0; i < 2; ++i) {
    if (has_functional) graph.measure_with_functional_at(graph.steps() + 1);
    graph.submit_step();
    if (!has_functional) graph.submit_measurement();
  }
  fields.last_but_one = graph.take_measurement(steps - 1);
  fields.last = graph.take_measurement(steps);
  graph.visit_nodes([&](Int3 at, std::int32_t, NodeState const& state) {
    fields.states[linear_index(tiling.image_shape, at)] = state;
  });
  return fields;
}

inline Fields fields_after(int steps, Tiling const& tiling, FlowOptions const& options) {
  return fields_after(steps, tiling, options,
                      [](FlowGraph& graph, int count) { graph.submit_steps(count); });
}

/// Tiles by METIS.
inline Tiling metis_tiling(Geometry const& geometry, std::int32_t tiles) {
  BlockGrid const grid(geometry);
  return build_tiling(grid, cut_with_metis(block_graph(grid), tiles));
}

/// Voxels whose states differ in any bit.
inline std::int64_t differing_voxels(Fields const& a, Fields const& b) {
  if (a.states.size() != b.states.size()) return -1;
  std::int64_t differing = 0;
  for (std::size_t i = 0; i < a.states.size(); ++i) {
    // Bits, not values. NOLINTNEXTLINE(bugprone-suspicious-memory-comparison)
    if (std::memcmp(&a.states[i], &b.states[i], sizeof(NodeState)) != 0) ++differing;
  }
  return differing;
}

/// Whether two measurements agree in every bit. The number of a broken tile depends on the cut and
/// does not count.
inline bool same_bits(Measurement const& a, Measurement const& b) {
  if (a.functional.has_value() != b.functional.has_value()) return false;
  // NOLINTBEGIN(bugprone-suspicious-memory-comparison)
  if (a.functional && std::memcmp(&*a.functional, &*b.functional, sizeof *a.functional) != 0)
    return false;
  return a.step == b.step && std::memcmp(&a.total, &b.total, sizeof a.total) == 0;
  // NOLINTEND(bugprone-suspicious-memory-comparison)
}

}  // namespace tessera::test

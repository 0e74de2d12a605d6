// SPDX-License-Identifier: MIT
// Boxes of fluid with boundary conditions, and runs of them.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "graph/runtime/runtime.hpp"
#include "partition/lattice/block_graph.hpp"
#include "tests/methods/lattice/fields.hpp"
#include "tests/methods/lattice/saved.hpp"

namespace tessera::test {

/// A box of pores with conditions at its faces.
struct Box {
  Int3 shape;
  std::array<bool, 3> periodic{true, true, true};
  Boundaries boundaries{};

  std::uint8_t add(BoundaryCondition condition) {
    boundaries.conditions.push_back(std::move(condition));
    return static_cast<std::uint8_t>(boundaries.conditions.size() - 1);
  }
  /// `face`: 0 to 5 for x-, x+, y- ... The axis no longer wraps.
  void at_face(std::size_t face, BoundaryCondition condition) {
    periodic[face / 2] = false;
    boundaries.of_face[face] = add(std::move(condition));
  }
  Geometry geometry() const {
    return {shape, std::vector<std::uint8_t>(static_cast<std::size_t>(volume(shape)), 1), periodic};
  }
};

/// The final states of a flow, and its measurements.
struct Result {
  std::vector<NodeState> states;
  Measurement measurement;
  std::vector<Measurement> on_the_way{};

  NodeState const& at(Int3 shape, Int3 voxel) const { return states[linear_index(shape, voxel)]; }
};

struct Flow {
  FlowModel model{.equilibrium = EquilibriumForm::second_order};
  double tau = 0.8;
  double force[3] = {};
  std::function<void(FlowParameters&)> change_rates{};  ///< none: those of flow_parameters()
  int steps = 1000;
  std::int32_t tiles = 3;
  int workers = 1;  ///< two would spend more time on a small box than one
  Precision precision = Precision::double_precision;
  std::function<StepValues(std::int64_t)> values_at{};
  std::function<bool(Int3)> solid{};
  bool on_gpu = false;
  std::function<DensityAndVelocity(Int3)> initial{};
  bool cut_anew = false;  ///< cut anew into other tiles, twice
  bool saved = false;     ///< saved, and restored after more steps
  int steps_per_sweep = 1;
  std::vector<std::int64_t> measured{};  ///< steps to measure at, besides the last two
  double wall_supply = 0;
};

inline Result run(Box box, Flow const& flow) {
  box.boundaries.shape = box.shape;
  box.boundaries.periodic = box.periodic;
  Geometry geometry = box.geometry();
  if (flow.solid) {
    for (Int3 at; at.z < box.shape.z; ++at.z) {
      for (at.y = 0; at.y < box.shape.y; ++at.y) {
        for (at.x = 0; at.x < box.shape.x; ++at.x)
          geometry.pore[linear_index(box.shape, at)] = flow.solid(at) ? 0 : 1;
      }
    }
  }
  BlockGrid grid(geometry, flow.model.lattice);
  grid.need_all_beside(box.boundaries.faces_that_mirror());
  Tiling const tiling =
      build_tiling(grid, cut_with_metis(block_graph(grid), std::min(flow.tiles, grid.size())));
  FlowOptions options;
  options.precision = flow.precision;
  options.model = flow.model;
  options.parameters = flow_parameters(flow.model, flow.tau, 3.0 / 16, flow.force);
  if (flow.change_rates) flow.change_rates(options.parameters);
  options.boundaries = std::make_shared<Boundaries const>(box.boundaries);
  options.values_at = flow.values_at;
  options.wall_supply = flow.wall_supply;
  options.steps_per_sweep = flow.steps_per_sweep;
  std::vector<Measurement> on_the_way;
  auto const advance = [&](FlowGraph& graph, int count) {
    if (flow.initial) graph.set_state(flow.initial);
    if (flow.cut_anew) {
      for (std::int32_t const tiles : {2, 5}) {
        graph.submit_steps(count / 3);
        graph.adopt(build_tiling(grid, cut_with_metis(block_graph(grid), tiles)));
      }
      count -= 2 * (count / 3);
    }
    if (flow.saved) {
      graph.submit_steps(count / 3);
      Saved const saved(graph);
      graph.submit_steps(4);
      saved.restore(graph);
      count -= count / 3;
    }
    for (std::int64_t const step : flow.measured) graph.measure_at(step);
    graph.submit_steps(count);
    for (std::int64_t const step : flow.measured)
      on_the_way.push_back(graph.take_measurement(step));
  };
  // Kernels without fused multiply-add, as in a GPU build that compares bits.
  if (!flow.on_gpu) options.kernels = &generic_kernels;
  Runtime const runtime(flow.on_gpu ? "lws" : "", flow.on_gpu ? 1 : flow.workers,
                        flow.on_gpu ? 1 : 0);
  if (flow.on_gpu) options.domains = Runtime::domains(false);
  Fields const fields = fields_after(flow.steps, tiling, options, advance);
  return {fields.states, fields.last, on_the_way};
}

inline BoundaryCondition moving(Velocity velocity) {
  return {.kind = BoundaryKind::moving_wall, .velocity = [velocity](Int3) { return velocity; }};
}

/// A cavity with a lid, an outlet and a slipping side: everything at once.
inline Box mixed_box() {
  Box box{{70, 20, 18}};
  box.at_face(0, {.kind = BoundaryKind::regularised_velocity, .velocity = [](Int3) {
                    return Velocity{0.01, 0.002, 0};
                  }});
  box.at_face(1, {.kind = BoundaryKind::outflow});
  box.at_face(2, {.measure_force = true});
  box.at_face(3, moving({0.02, 0, 0.01}));
  box.at_face(4, {.kind = BoundaryKind::slip});
  box.at_face(5, {.kind = BoundaryKind::interpolated_wall,
                  .link_fraction = [](Int3, Int3) { return 0.7; },
                  .measure_force = true});
  return box;
}

/// mixed_box() with an outflow and a full-way wall, which remember, and a wall through the centres
/// of voxels.
inline Box remembering_box() {
  Box box = mixed_box();
  auto const at = [&](std::size_t face) -> BoundaryCondition& {
    return box.boundaries.conditions[box.boundaries.of_face[face]];
  };
  at(1).kind = BoundaryKind::convective_outflow;
  at(2).kind = BoundaryKind::on_node_wall;
  at(3).kind = BoundaryKind::full_way_wall;
  return box;
}

/// Porous layers between a slipping side and a wall.
inline Box grey_box() {
  Box box{{70, 20, 18}};
  box.at_face(2, {.kind = BoundaryKind::slip});
  box.at_face(3, {.measure_force = true});
  auto const resistance = [](Int3 at) { return static_cast<double>((at.x / 9 + at.z / 5) % 3); };
  box.boundaries.between_nodes = box.add(
      {.kind = BoundaryKind::grey,
       .passing =
           [resistance](Int3 node, Int3 c) {
             Int3 const other{(node.x + c.x + 70) % 70, node.y + c.y, (node.z + c.z + 18) % 18};
             return 4 / (4 + resistance(node) + resistance(other));
           },
       .measure_force = true});
  return box;
}

/// A box with drops of the density along two axes.
inline Box dropping_box() {
  Box box{{70, 20, 18}};
  box.boundaries.density_drop = {0.01, 0, 0.004};
  box.at_face(2, {.kind = BoundaryKind::on_node_wall, .measure_force = true});
  box.at_face(3, {.kind = BoundaryKind::interpolated_wall,
                  .link_fraction = [](Int3, Int3) { return 0.3; },
                  .measure_force = true});
  return box;
}

}  // namespace tessera::test

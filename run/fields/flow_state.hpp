// SPDX-License-Identifier: MIT
// Density and velocity of a flow on the voxels of its box, at one step. Each process has them on
// its layers of the geometry; sums and extremes over the whole are reduced exactly, so that they
// are the same for any number of processes, bit by bit.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "codelets/lattice/snapshot.hpp"
#include "methods/lattice/flow_graph.hpp"
#include "run/fields/state_fields.hpp"
#include "run/spread/geometry.hpp"

namespace tessera {

/// The change from one state to a later one: sums of squares over the nodes.
struct FlowChange {
  double velocity = 0;       ///< change of velocities
  double density = 0;        ///< change of densities
  double speed = 0;          ///< of the later state
  double density_shift = 0;  ///< of the later state
  double nodes = 0;
};

class FlowState {
 public:
  /// A place in voxels.
  using Place = std::array<double, 3>;

  /// The geometry must outlive it.
  explicit FlowState(SpreadGeometry const& geometry)
      : geometry_(&geometry), nodes_(geometry.own.pore.size()) {}

  /// All ranks: copies the state after the last submitted step; waits for it.
  void take_from(FlowGraph& graph);

  SpreadGeometry const& geometry() const { return *geometry_; }
  /// The states of the voxels of the own layers, x fastest; zero in the solid.
  std::vector<NodeState> const& nodes() const { return nodes_; }
  /// The states of the voxels of the own layers as numbers, four a voxel.
  std::span<float> values() {
    static_assert(sizeof(NodeState) == 4 * sizeof(float));
    return {reinterpret_cast<float*>(nodes_.data()), 4 * nodes_.size()};
  }
  std::span<float const> values() const {
    return {reinterpret_cast<float const*>(nodes_.data()), 4 * nodes_.size()};
  }

  /// Calls visit(first, pore, nodes) for each row along x of the own layers: its first voxel in the
  /// box, and by voxel whether it is pore, and its state.
  template <class Visit>
  void visit_rows(Visit&& visit) const;

  /// Fields in units, of all voxels but the solid. Only for a process that has all layers.
  StateFields fields(FieldUnits const& units) const;

  /// All ranks: the state at some places, linear between the centres of the pore voxels around
  /// each; beyond the outermost centres the state there. Nothing where all voxels around are solid.
  std::vector<std::optional<NodeState>> at(std::span<Place const> places) const;

  /// All ranks: the change since an earlier state.
  FlowChange change_since(FlowState const& earlier) const;

 private:
  SpreadGeometry const* geometry_;
  std::vector<NodeState> nodes_;
};

template <class Visit>
void FlowState::visit_rows(Visit&& visit) const {
  Int3 const shape = geometry_->own.shape;
  auto const width = static_cast<std::size_t>(shape.x);
  for (Int3 at; at.z < shape.z; ++at.z) {
    for (at.y = 0; at.y < shape.y; ++at.y) {
      std::size_t const row = linear_index(shape, at);
      visit(at + Int3{0, 0, geometry_->layers.lower},
            std::span(geometry_->own.pore).subspan(row, width),
            std::span(nodes_).subspan(row, width));
    }
  }
}

}  // namespace tessera

// SPDX-License-Identifier: MIT
// Density and velocity of a flow on the voxels of its box, at one step. Each process has them on
// those layers that it has of the geometry; what is said of the whole is united exactly, so that
// any number of processes says the same, bit by bit.
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

/// From one state to a later one: sums of squares over the nodes.
struct FlowChange {
  double velocity = 0;       ///< what velocities changed by
  double density = 0;        ///< likewise
  double speed = 0;          ///< of the later state
  double density_shift = 0;  ///< likewise
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
  /// Of the own layers, x fastest; zero in the solid.
  std::vector<NodeState> const& nodes() const { return nodes_; }
  /// The same as numbers, four a node.
  std::span<float> values() {
    static_assert(sizeof(NodeState) == 4 * sizeof(float));
    return {reinterpret_cast<float*>(nodes_.data()), 4 * nodes_.size()};
  }
  std::span<float const> values() const {
    return {reinterpret_cast<float const*>(nodes_.data()), 4 * nodes_.size()};
  }

  /// visit(first, pore, nodes) for each row along x of the own layers: its first voxel in the box,
  /// and by voxel whether it is pore, and its state.
  template <class Visit>
  void visit_rows(Visit&& visit) const;

  /// In units, for those who look at it: all voxels but the solid. Of a process that has all.
  StateFields fields(FieldUnits const& units) const;

  /// All ranks: at some places, linear between the centres of the pore voxels around each, and as
  /// in the outermost ones beyond them. Nothing where all of those are solid.
  std::vector<std::optional<NodeState>> at(std::span<Place const> places) const;

  /// All ranks.
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

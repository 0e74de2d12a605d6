// SPDX-License-Identifier: MIT
// Density and velocity of a flow on all voxels of its box, at one step.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "codelets/snapshot.hpp"
#include "flow/flow_graph.hpp"
#include "geometry/geometry.hpp"
#include "run/state_fields.hpp"

namespace tessera {

class FlowState {
 public:
  /// The geometry must outlive it.
  explicit FlowState(Geometry const& geometry)
      : geometry_(&geometry), nodes_(static_cast<std::size_t>(volume(geometry.shape))) {}

  /// All ranks: copies the state after the last submitted step; waits for it.
  void take_from(FlowGraph& graph);

  /// x fastest; zero in the solid.
  std::vector<NodeState> const& nodes() const { return nodes_; }
  /// The same as numbers, four a node.
  std::span<float> values() {
    static_assert(sizeof(NodeState) == 4 * sizeof(float));
    return {reinterpret_cast<float*>(nodes_.data()), 4 * nodes_.size()};
  }
  std::span<float const> values() const {
    return {reinterpret_cast<float const*>(nodes_.data()), 4 * nodes_.size()};
  }
  Geometry const& geometry() const { return *geometry_; }

  /// In units, for those who look at it: all voxels but the solid.
  StateFields fields(FieldUnits const& units) const;

  /// At a place in voxels: linear between the centres of the pore voxels around it, and as in the
  /// outermost ones beyond them. Nothing where all of those are solid.
  std::optional<NodeState> at(std::array<double, 3> const& place) const;

  /// |u - u'| over |u|, as the root of the sum of the squares over all voxels.
  double relative_change(FlowState const& earlier) const;

 private:
  Geometry const* geometry_;
  std::vector<NodeState> nodes_;
};

}  // namespace tessera

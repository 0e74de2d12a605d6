// SPDX-License-Identifier: MIT
#include "run/flow_state.hpp"

#include <algorithm>
#include <cmath>

#include "ranks/ranks.hpp"

namespace tessera {
namespace {

/// The two voxels on either side of a place along an axis, and how far it is from the first.
struct Between {
  std::int64_t voxel[2];
  double part;
};

Between between(double place, std::int64_t count, bool wraps) {
  double const centre = place - 0.5;
  auto const lower = static_cast<std::int64_t>(std::floor(centre));
  auto const bring_in = [&](std::int64_t v) {
    return wraps ? ((v % count) + count) % count : std::clamp<std::int64_t>(v, 0, count - 1);
  };
  return {{bring_in(lower), bring_in(lower + 1)}, centre - static_cast<double>(lower)};
}

}  // namespace

void FlowState::take_from(FlowGraph& graph) {
  graph.visit_nodes([&](Int3 voxel, std::int32_t, NodeState const& state) {
    nodes_[linear_index(geometry_->shape, voxel)] = state;
  });
  // All ranks decide by it.
  Ranks::take_from_first(std::as_writable_bytes(std::span(nodes_)));
}

StateFields FlowState::fields(FieldUnits const& units) const {
  StateFields fields(geometry_->shape, units, false);
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (geometry_->pore[i] != 0) fields.put(i, nodes_[i]);
  }
  return fields;
}

std::optional<NodeState> FlowState::at(std::array<double, 3> const& place) const {
  Between side[3];
  for (Axis a : all_axes) {
    side[index_of(a)] =
        between(place[index_of(a)], geometry_->shape[a], geometry_->periodic[index_of(a)]);
  }
  double weights = 0;
  double sum[4] = {};
  for (unsigned corner = 0; corner < 8; ++corner) {
    Int3 voxel;
    double weight = 1;
    for (Axis a : all_axes) {
      unsigned const upper = corner >> index_of(a) & 1U;
      voxel[a] = side[index_of(a)].voxel[upper];
      weight *= upper != 0 ? side[index_of(a)].part : 1 - side[index_of(a)].part;
    }
    if (weight == 0 || !geometry_->is_pore(voxel)) continue;
    NodeState const& state = nodes_[linear_index(geometry_->shape, voxel)];
    weights += weight;
    sum[0] += weight * static_cast<double>(state.density_shift);
    for (int a = 0; a < 3; ++a) sum[1 + a] += weight * static_cast<double>(state.velocity[a]);
  }
  if (weights == 0) return std::nullopt;
  NodeState found{static_cast<float>(sum[0] / weights), {}};
  for (int a = 0; a < 3; ++a) found.velocity[a] = static_cast<float>(sum[1 + a] / weights);
  return found;
}

double FlowState::relative_change(FlowState const& earlier) const {
  double change = 0;
  double whole = 0;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    for (int a = 0; a < 3; ++a) {
      auto const u = static_cast<double>(nodes_[i].velocity[a]);
      double const du = u - static_cast<double>(earlier.nodes_[i].velocity[a]);
      change += du * du;
      whole += u * u;
    }
  }
  // A flow that never began does not change either.
  return change == 0 ? 0 : std::sqrt(change / whole);
}

}  // namespace tessera

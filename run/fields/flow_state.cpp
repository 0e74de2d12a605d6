// SPDX-License-Identifier: MIT
#include "run/fields/flow_state.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "base/exact_sum.hpp"
#include "base/ranks/all_to_all.hpp"
#include "base/ranks/rank_sums.hpp"
#include "base/ranks/ranks.hpp"

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

constexpr unsigned corners_of_place = 8;

/// The states of the voxels around a place, as far as they are pore.
struct Corners {
  std::array<NodeState, corners_of_place> states{};
  std::uint64_t pores = 0;  ///< a bit each
};
/// Each corner is one rank's, so that of all ranks these add up to the corners.
using CornersAsWords = std::array<std::int64_t, sizeof(Corners) / sizeof(std::int64_t)>;

/// visit(corner, voxel, weight)
template <class Visit>
void for_each_corner(SpreadGeometry const& geometry, FlowState::Place const& place,
                     Visit const& visit) {
  Between side[3];
  for (Axis a : all_axes) {
    side[index_of(a)] =
        between(place[index_of(a)], geometry.shape[a], geometry.periodic[index_of(a)]);
  }
  for (unsigned corner = 0; corner < corners_of_place; ++corner) {
    Int3 voxel;
    double weight = 1;
    for (Axis a : all_axes) {
      unsigned const upper = corner >> index_of(a) & 1U;
      voxel[a] = side[index_of(a)].voxel[upper];
      weight *= upper != 0 ? side[index_of(a)].part : 1 - side[index_of(a)].part;
    }
    if (weight != 0) visit(corner, voxel, weight);
  }
}

std::optional<NodeState> weighted(SpreadGeometry const& geometry, FlowState::Place const& place,
                                  Corners const& corners) {
  double weights = 0;
  double sum[4] = {};
  for_each_corner(geometry, place, [&](unsigned corner, Int3, double weight) {
    if ((corners.pores >> corner & 1U) == 0) return;
    NodeState const& state = corners.states[corner];
    weights += weight;
    sum[0] += weight * static_cast<double>(state.density_shift);
    for (int a = 0; a < 3; ++a) sum[1 + a] += weight * static_cast<double>(state.velocity[a]);
  });
  if (weights == 0) return std::nullopt;
  NodeState found{static_cast<float>(sum[0] / weights), {}};
  for (int a = 0; a < 3; ++a) found.velocity[a] = static_cast<float>(sum[1 + a] / weights);
  return found;
}

std::vector<int> ranks_of_layers(SpreadGeometry const& geometry) {
  std::vector<int> ranks;
  ranks.reserve(static_cast<std::size_t>(geometry.shape.z));
  for (std::int64_t z = 0; z < geometry.shape.z; ++z)
    ranks.push_back(geometry.everywhere ? Ranks::rank() : rank_of_layer(z, geometry.shape.z));
  return ranks;
}

}  // namespace

void FlowState::take_from(FlowGraph& graph) {
  struct Node {
    std::size_t voxel;  ///< of the box
    NodeState state;
  };
  std::size_t const before =
      linear_index(geometry_->shape, {0, 0, geometry_->everywhere ? 0 : geometry_->layers.lower});
  auto const put = [&](Node const& node) { nodes_[node.voxel - before] = node.state; };
  AllToAll exchange([&](AllToAll::Bytes bytes) {
    for (PieceReader piece(bytes); !piece.at_end();) put(piece.take<Node>());
  });
  std::vector<int> const ranks = ranks_of_layers(*geometry_);
  graph.visit_own_nodes([&](Int3 voxel, std::int32_t, NodeState const& state) {
    Node const node{linear_index(geometry_->shape, voxel), state};
    int const rank = ranks[static_cast<std::size_t>(voxel.z)];
    if (rank == Ranks::rank()) {
      put(node);
    } else {
      exchange.add(rank, node);
    }
  });
  exchange.finish();
}

StateFields FlowState::fields(FieldUnits const& units) const {
  StateFields fields(geometry_->shape, units, false);
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (geometry_->own.pore[i] != 0) fields.put(i, nodes_[i]);
  }
  return fields;
}

std::vector<std::optional<NodeState>> FlowState::at(std::span<Place const> places) const {
  LayerRange const layers = geometry_->layers;
  std::vector<CornersAsWords> words;
  words.reserve(places.size());
  for (Place const& place : places) {
    Corners own;
    for_each_corner(*geometry_, place, [&](unsigned corner, Int3 voxel, double) {
      Int3 const at = voxel - Int3{0, 0, layers.lower};
      if (at.z < 0 || at.z >= layers.count() || !geometry_->own.is_pore(at)) return;
      own.states[corner] = nodes_[linear_index(geometry_->own.shape, at)];
      own.pores |= std::uint64_t{1} << corner;
    });
    words.push_back(std::bit_cast<CornersAsWords>(own));
  }
  if (!words.empty())
    Ranks::sum({words.front().data(), words.size() * std::tuple_size_v<CornersAsWords>});
  std::vector<std::optional<NodeState>> found;
  found.reserve(places.size());
  for (std::size_t i = 0; i < places.size(); ++i)
    found.push_back(weighted(*geometry_, places[i], std::bit_cast<Corners>(words[i])));
  return found;
}

FlowChange FlowState::change_since(FlowState const& earlier) const {
  ExactSums<FlowChange> sums;
  NodeState const* before = earlier.nodes_.data();
  // A row is one rank's: within it terms may be rounded.
  visit_rows([&](Int3, auto const& pore, std::span<NodeState const> nodes) {
    FlowChange of_row;
    for (std::size_t x = 0; x < nodes.size(); ++x, ++before) {
      NodeState const& node = nodes[x];
      for (int a = 0; a < 3; ++a) {
        auto const u = static_cast<double>(node.velocity[a]);
        double const du = u - static_cast<double>(before->velocity[a]);
        of_row.velocity += du * du;
        of_row.speed += u * u;
      }
      auto const shift = static_cast<double>(node.density_shift);
      double const change = shift - static_cast<double>(before->density_shift);
      of_row.density += change * change;
      of_row.density_shift += shift * shift;
      of_row.nodes += pore[x] != 0 ? 1 : 0;
    }
    sums.add(of_row);
  });
  add_up_over_ranks(sums.all());
  return sums.value();
}

}  // namespace tessera

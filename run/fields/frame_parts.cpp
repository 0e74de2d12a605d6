// SPDX-License-Identifier: MIT
#include "run/fields/frame_parts.hpp"

#include "base/ranks/all_to_all.hpp"
#include "base/ranks/piece.hpp"
#include "base/ranks/ranks.hpp"
#include "run/fields/even_parts.hpp"

namespace tessera {
namespace {

LayerRange own_layers(Int3 shape) { return even_part(Ranks::rank(), Ranks::count(), shape.z); }

/// The layers of a process.
FrameFields fields_of(Int3 shape) {
  if (Ranks::alone()) return FrameFields(shape);
  LayerRange const own = own_layers(shape);
  return {shape, {0, 0, own.lower}, {shape.x, shape.y, own.upper}};
}

}  // namespace

FrameParts::FrameParts(VoxelScene const& scene)
    : shape_(scene.shape),
      lower_(scene.lower),
      units_(scene.units),
      wraps_(scene.walls.wraps[2]),
      fields_(fields_of(scene.shape)) {
  if (Ranks::alone() || !wraps_) return;
  LayerRange const own = own_layers(shape_);
  auto const layer = static_cast<std::size_t>(shape_.x * shape_.y);
  if (own.lower == 0) beyond_[0].resize(layer);
  if (own.upper == shape_.z) beyond_[1].resize(layer);
}

void FrameParts::put(Int3 at, std::int32_t tile, NodeState const& state) {
  if (at.z < 0 || at.z >= shape_.z) {
    beyond_[at.z < 0 ? 0 : 1][static_cast<std::size_t>(at.x + shape_.x * at.y)] = 1;
    return;
  }
  auto const node = node_fields(state, units_);
  extremes_.note(node.velocity, node.pressure, node.density);
  fields_.set(at, node.velocity, node.pressure, node.density, tile);
}

void FrameParts::take(std::function<void(Visit const&)> const& visit_own_nodes) {
  struct Node {
    Int3 at;
    std::int32_t tile;
    NodeState state;
  };
  extremes_ = {};
  AllToAll exchange(
      [this](AllToAll::Bytes bytes) {
        for (PieceReader piece(bytes); !piece.at_end();) {
          auto const node = piece.take<Node>();
          put(node.at, node.tile, node.state);
        }
      },
      Talk::of_looks);
  int const ranks = Ranks::count();
  auto const rank_of_layer = [&](std::int64_t z) {
    auto rank = static_cast<int>(z * ranks / shape_.z);
    while (z >= even_part(rank, ranks, shape_.z).upper) ++rank;
    return rank;
  };
  visit_own_nodes([&](Int3 voxel, std::int32_t tile, NodeState const& state) {
    Int3 const at = voxel - lower_;
    for (Axis const a : all_axes) {
      if (at[a] < 0 || at[a] >= shape_[a]) return;  // buffer layers, mirror image
    }
    if (ranks == 1) return put(at, tile, state);
    int const owner = rank_of_layer(at.z);
    exchange.add(owner, Node{at, tile, state});
    // And to who has it beside its own layers.
    for (int const step : {-1, 1}) {
      std::int64_t const beside = at.z + step;
      if (beside >= 0 && beside < shape_.z) {
        if (int const rank = rank_of_layer(beside); rank != owner)
          exchange.add(rank, Node{at, tile, state});
      } else if (wraps_) {
        Int3 turned = at;
        turned.z -= step * shape_.z;
        exchange.add(rank_of_layer(beside < 0 ? shape_.z - 1 : 0), Node{turned, tile, state});
      }
    }
  });
  if (ranks > 1) exchange.finish();
}

}  // namespace tessera

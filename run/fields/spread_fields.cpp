// SPDX-License-Identifier: MIT
#include "run/fields/spread_fields.hpp"

#include <algorithm>

#include "base/ranks/all_to_all.hpp"
#include "io/fields/bricks.hpp"
#include "run/fields/brick_owners.hpp"
#include "run/fields/brick_writing.hpp"
#include "run/fields/state_fields.hpp"
#include "run/fields/whole_fields.hpp"

namespace tessera {
SpreadFields::SpreadFields(Int3 shape, Int3 lower, FieldUnits const& units, bool with_tiles)
    : shape_(shape),
      lower_(lower),
      units_(units),
      with_tiles_(with_tiles),
      velocity_(3 * own_voxels(Bricks(shape))),
      pressure_(own_voxels(Bricks(shape))),
      density_(own_voxels(Bricks(shape))),
      tile_(with_tiles ? own_voxels(Bricks(shape)) : 0, -1),
      solid_(own_voxels(Bricks(shape)), 1) {}

void SpreadFields::put(std::size_t voxel, std::int32_t tile, NodeState const& state) {
  auto const node = node_fields(state, units_);
  std::ranges::copy(node.velocity, velocity_.begin() + static_cast<std::ptrdiff_t>(3 * voxel));
  pressure_[voxel] = node.pressure;
  density_[voxel] = node.density;
  if (!tile_.empty()) tile_[voxel] = tile;
  solid_[voxel] = 0;
}

void SpreadFields::take(std::function<void(Visit const&)> const& visit_own_nodes) {
  struct Node {
    std::size_t voxel;  ///< in the bricks of the rank that it goes to
    std::int32_t tile;
    NodeState state;
  };
  BrickOwners const owners(shape_);
  AllToAll exchange([this](std::span<std::byte const> bytes) {
    for (PieceReader piece(bytes); !piece.at_end();) {
      auto const node = piece.take<Node>();
      put(node.voxel, node.tile, node.state);
    }
  });
  visit_own_nodes([&](Int3 voxel, std::int32_t tile, NodeState const& state) {
    Int3 const at = voxel - lower_;
    for (Axis const a : all_axes) {
      if (at[a] < 0 || at[a] >= shape_[a]) return;
    }
    auto const [rank, place] = owners.place_of(at);
    exchange.add(rank, Node{place, tile, state});
  });
  exchange.finish();
}

void SpreadFields::write(std::filesystem::path const& path) const {
  auto fields = state_fields(velocity_, pressure_, density_, tile_, solid_);
  // Who has no brick has the same fields as the others.
  if (with_tiles_ && tile_.empty())
    fields.insert(fields.end() - 1, {"tile", 1, std::span<std::int32_t const>(tile_)});
  write_spread_fields(path, shape_, units_.spacing, fields);
}

}  // namespace tessera

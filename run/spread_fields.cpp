// SPDX-License-Identifier: MIT
#include "run/spread_fields.hpp"

#include <algorithm>

#include "ranks/exchange.hpp"
#include "ranks/ranks.hpp"
#include "run/brick_writing.hpp"
#include "run/even_parts.hpp"
#include "run/state_fields.hpp"
#include "run/whole_fields.hpp"

namespace tessera {
SpreadFields::SpreadFields(Int3 shape, Int3 lower, FieldUnits const& units, bool with_tiles)
    : shape_(shape),
      lower_(lower),
      units_(units),
      bricks_(shape),
      with_tiles_(with_tiles),
      velocity_(3 * own_voxels(bricks_)),
      pressure_(own_voxels(bricks_)),
      density_(own_voxels(bricks_)),
      tile_(with_tiles ? own_voxels(bricks_) : 0, -1),
      solid_(own_voxels(bricks_), 1) {}

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
  int const ranks = Ranks::count();
  std::vector<std::int32_t> rank_of_brick(static_cast<std::size_t>(bricks_.count()));
  std::vector<std::int64_t> voxels_before;
  for (int rank = 0; rank < ranks; ++rank) {
    auto const [first, end] = even_part(rank, ranks, bricks_.count());
    std::fill(rank_of_brick.begin() + first, rank_of_brick.begin() + end, rank);
    voxels_before.push_back(bricks_.voxels_before(first));
  }
  Exchange exchange([this](std::span<std::byte const> bytes) {
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
    int const rank = rank_of_brick[static_cast<std::size_t>(bricks_.containing(at))];
    std::int64_t const place = bricks_.place_of(at) - voxels_before[static_cast<std::size_t>(rank)];
    exchange.add(rank, Node{static_cast<std::size_t>(place), tile, state});
  });
  exchange.finish();
}

void SpreadFields::take_own(std::span<NodeState const> states, std::span<std::uint8_t const> pore) {
  visit_own_voxels(shape_, [&](std::size_t place, std::size_t voxel) {
    if (pore[voxel] != 0) put(place, -1, states[voxel]);
  });
}

void SpreadFields::write(std::filesystem::path const& path) const {
  auto fields = state_fields(velocity_, pressure_, density_, tile_, solid_);
  // Who has no brick has the same fields as the others.
  if (with_tiles_ && tile_.empty())
    fields.insert(fields.end() - 1, {"tile", 1, std::span<std::int32_t const>(tile_)});
  write_spread_fields(path, shape_, units_.spacing, fields);
}

}  // namespace tessera

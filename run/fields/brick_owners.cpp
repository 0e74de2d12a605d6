// SPDX-License-Identifier: MIT
#include "run/fields/brick_owners.hpp"

#include <algorithm>

#include "base/ranks/all_to_all.hpp"
#include "base/ranks/piece.hpp"
#include "base/ranks/ranks.hpp"
#include "run/fields/even_parts.hpp"

namespace tessera {

BrickOwners::BrickOwners(Int3 shape)
    : bricks_(shape), rank_of_brick_(static_cast<std::size_t>(bricks_.count())) {
  int const ranks = Ranks::count();
  for (int rank = 0; rank < ranks; ++rank) {
    auto const [first, end] = even_part(rank, ranks, bricks_.count());
    std::fill(rank_of_brick_.begin() + first, rank_of_brick_.begin() + end, rank);
    voxels_before_.push_back(bricks_.voxels_before(first));
  }
}

BrickOwners::Place BrickOwners::place_of(Int3 voxel) const {
  int const rank = rank_of_brick_[static_cast<std::size_t>(bricks_.containing(voxel))];
  return {rank, static_cast<std::size_t>(bricks_.place_of(voxel) -
                                         voxels_before_[static_cast<std::size_t>(rank)])};
}

void layers_to_bricks(Int3 shape, LayerRange layers, std::size_t voxel_bytes,
                      std::span<std::byte const> in_layers, std::span<std::byte> in_bricks) {
  struct Run {  ///< of voxels along x within a brick
    std::size_t to;
    std::size_t voxels;
  };
  BrickOwners const owners(shape);
  AllToAll exchange([&](AllToAll::Bytes bytes) {
    for (PieceReader piece(bytes); !piece.at_end();) {
      auto const run = piece.take<Run>();
      std::ranges::copy(piece.take_bytes(run.voxels * voxel_bytes),
                        in_bricks.subspan(run.to * voxel_bytes).begin());
    }
  });
  for (std::int64_t z = layers.lower; z < layers.upper; ++z) {
    for (std::int64_t y = 0; y < shape.y; ++y) {
      for (std::int64_t x = 0; x < shape.x; x += Bricks::edge) {
        auto const place = owners.place_of({x, y, z});
        Run const run{place.voxel, static_cast<std::size_t>(std::min(Bricks::edge, shape.x - x))};
        exchange.add(place.rank, run, in_layers.first(run.voxels * voxel_bytes));
        in_layers = in_layers.subspan(run.voxels * voxel_bytes);
      }
    }
  }
  exchange.finish();
}

}  // namespace tessera

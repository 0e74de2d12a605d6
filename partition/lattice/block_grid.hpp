// SPDX-License-Identifier: MIT
// The geometry cut into blocks of 32 x 8 x 8 voxels, each x-row a bit mask: the storage of the
// kernels and the vertices of the METIS graph. Blocks without a fluid node do not exist.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/box.hpp"
#include "geometry/geometry.hpp"
#include "models/lattice/lattice_kind.hpp"
#include "partition/lattice/block_shape.hpp"  // IWYU pragma: export

namespace tessera {

struct Block {
  Int3 at;      ///< position in the grid of blocks
  Int3 extent;  ///< voxels inside the image: 32 x 8 x 8, less at the upper ends of the image
  std::array<std::uint32_t, rows_per_block> rows{};  ///< bit x of row (y, z): the voxel is fluid
  int nodes = 0;                                     ///< fluid nodes
};

/// The blocks of a geometry, along x, then y, then z. A geometry may be some layers of a larger
/// one, from its layer `first_layer` on; they have to be whole layers of blocks.
std::vector<Block> cut_blocks(Geometry const& geometry, std::int64_t first_layer = 0);

class BlockGrid {
 public:
  /// Cuts a geometry; blocks are numbered along x, then y, then z, and so are the blocks of a tile:
  /// what a block reads of its neighbours along x and y is still, or already, in the cache.
  explicit BlockGrid(Geometry const& geometry, LatticeKind lattice = LatticeKind::d3q19)
      : BlockGrid(cut_blocks(geometry), geometry.shape, geometry.periodic, lattice) {}
  /// Takes blocks that are cut already, in the order of cut_blocks().
  BlockGrid(std::vector<Block> blocks, Int3 image_shape, std::array<bool, 3> periodic,
            LatticeKind lattice);

  std::vector<Block> const& blocks() const { return blocks_; }
  std::int32_t size() const { return static_cast<std::int32_t>(blocks_.size()); }
  Int3 image_shape() const { return image_shape_; }
  std::int64_t nodes() const { return nodes_; }
  /// The velocity set whose populations stream between the nodes.
  LatticeKind lattice() const { return lattice_; }

  /// Number of the block beside `block` in direction d (components -1, 0, 1), wrapping along
  /// periodic axes; -1 if there is none.
  std::int32_t neighbour(std::int32_t block, Int3 d) const;

  /// Blocks beside these faces of the box (x-, x+, y- ...) need all populations of the nodes around
  /// them, not only those that stream into the blocks: slip and outflow read others.
  void need_all_beside(std::array<bool, 6> const& faces) { all_beside_ = faces; }
  bool needs_all(std::int32_t block) const;

  /// Whether a voxel of the image is fluid.
  bool is_fluid(Int3 voxel) const;
  /// First voxel of a block.
  Int3 origin(std::int32_t block) const;

 private:
  Int3 image_shape_;
  Int3 grid_shape_;
  std::array<bool, 3> periodic_;
  LatticeKind lattice_;
  std::int64_t nodes_ = 0;
  std::array<bool, 6> all_beside_{};
  std::vector<Block> blocks_;
  std::vector<std::int32_t> block_at_;  ///< grid position -> block number or -1
};

/// Links from block a to its neighbour b in direction d whose both ends are fluid: the populations
/// that a sends to b.
std::int64_t crossing_links(LatticeKind lattice, Block const& a, Block const& b, Int3 d);

/// Whether a velocity leads from a block to its neighbour in direction d (d != 0).
bool crosses(std::array<int, 3> const& velocity, Int3 d);

/// The 26 directions to the neighbours of a block.
std::vector<Int3> const& block_directions();

}  // namespace tessera

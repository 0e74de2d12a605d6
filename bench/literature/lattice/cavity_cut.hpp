// SPDX-License-Identifier: MIT
// The closed box of the literature's hybrid cavity: 3 x 3 x 3 sub-domains, of which the middle one
// may have any size.
#pragma once

#include <cstdint>
#include <vector>

#include "geometry/geometry.hpp"
#include "partition/cut.hpp"
#include "partition/lattice/block_grid.hpp"

namespace tessera {

/// Extent in voxels of the centre in a box of `edge` voxels: as near to a cube of `wanted` voxels
/// as the storage allows. Tiles are made of whole blocks, so it is whole blocks long. An axis too
/// short for a block between two other sub-domains is not cut: the centre spans it.
Int3 centre_extent(std::int64_t edge, std::int64_t wanted);

/// A cube of fluid with walls all around.
class CavityBox {
 public:
  CavityBox(std::int64_t edge, Int3 centre);

  BlockGrid const& grid() const { return grid_; }
  Int3 centre() const { return centre_; }
  /// First voxel of the fluid. In front of it stand so many layers of solid that the borders of the
  /// centre fall on those of blocks; blocks without fluid take no place.
  Int3 origin() const { return origin_; }
  std::int64_t edge() const { return edge_; }
  /// Whether the centre is all there is.
  bool uncut() const { return centre_ == Int3{edge_, edge_, edge_}; }

  /// All fluid in one part and one tile.
  TwoLevelCut whole() const;
  /// A tile for each sub-domain and a part for each core; the largest come first, each to the core
  /// that has least. `centre_apart`: part 0 is the centre alone, and cores are counted from 1.
  TwoLevelCut sub_domains(unsigned cores, bool centre_apart) const;

 private:
  Int3 centre_;
  Int3 origin_;
  std::int64_t edge_;
  BlockGrid grid_;
};

}  // namespace tessera

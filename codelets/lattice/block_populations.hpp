// SPDX-License-Identifier: MIT
// The populations of a flow outside its tiles, and the tasks that copy them out and back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "base/storage.hpp"
#include "graph/tasks/submit.hpp"
#include "models/lattice/lattice_kind.hpp"
#include "partition/lattice/tile.hpp"

namespace tessera {

/// The populations of all nodes, bit by bit as they are stored, in main memory: block after block
/// in global order, in each an array over its nodes for each velocity. It does not show which tiles
/// they come from or in which layout.
class BlockPopulations {
 public:
  /// Memory that the system allocates when it is first written. Blocks of 0 nodes take none.
  BlockPopulations(std::vector<std::uint32_t> const& nodes_of_block, LatticeKind lattice,
                   Precision precision);

  /// The arrays of a block.
  template <class Storage>
  Storage* of(std::int32_t block) {
    return reinterpret_cast<Storage*>(data_.get() + first_[static_cast<std::size_t>(block)]);
  }
  std::span<std::byte> bytes_of_block(std::int32_t block) {
    auto const b = static_cast<std::size_t>(block);
    return {data_.get() + first_[b], first_[b + 1] - first_[b]};
  }
  std::size_t bytes() const { return first_.back(); }
  int velocities() const { return velocities_; }

  /// Values that the boundary links of a block remember, by block; no entry: nothing yet.
  std::map<std::int32_t, std::vector<double>> remembered;

 private:
  int velocities_;
  std::vector<std::size_t> first_;  ///< byte of each block, and the end
  std::unique_ptr<std::byte[]> data_;
};

/// Constant arguments of a tile's transfer; they outlive the task.
struct TransferArguments {
  TileCounts counts;
  Precision precision = Precision::single_precision;
  std::vector<std::int32_t> const* blocks = nullptr;  ///< global numbers of the tile's blocks
  BlockPopulations* populations = nullptr;
};

/// Copies a tile's populations out, on a core. The arguments outlive the task.
void submit_unload(DataHandle const& populations, DataHandle const& tables,
                   TransferArguments const& arguments, Placement const& placement);

/// Copies a tile's populations in and fills its outboxes, on a core. The arguments outlive the
/// task.
void submit_load(DataHandle const& populations, DataHandle const& tables,
                 std::span<DataHandle const* const> outboxes, TransferArguments const& arguments,
                 Placement const& placement);

}  // namespace tessera

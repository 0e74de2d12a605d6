// SPDX-License-Identifier: MIT
// The clock of all ranks: rank 0 sets it, from the longest stable step of all tiles. This is a
// reduction up a tree of ranks, by the minimum of each branch, and a broadcast of the clock down
// the tree. A minimum is exact, so no bit depends on the tree. A single process has no rank above
// or below.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "codelets/spectral/clock.hpp"
#include "graph/tasks/data_handle.hpp"

namespace tessera::spectral {

class RankTree {
 public:
  /// The place of this rank in the tree. Messages have tags from `first_tag` on; `clocks` must
  /// outlive it.
  RankTree(std::int64_t first_tag, std::span<DataHandle const> clocks);

  bool is_root() const { return above_ < 0; }
  /// Messages of a step.
  std::size_t messages() const { return 2 * (below_.size() + (is_root() ? 0 : 1)); }

  /// Receives the longest stable steps of the ranks below.
  std::vector<DataHandle const*> submit_gathering() const;
  /// Sends the longest stable step of the own tiles and of the ranks below up the tree; not at the
  /// root.
  void submit_up(StepBounds const& bounds) const;
  /// Passes clock i from the rank above on to the ranks below.
  void submit_down(std::size_t i) const;

 private:
  struct Below {
    int rank;
    DataHandle longest;
  };
  // No two data of a rank may have one tag.
  std::int64_t tag_of_clock(std::size_t i) const {
    return first_tag_ + static_cast<std::int64_t>(i);
  }
  std::int64_t tag_of_branch(int rank) const { return tag_of_clock(clocks_.size()) + rank; }

  std::int64_t first_tag_;
  std::span<DataHandle const> clocks_;
  int above_ = -1;
  std::vector<Below> below_;
  DataHandle longest_;
};

}  // namespace tessera::spectral

// SPDX-License-Identifier: MIT
// The clock of all ranks: the first one sets it, from what the tiles of all allow. That goes up a
// tree of ranks, the least of a branch at a time, and the clock comes down. A least one is exact,
// so the tree shows in no bit. Alone there is nothing above and nothing below.
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
  /// Of this rank among all. Messages have tags from `first_tag` on; `clocks` must outlive it.
  RankTree(std::int64_t first_tag, std::span<DataHandle const> clocks);

  bool is_root() const { return above_ < 0; }
  /// Messages of a step.
  std::size_t messages() const { return 2 * (below_.size() + (is_root() ? 0 : 1)); }

  /// Receives what the tiles of the ranks below allow.
  std::vector<DataHandle const*> submit_gathering() const;
  /// Sends up what the own tiles and those of the ranks below allow; not at the root.
  void submit_up(StepBounds const& bounds) const;
  /// Hands clock i on from above to those below.
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

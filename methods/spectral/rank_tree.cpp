// SPDX-License-Identifier: MIT
#include "methods/spectral/rank_tree.hpp"

#include "base/ranks/ranks.hpp"
#include "graph/tasks/messages.hpp"

namespace tessera::spectral {

RankTree::RankTree(std::int64_t first_tag, std::span<DataHandle const> clocks)
    : first_tag_(first_tag), clocks_(clocks) {
  int const own = Ranks::rank();
  for (int const rank : {2 * own + 1, 2 * own + 2}) {
    if (rank >= Ranks::count()) continue;
    below_.push_back({rank, DataHandle::vector(1, sizeof(double))});
    expect_messages(below_.back().longest, rank, tag_of_branch(rank));
  }
  if (own == 0) return;
  above_ = (own - 1) / 2;
  longest_ = DataHandle::vector(1, sizeof(double));
  for (std::size_t i = 0; i < clocks_.size(); ++i)
    expect_messages(clocks_[i], above_, tag_of_clock(i));
}

std::vector<DataHandle const*> RankTree::submit_gathering() const {
  std::vector<DataHandle const*> longest;
  for (Below const& below : below_) {
    submit_receive(below.longest, below.rank, tag_of_branch(below.rank));
    longest.push_back(&below.longest);
  }
  return longest;
}

void RankTree::submit_up(StepBounds const& bounds) const {
  submit_longest_step(longest_, bounds);
  submit_send(longest_, above_, tag_of_branch(Ranks::rank()));
}

void RankTree::submit_down(std::size_t i) const {
  if (!is_root()) submit_receive(clocks_[i], above_, tag_of_clock(i));
  for (Below const& below : below_) submit_send(clocks_[i], below.rank, tag_of_clock(i));
}

}  // namespace tessera::spectral

// SPDX-License-Identifier: MIT
#include "base/ranks/rank_sums.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <vector>

#include "base/ranks/ranks.hpp"

namespace tessera {

void add_up_over_ranks(std::span<ExactSum* const> sums) {
  if (Ranks::alone()) return;
  std::vector<std::int64_t> words;
  for (ExactSum* const sum : sums) std::ranges::copy(sum->carried(), std::back_inserter(words));
  Ranks::sum(words);
  std::span<std::int64_t const> left = words;
  for (ExactSum* const sum : sums) {
    *sum = ExactSum(left.first<ExactSum::words>());
    left = left.subspan(ExactSum::words);
  }
}

void add_up_over_ranks(std::span<ExactSum> sums) {
  std::vector<ExactSum*> all;
  all.reserve(sums.size());
  for (ExactSum& sum : sums) all.push_back(&sum);
  add_up_over_ranks(all);
}

}  // namespace tessera

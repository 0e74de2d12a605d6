// SPDX-License-Identifier: MIT
// All-gather of vectors whose length may differ by rank.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <type_traits>
#include <vector>

#include "base/ranks/ranks.hpp"

namespace tessera {

/// Collective: the values of all ranks, in the order of ranks.
template <class T>
std::vector<T> all_gather(std::vector<T> own) {
  static_assert(std::is_trivially_copyable_v<T>);
  if (Ranks::alone()) return own;
  auto const counts = Ranks::all_gather(static_cast<std::int64_t>(own.size()));
  std::vector<T> all;
  all.reserve(
      static_cast<std::size_t>(std::accumulate(counts.begin(), counts.end(), std::int64_t{0})));
  for (int rank = 0; rank < Ranks::count(); ++rank) {
    auto const count = static_cast<std::size_t>(counts[static_cast<std::size_t>(rank)]);
    std::size_t const first = all.size();
    if (rank == Ranks::rank()) {
      all.insert(all.end(), own.begin(), own.end());
      own = {};
    } else {
      all.resize(first + count);
    }
    Ranks::broadcast_from(rank, std::as_writable_bytes(std::span(all).subspan(first)));
  }
  return all;
}

}  // namespace tessera

// SPDX-License-Identifier: MIT
// The base of all machines for several processes (base/ranks/): the ranges of their indices, and
// collective operations.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/ranks/all_gather.hpp"
#include "base/ranks/all_gather_ranges.hpp"
#include "base/ranks/gathering.hpp"
#include "base/ranks/halo.hpp"
#include "base/ranks/ranks.hpp"
#include "methods/steady/indices.hpp"
#include "methods/steady/steady_options.hpp"

namespace tessera::steady {

class OfRanks {
 public:
  /// Where the even ranges of `count` indices begin, by rank; empty where there is one rank.
  std::vector<std::int64_t> even_bounds(std::int64_t count) const {
    std::vector<std::int64_t> bounds;
    for (int r = 0; ranks_ > 1 && r <= ranks_; ++r) bounds.push_back(count * r / ranks_);
    return bounds;
  }
  /// Indices with the bounds of all ranks, which must outlive the indices.
  Indices own(std::int64_t count, std::vector<std::int64_t> const& bounds) const {
    return bounds.empty() ? Indices(count) : Indices(bounds, rank_);
  }
  /// All-gather of vectors, concatenated in the order of ranks.
  template <class T>
  std::vector<T> of_all(std::vector<T> own) const {
    return ranks_ > 1 ? all_gather(std::move(own)) : own;
  }
  static void sum_over_ranks(std::vector<std::int64_t>& numbers) { Ranks::sum(numbers); }
  /// Gathers the pieces of all ranks on rank 0, which gives them to `take` in the order of ranks;
  /// without `shared` all ranks have the same piece. `take` must not throw.
  template <class Take>
  void hand_over(std::span<std::byte const> piece, bool shared, Take const& take) const {
    if (ranks_ > 1 && shared) {
      Gathering gathering(1, take);
      gathering.add(piece);
      gathering.finish();
    } else if (rank_ == 0 || ranks_ == 1) {
      take(piece);
    }
  }
  RankTraffic traffic() const {
    RankTraffic all = traffic_;
    all.messages = messages_.messages();
    all.bytes = messages_.bytes();
    return all;
  }

 protected:
  bool alone() const { return ranks_ == 1; }
  HaloMessages& messages() { return messages_; }
  /// All-gather in main memory of an array, or of several, one behind the other.
  template <class T>
  void all_gather_here(T* values, Indices const& indices, int arrays) {
    all_gather_ranges(values, indices.bounds, arrays);
    ++traffic_.gathers;
    traffic_.gathered_bytes +=
        (indices.count - indices.own()) * arrays * static_cast<std::int64_t>(sizeof(T));
  }

 private:
  int ranks_ = Ranks::count();
  int rank_ = Ranks::rank();
  HaloMessages messages_;
  RankTraffic traffic_;  ///< without the messages
};

}  // namespace tessera::steady

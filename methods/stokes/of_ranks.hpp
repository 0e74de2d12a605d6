// SPDX-License-Identifier: MIT
// What every machine has of the processes (base/ranks/) that compute with it: whose indices are
// whose, and what all are told.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/ranks/gathering.hpp"
#include "base/ranks/halo.hpp"
#include "base/ranks/ranks.hpp"
#include "base/ranks/share.hpp"
#include "methods/stokes/indices.hpp"
#include "methods/stokes/stokes.hpp"

namespace tessera::stokes {

class OfRanks {
 public:
  /// An even share of so many indices, of each process; none where there is one.
  std::vector<std::int64_t> even_bounds(std::int64_t count) const {
    std::vector<std::int64_t> bounds;
    for (int r = 0; ranks_ > 1 && r <= ranks_; ++r) bounds.push_back(count * r / ranks_);
    return bounds;
  }
  /// Indices with such bounds. These must outlive them.
  Indices own(std::int64_t count, std::vector<std::int64_t> const& bounds) const {
    return bounds.empty() ? Indices(count) : Indices(bounds, rank_);
  }
  /// The values of all processes.
  template <class T>
  std::vector<T> of_all(std::vector<T> own) const {
    return ranks_ > 1 ? values_of_all(own) : own;
  }
  static void add_up(std::vector<std::int64_t>& numbers) { Ranks::add_up(numbers); }
  /// Hands the first process its piece and those of the others, in their order; not `shared`: it is
  /// the same piece on all. `take` must not throw.
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
  StokesTraffic traffic() const {
    StokesTraffic all = traffic_;
    all.messages = messages_.messages();
    all.bytes = messages_.bytes();
    return all;
  }

 protected:
  bool alone() const { return ranks_ == 1; }
  HaloMessages& messages() { return messages_; }
  /// In main memory: each process has its own values of an array, or of several, one behind the
  /// other; then all have all.
  template <class T>
  void share_here(T* values, Indices const& indices, int arrays) {
    tessera::share(values, indices.bounds, arrays);
    ++traffic_.gathers;
    traffic_.gathered_bytes +=
        (indices.count - indices.own()) * arrays * static_cast<std::int64_t>(sizeof(T));
  }

 private:
  int ranks_ = Ranks::count();
  int rank_ = Ranks::number();
  HaloMessages messages_;
  StokesTraffic traffic_;  ///< but for the messages
};

}  // namespace tessera::stokes

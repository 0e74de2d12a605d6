// SPDX-License-Identifier: MIT
// What balancing found and did over a run, however long: the longer, the coarser.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tessera {

/// One look at the speeds, or several that followed each other.
struct BalanceLook {
  std::int64_t step = 0;         ///< of the last of them
  double seconds = 0;            ///< of the last of them, since the flow began
  double imbalance = 0;          ///< slowest domain over the mean, less 1: mean of the looks
  double largest_imbalance = 0;  ///< of one of them
  std::vector<double> speeds;    ///< of each domain, nodes a second: mean of the looks
  std::int64_t moves = 0;        ///< of tiles: sum of the looks
  std::int64_t looks = 1;        ///< how many
};

/// Keeps a few hundred entries: when they are full, neighbours become one, and from then on each
/// entry takes twice as many looks.
class BalanceHistory {
 public:
  /// `most` entries, an even number.
  explicit BalanceHistory(std::size_t most = 400) : most_(most) {}

  void add(BalanceLook const& look);
  std::vector<BalanceLook> const& entries() const { return entries_; }

 private:
  void halve();

  std::size_t most_;
  std::int64_t looks_an_entry_ = 1;
  std::vector<BalanceLook> entries_;
};

}  // namespace tessera

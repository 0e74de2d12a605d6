// SPDX-License-Identifier: MIT
#include "graph/balance/balance_history.hpp"

#include <algorithm>
#include <utility>

namespace tessera {
namespace {

/// Adds what came next.
void extend(BalanceLook& entry, BalanceLook const& next) {
  auto const mean = [before = static_cast<double>(entry.looks),
                     more = static_cast<double>(next.looks)](double a, double b) {
    return (a * before + b * more) / (before + more);
  };
  entry.imbalance = mean(entry.imbalance, next.imbalance);
  entry.largest_imbalance = std::max(entry.largest_imbalance, next.largest_imbalance);
  for (std::size_t d = 0; d < entry.speeds.size(); ++d)
    entry.speeds[d] = mean(entry.speeds[d], next.speeds[d]);
  entry.step = next.step;
  entry.seconds = next.seconds;
  entry.moves += next.moves;
  entry.looks += next.looks;
}

}  // namespace

void BalanceHistory::add(BalanceLook const& look) {
  if (!entries_.empty() && entries_.back().looks < looks_an_entry_) {
    extend(entries_.back(), look);
    return;
  }
  if (entries_.size() == most_) halve();
  entries_.push_back(look);
}

void BalanceHistory::halve() {
  for (std::size_t i = 0; i < entries_.size() / 2; ++i) {
    if (i > 0) entries_[i] = std::move(entries_[2 * i]);
    extend(entries_[i], entries_[2 * i + 1]);
  }
  entries_.resize(entries_.size() / 2);
  looks_an_entry_ *= 2;
}

}  // namespace tessera

// SPDX-License-Identifier: MIT
#include "base/ranks/all_to_all.hpp"

#include <utility>

#include "base/ranks/ranks.hpp"

namespace tessera {

AllToAll::AllToAll(std::function<void(Bytes piece)> take, Talk talk)
    : take_(std::move(take)), talk_(talk), pieces_(static_cast<std::size_t>(Ranks::count())) {}

bool AllToAll::travel(bool last_of_ours) {
  if (pieces_.size() > 1) return travel_between_ranks(last_of_ours);
  PieceWriter& own = pieces_.front();
  if (!own.bytes().empty()) take_(own.bytes());
  own = {};
  return true;
}

void AllToAll::finish() {
  while (!travel(true)) {
  }
}

}  // namespace tessera

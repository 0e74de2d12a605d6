// SPDX-License-Identifier: MIT
#include "base/ranks/gathering.hpp"

#include <utility>

#include "base/ranks/ranks.hpp"

namespace tessera {

Gathering::Gathering(std::size_t pieces, Take take)
    : take_(std::move(take)), counts_(Ranks::all_gather(static_cast<std::int64_t>(pieces))) {}

void Gathering::add(std::span<std::byte const> piece) {
  if (Ranks::is_root()) {
    take_unless_failed(piece);
  } else {
    send_to_first(piece);
  }
}

void Gathering::finish() {
  if (!Ranks::is_root()) return;
  std::vector<std::byte> piece;
  for (int rank = 1; rank < Ranks::count(); ++rank) {
    for (std::int64_t i = 0; i < counts_[static_cast<std::size_t>(rank)]; ++i) {
      receive_from(rank, piece);
      take_unless_failed(piece);
    }
  }
  if (failed_) std::rethrow_exception(failed_);
}

void Gathering::take_unless_failed(std::span<std::byte const> piece) {
  try {
    if (!failed_) take_(piece);
  } catch (...) {
    failed_ = std::current_exception();  // the others send all the same
  }
}

}  // namespace tessera

// SPDX-License-Identifier: MIT
// All-to-all of pieces of bytes whose sizes are not known beforehand.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/ranks/piece.hpp"

namespace tessera {

/// The communicator: two threads of a rank may only communicate at the same time by different ones.
enum class Talk : std::uint8_t { of_all, of_looks };

/// Collective: all ranks construct one, add() values for other ranks, and finish() it. Messages are
/// sent in rounds, whenever a rank has collected a few MB, so little memory is needed.
class AllToAll {
 public:
  using Bytes = std::span<std::byte const>;

  /// `take` is called with each received piece: some of the values that one rank has added for this
  /// one, one behind the other. It must not throw.
  explicit AllToAll(std::function<void(Bytes piece)> take, Talk talk = Talk::of_all);

  /// A value and the arrays that belong to it, which arrive in one piece.
  template <class T, class... Element>
  void add(int rank, T const& value, std::span<Element const>... with) {
    PieceWriter& piece = pieces_[static_cast<std::size_t>(rank)];
    piece.add(value);
    (piece.add(with), ...);
    if (piece.bytes().size() >= much) travel(false);
  }
  /// Blocks until all ranks have called it and everything has arrived.
  void finish();

 private:
  static constexpr std::size_t much = std::size_t{8} << 20;

  /// A round; true if it was the last one, as no rank has anything left.
  bool travel(bool last_of_ours);
  bool travel_between_ranks(bool last_of_ours);

  std::function<void(Bytes)> take_;
  Talk talk_;
  std::vector<PieceWriter> pieces_;  ///< by rank
};

}  // namespace tessera

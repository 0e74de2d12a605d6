// SPDX-License-Identifier: MIT
// Pieces of bytes that each rank hands to each other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/ranks/piece.hpp"

namespace tessera {

/// The thread of each rank that exchanges: while one does, another may only do it apart.
enum class Talk : std::uint8_t { of_all, of_looks };

/// All ranks make one, add what they have for whom, and finish it. It travels in rounds, as soon as
/// a rank has much; so there is never much under way.
class Exchange {
 public:
  using Bytes = std::span<std::byte const>;

  /// `take` is given what comes here, piece by piece: some of the values that one rank has added
  /// for this one, one behind the other. It must not throw.
  explicit Exchange(std::function<void(Bytes piece)> take, Talk talk = Talk::of_all);

  /// A value and what belongs to it, which come in one piece.
  template <class T, class... Element>
  void add(int rank, T const& value, std::span<Element const>... with) {
    PieceWriter& piece = pieces_[static_cast<std::size_t>(rank)];
    piece.add(value);
    (piece.add(with), ...);
    if (piece.bytes().size() >= much) travel(false);
  }
  /// Until all ranks have come here.
  void finish();

 private:
  static constexpr std::size_t much = std::size_t{8} << 20;

  /// A round; whether it was the last one: all have nothing more.
  bool travel(bool last_of_ours);

  std::function<void(Bytes)> take_;
  Talk talk_;
  std::vector<PieceWriter> pieces_;  ///< by rank
};

}  // namespace tessera

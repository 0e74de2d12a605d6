// SPDX-License-Identifier: MIT
// Gather of pieces of bytes on rank 0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <span>
#include <vector>

namespace tessera {

/// Collective: all ranks construct one, add() so many pieces each, and finish() it. Rank 0 gives
/// its own pieces to `take` as they are added, and then those of the others, rank by rank.
class Gathering {
 public:
  using Take = std::function<void(std::span<std::byte const>)>;

  Gathering(std::size_t pieces, Take take);
  void add(std::span<std::byte const> piece);
  /// Throws on rank 0 what `take` has thrown; the pieces after that are discarded.
  void finish();

 private:
  static void send_to_first(std::span<std::byte const> bytes);
  static void receive_from(int rank, std::vector<std::byte>& bytes);
  void take_unless_failed(std::span<std::byte const> piece);

  Take take_;
  std::vector<std::int64_t> counts_;  ///< by rank
  std::exception_ptr failed_;
};

}  // namespace tessera

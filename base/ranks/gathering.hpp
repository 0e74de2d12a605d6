// SPDX-License-Identifier: MIT
// Pieces of bytes that all ranks hand to the first one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <span>
#include <vector>

namespace tessera {

/// All ranks make one, add so many pieces each, and finish it. The first rank takes its own pieces
/// as they come and then those of the others, rank by rank.
class Gathering {
 public:
  using Take = std::function<void(std::span<std::byte const>)>;

  Gathering(std::size_t pieces, Take take);
  void add(std::span<std::byte const> piece);
  /// Throws on the first rank what `take` has thrown; the pieces behind are let go by.
  void finish();

 private:
  void take_unless_failed(std::span<std::byte const> piece);

  Take take_;
  std::vector<std::int64_t> counts_;  ///< by rank
  std::exception_ptr failed_;
};

}  // namespace tessera

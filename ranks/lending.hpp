// SPDX-License-Identifier: MIT
// What other ranks have and the first one asks for, part by part.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

namespace tessera {

/// A part of something: what these mean the lenders know.
struct Wanted {
  std::int64_t what = 0;  ///< not negative
  std::int64_t first = 0;
  std::int64_t end = 0;
};

/// The other ranks: hand out what part(wanted) says until the first one dismisses them.
void lend_to_first(std::function<std::span<std::byte const>(Wanted)> const& part);
/// The first rank: has a part of another one's put there.
void borrow(Wanted wanted, int rank, std::span<std::byte> to);
/// The first rank: nothing more is wanted of anybody.
void dismiss_lenders();

}  // namespace tessera

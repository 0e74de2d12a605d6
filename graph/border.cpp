// SPDX-License-Identifier: MIT
#include "graph/border.hpp"

#include <algorithm>

namespace tessera {

std::vector<int> border_priorities(std::vector<std::vector<std::int32_t>> const& neighbours,
                                   std::vector<std::int32_t> const& domains) {
  constexpr int beside = 2;
  constexpr int next = 1;
  std::vector<int> priorities(domains.size(), 0);
  for (std::size_t t = 0; t < domains.size(); ++t) {
    bool const at_border = std::ranges::any_of(neighbours[t], [&](std::int32_t n) {
      return domains[static_cast<std::size_t>(n)] != domains[t];
    });
    if (!at_border) continue;
    priorities[t] = beside;
    for (std::int32_t const n : neighbours[t]) {
      int& priority = priorities[static_cast<std::size_t>(n)];
      priority = std::max(priority, next);
    }
  }
  return priorities;
}

}  // namespace tessera

// SPDX-License-Identifier: MIT
// How urgent tiles are: what other domains wait for goes first.
#pragma once

#include <cstdint>
#include <vector>

namespace tessera {

/// Priorities of tiles by their distance to a tile of another domain: 2 beside one, 1 for the next,
/// 0 inside. So the outboxes that cross a bus travel while the inner tiles are computed. Numbers
/// in, numbers out: no StarPU here.
std::vector<int> border_priorities(std::vector<std::vector<std::int32_t>> const& neighbours,
                                   std::vector<std::int32_t> const& domains);

}  // namespace tessera

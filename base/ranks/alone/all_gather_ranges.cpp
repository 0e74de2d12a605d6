// SPDX-License-Identifier: MIT
#include "base/ranks/all_gather_ranges.hpp"

namespace tessera {

void all_gather_bytes(std::byte*, std::size_t, std::span<std::int64_t const>, int) {}

}  // namespace tessera

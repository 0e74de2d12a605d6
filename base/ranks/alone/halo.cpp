// SPDX-License-Identifier: MIT
#include "base/ranks/halo.hpp"

namespace tessera {

/// The lists are empty: nobody else computes anything.
void HaloMessages::travel(std::vector<HaloMessage> const&, std::byte const*,
                          std::vector<HaloMessage> const&, std::byte*) {}

}  // namespace tessera

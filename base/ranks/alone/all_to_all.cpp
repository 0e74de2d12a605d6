// SPDX-License-Identifier: MIT
#include "base/ranks/all_to_all.hpp"

namespace tessera {

bool AllToAll::travel_between_ranks(bool) { return true; }

}  // namespace tessera

// SPDX-License-Identifier: MIT
// What the user reads of the processes that compute together.
#pragma once

#include <string>
#include <vector>

namespace tessera {

/// All ranks: who computes where, one line each; none if there is but one process.
std::vector<std::string> ranks_result();

/// The first rank: prints them, and warns where processes are in each other's way.
void print_ranks(std::vector<std::string> const& ranks);

}  // namespace tessera

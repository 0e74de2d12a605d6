// SPDX-License-Identifier: MIT
// Report to the user on the processes that compute together.
#pragma once

#include <string>
#include <vector>

namespace tessera {

/// All ranks: gathers one line for each rank, with its host, GPUs and cores; none if there is one
/// process.
std::vector<std::string> ranks_result();

/// Rank 0: prints these lines, and warns where processes compete for cores or GPUs.
void print_ranks(std::vector<std::string> const& ranks);

}  // namespace tessera

// SPDX-License-Identifier: MIT
// Report to the user on the processes that compute together.
#pragma once

#include <string>
#include <vector>

namespace tessera {

/// All ranks: gathers one line for each rank, with its host, GPUs and cores; none if there is one
/// process.
std::vector<std::string> ranks_result();

/// From now on ranks_result() of rank 0, which computes alone, says that so many ranks, itself
/// included, leave all that they have to it.
void note_ranks_left_to_first(int ranks);

/// Rank 0: a warning, if it computes alone though there are several.
void warn_of_ranks_left_to_first();

/// Rank 0: prints these lines, and warns where processes compete for cores or GPUs.
void print_ranks(std::vector<std::string> const& ranks);

}  // namespace tessera

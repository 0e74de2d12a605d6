// SPDX-License-Identifier: MIT
// What the workers of all ranks did.
#pragma once

#include <vector>

#include "io/results/results.hpp"

namespace tessera {

/// The workers of this rank's Runtime, by their numbers; without nodes and transfers.
std::vector<WorkerResult> workers_of_runtime();

/// Collective: gathers the workers of all ranks, rank after rank; of several ranks each name begins
/// with "rank N".
std::vector<WorkerResult> workers_of_all_ranks(std::vector<WorkerResult> own);

}  // namespace tessera

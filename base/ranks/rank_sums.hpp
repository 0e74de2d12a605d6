// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "base/exact_sum.hpp"

namespace tessera {

/// Collective: replaces each of these by its sum over all ranks, which is exact in any order.
void add_up_over_ranks(std::span<ExactSum* const> sums);
void add_up_over_ranks(std::span<ExactSum> sums);

}  // namespace tessera

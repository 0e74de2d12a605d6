// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "base/exact_sum.hpp"

namespace tessera {

/// All: each of these becomes the sum of those of all ranks, whose order does not matter.
void add_up_over_ranks(std::span<ExactSum* const> sums);
void add_up_over_ranks(std::span<ExactSum> sums);

}  // namespace tessera

// SPDX-License-Identifier: MIT
// The kernels of all degrees for an instruction set, each compiled in a file of its own.
#pragma once

#include <utility>

#include "codelets/spectral/core_kernels.hpp"

namespace tessera::spectral {

/// Runs a task on a group of degree p. Defined in stage_kernel.hpp.
template <class Set, class N, int p>
void run_packs(StageData<N> const& data, StageFacts<N> const& facts, int dimension, PackTask task,
               DegreeGroup const& group);

template <class Set, class N>
constexpr PackKernels<N> kernels_of_degrees() {
  return []<int... p>(std::integer_sequence<int, p...>) {
    return PackKernels<N>{run_packs<Set, N, p>...};
  }
  (std::make_integer_sequence<int, most_degree + 1>{});
}

}  // namespace tessera::spectral

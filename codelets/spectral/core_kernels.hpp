// SPDX-License-Identifier: MIT
// The kernels for cores, a set for each instruction set, and the choice among them.
#pragma once

#include <array>
#include <cstdint>
#include <type_traits>

#include "codelets/spectral/stage_data.hpp"

namespace tessera::spectral {

/// What a kernel does with packs.
enum class PackTask : std::uint8_t {
  begin,  ///< traces, outbox and speeds of the current state
  stage,  ///< a Runge-Kutta stage, then traces, outbox and speeds of the state after it
};

/// Does a task on the packs of one degree of a tile, which is the kernel's degree.
template <class N>
using PackKernel = void (*)(StageData<N> const& data, StageFacts<N> const& facts, int dimension,
                            PackTask task, DegreeGroup const& group);

template <class N>
using PackKernels = std::array<PackKernel<N>, most_degree + 1>;

struct CoreKernels {
  char const* instruction_set;
  PackKernels<double> of_double;
  PackKernels<float> of_float;

  /// Does a task on all packs of a tile.
  template <class N>
  void run(PackTask task, TileCounts const& counts, StageData<N> const& data,
           StageFacts<N> const& facts) const {
    for (std::int32_t g = 0; g < counts.groups; ++g) {
      DegreeGroup const& group = counts.group[g];
      kernels<N>()[static_cast<std::size_t>(group.degree)](data, facts, counts.dimension, task,
                                                           group);
    }
  }

 private:
  template <class N>
  PackKernels<N> const& kernels() const {
    if constexpr (std::is_same_v<N, double>) {
      return of_double;
    } else {
      return of_float;
    }
  }
};

// A build defines those that TESSERA_KERNELS names (cmake/InstructionSets.cmake).
extern CoreKernels const generic_core_kernels;
extern CoreKernels const avx2_core_kernels;
extern CoreKernels const avx512_core_kernels;

/// The fastest set that this processor runs.
CoreKernels const& best_core_kernels();

}  // namespace tessera::spectral

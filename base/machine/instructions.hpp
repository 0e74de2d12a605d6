// SPDX-License-Identifier: MIT
// The sets of instructions that kernels for cores are compiled for (cmake/InstructionSets.cmake).
#pragma once

#include <cstdint>

namespace tessera {

enum class Instructions : std::uint8_t { generic, avx2, avx512 };

/// The largest set that this processor runs and this build has kernels for. Throws EnvironmentError
/// if there is none: a build for its own processor alone has one set.
Instructions best_instructions();

}  // namespace tessera

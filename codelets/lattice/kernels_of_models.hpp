// SPDX-License-Identifier: MIT
// The kernels for cores, by model. For those who define them and codelets/lattice/cpu_kernels.cpp,
// which chooses: it has all collision operators in it.
#pragma once

#include <array>

#include "codelets/lattice/cpu_kernels.hpp"
#include "codelets/lattice/model_table.hpp"

namespace tessera {

/// Of one model, by Precision.
using ModelKernels = std::array<CollideStreamKernel, precisions>;

}  // namespace tessera

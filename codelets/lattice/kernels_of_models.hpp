// SPDX-License-Identifier: MIT
// The kernels for cores, by model. Only for the files that define them and for
// codelets/lattice/cpu_kernels.cpp, which chooses: this header includes all collision operators.
#pragma once

#include <array>

#include "codelets/lattice/cpu_kernels.hpp"
#include "codelets/lattice/model_table.hpp"

namespace tessera {

/// The kernels of one model, by Precision.
using ModelKernels = std::array<CollideStreamKernel, precisions>;

}  // namespace tessera

// SPDX-License-Identifier: MIT
#pragma once

/// A codelet's implementation for GPUs, where Tessera is built with CUDA.
#ifdef TESSERA_HAS_CUDA
#define TESSERA_ON_GPU(function) function
#else
#define TESSERA_ON_GPU(function) nullptr
#endif

// SPDX-License-Identifier: MIT
// Square roots on cores, a SIMD vector at a time or not, and on GPUs.
#pragma once

#include <cmath>
#include <type_traits>

#include "base/host_device.hpp"

namespace tessera {

/// Square roots of a number, or of each lane of a vector; not of negative ones.
template <class Real>
TESSERA_HOST_DEVICE constexpr Real square_root(Real value) {
  if constexpr (std::is_arithmetic_v<Real>) {
#ifdef __CUDA_ARCH__
    return ::sqrt(value);
#else
    return std::sqrt(value);
#endif
  } else {
    constexpr int lanes = static_cast<int>(sizeof(Real) / sizeof(value[0]));
    for (int i = 0; i < lanes; ++i) value[i] = std::sqrt(value[i]);
    return value;
  }
}

}  // namespace tessera

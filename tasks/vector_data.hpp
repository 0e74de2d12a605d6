// SPDX-License-Identifier: MIT
// In a codelet: where the vectors of a task lie.
#pragma once

#include <starpu.h>

#include <cstddef>

namespace tessera {

template <class T>
T* vector_data(void** buffers, std::size_t i) {
  // StarPU hands addresses over as integers. NOLINTNEXTLINE(performance-no-int-to-ptr)
  return reinterpret_cast<T*>(STARPU_VECTOR_GET_PTR(buffers[i]));
}

}  // namespace tessera

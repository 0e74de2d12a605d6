// SPDX-License-Identifier: MIT
// In a codelet: where the vectors of a task lie.
#pragma once

#include <starpu.h>

#include <cstddef>
#include <vector>

namespace tessera {

template <class T>
T* vector_data(void** buffers, std::size_t i) {
  // StarPU passes addresses as integers. NOLINTNEXTLINE(performance-no-int-to-ptr)
  return reinterpret_cast<T*>(STARPU_VECTOR_GET_PTR(buffers[i]));
}

/// The data of `count` vectors, from buffer `first` on.
template <class T>
std::vector<T*> vectors_data(void** buffers, std::size_t first, std::size_t count) {
  std::vector<T*> found;
  found.reserve(count);
  for (std::size_t i = first; i < first + count; ++i) found.push_back(vector_data<T>(buffers, i));
  return found;
}

}  // namespace tessera

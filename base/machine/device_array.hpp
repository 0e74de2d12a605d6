// SPDX-License-Identifier: MIT
// Memory of the GPU with an owner.
//
// StarPU may reset the GPU when it starts or stops: what is allocated here must neither be older
// than a Runtime of the same process nor outlive it.
#pragma once

#include <cstddef>
#include <memory>

#include "base/machine/cuda_call.hpp"

namespace tessera {

/// `size` values on the current GPU, zeroed.
template <class T>
class DeviceArray {
 public:
  explicit DeviceArray(std::size_t size) : size_(size) {
    if (size == 0) return;
    void* memory = nullptr;
    check_cuda(cudaMalloc(&memory, bytes()), "allocating memory");
    data_.reset(static_cast<T*>(memory));
    clear();
  }

  /// nullptr if there are no values.
  T* get() const { return data_.get(); }
  std::size_t size() const { return size_; }
  std::size_t bytes() const { return size_ * sizeof(T); }

  /// Sets all bytes to zero.
  void clear() {
    if (size_ > 0) check_cuda(cudaMemset(get(), 0, bytes()), "clearing memory");
  }
  /// Copies all size() values from the host.
  void upload(T const* values) {
    if (size_ == 0) return;
    check_cuda(cudaMemcpy(get(), values, bytes(), cudaMemcpyHostToDevice), "copying to it");
  }
  /// Copies value i to the host, after everything launched on blocking streams.
  T value(std::size_t i) const {
    T result;
    check_cuda(cudaMemcpy(&result, get() + i, sizeof(T), cudaMemcpyDeviceToHost), "running");
    return result;
  }

 private:
  struct Free {
    void operator()(T* p) const { cudaFree(p); }
  };
  std::size_t size_;
  std::unique_ptr<T, Free> data_;
};

}  // namespace tessera

// SPDX-License-Identifier: MIT
// Zeroed memory on huge pages, like the runtime's buffers.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>

namespace tessera {

template <class T>
class AlignedArray {
 public:
  explicit AlignedArray(std::size_t size) {
    constexpr std::size_t page = std::size_t{2} << 20;
    std::size_t const bytes = (size * sizeof(T) + page - 1) / page * page;
    data_.reset(static_cast<T*>(std::aligned_alloc(page, bytes)));
    if (data_ == nullptr) throw std::bad_alloc();
    madvise(data_.get(), bytes, MADV_HUGEPAGE);  // advice: may fail
    std::memset(data_.get(), 0, bytes);
  }
  T* get() const { return data_.get(); }

 private:
  struct Free {
    void operator()(T* p) const { std::free(p); }
  };
  std::unique_ptr<T, Free> data_;
};

}  // namespace tessera

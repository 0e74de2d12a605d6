// SPDX-License-Identifier: MIT
// Zeroed memory that takes pages only where it is touched.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

namespace tessera {

template <class T>
class SparseArray {
 public:
  SparseArray() = default;
  explicit SparseArray(std::size_t size) {
    std::size_t const bytes = (size + 1) * sizeof(T);
    void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    if (bytes >= huge) madvise(memory, bytes, MADV_HUGEPAGE);  // advice: may fail
    data_ = {static_cast<T*>(memory), Unmap{bytes}};
  }
  T* get() const { return data_.get(); }

  /// Returns whole pages outside of [begin, end) to the system; they are zero again.
  void keep(std::size_t begin, std::size_t end) const {
    give_back(0, begin * sizeof(T));
    give_back(end * sizeof(T), data_.get_deleter().bytes);
  }

 private:
  static constexpr std::size_t huge = std::size_t{64} << 20;
  static constexpr std::size_t page = 4096;

  void give_back(std::size_t begin, std::size_t end) const {
    begin = (begin + page - 1) / page * page;
    end = end / page * page;
    if (data_ == nullptr || begin >= end) return;
    madvise(reinterpret_cast<std::byte*>(data_.get()) + begin, end - begin, MADV_DONTNEED);
  }

  struct Unmap {
    std::size_t bytes = 0;
    void operator()(T* memory) const { munmap(memory, bytes); }
  };
  std::unique_ptr<T, Unmap> data_;
};

}  // namespace tessera

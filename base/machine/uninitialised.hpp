// SPDX-License-Identifier: MIT
// Arrays whose memory is first touched by the threads that fill it: zeroing gigabytes on one thread
// takes longer than filling them on all.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

namespace tessera {

template <class T>
struct LeaveUninitialised : std::allocator<T> {
  static_assert(std::is_trivially_copyable_v<T>);
  template <class U>
  struct rebind {  // NOLINT(readability-identifier-naming): the standard's name
    using other = LeaveUninitialised<U>;
  };
  using std::allocator<T>::allocator;

  /// Allocates large arrays on huge pages, of which fewer are to be touched.
  T* allocate(std::size_t count) {
    if (!is_large(count)) return std::allocator<T>::allocate(count);
    std::size_t const bytes = (count * sizeof(T) + page - 1) / page * page;
    void* const memory = std::aligned_alloc(page, bytes);
    if (memory == nullptr) throw std::bad_alloc();
    madvise(memory, bytes, MADV_HUGEPAGE);  // advice: may fail
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t count) noexcept {
    if (is_large(count)) {
      std::free(memory);
    } else {
      std::allocator<T>::deallocate(memory, count);
    }
  }

  template <class U>
  void construct(U* /*at*/) noexcept {}
  template <class U, class... Arguments>
  void construct(U* at, Arguments&&... arguments) {
    ::new (static_cast<void*>(at)) U(std::forward<Arguments>(arguments)...);
  }

 private:
  static constexpr std::size_t page = std::size_t{2} << 20;
  static constexpr bool is_large(std::size_t count) { return count >= 2 * page / sizeof(T); }
};

/// A std::vector that leaves values uninitialised unless they are given.
template <class T>
using Uninitialised = std::vector<T, LeaveUninitialised<T>>;

}  // namespace tessera

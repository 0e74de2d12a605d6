// SPDX-License-Identifier: MIT
// Arrays whose memory is first touched by who fills it: zeroing gigabytes on one thread takes
// longer than filling them on all.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace tessera {

template <class T>
struct LeaveUninitialised : std::allocator<T> {
  static_assert(std::is_trivially_copyable_v<T>);
  template <class U>
  struct rebind {
    using other = LeaveUninitialised<U>;
  };
  using std::allocator<T>::allocator;

  template <class U>
  void construct(U* /*at*/) noexcept {}
  template <class U, class... Arguments>
  void construct(U* at, Arguments&&... arguments) {
    ::new (static_cast<void*>(at)) U(std::forward<Arguments>(arguments)...);
  }
};

/// A std::vector but for values that nobody has given.
template <class T>
using Uninitialised = std::vector<T, LeaveUninitialised<T>>;

}  // namespace tessera

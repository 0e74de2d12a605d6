// SPDX-License-Identifier: MIT
// The one place where tasks enter StarPU.
#pragma once

#include <starpu.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <type_traits>
#include <vector>

#include "graph/tasks/data_handle.hpp"
#include "graph/tasks/home.hpp"  // IWYU pragma: export

namespace tessera {

/// The data of a task, in the order of its codelet's buffers.
class Accesses {
 public:
  Accesses& reads(DataHandle const& h) { return add(h, STARPU_R); }
  Accesses& writes(DataHandle const& h) { return add(h, STARPU_W); }
  Accesses& scratch(DataHandle const& h) { return add(h, STARPU_SCRATCH); }
  Accesses& updates(DataHandle const& h) { return add(h, STARPU_RW); }
  std::vector<starpu_data_descr> const& list() const { return list_; }

 private:
  Accesses& add(DataHandle const& h, starpu_data_access_mode mode) {
    list_.push_back({h.get(), mode});
    return *this;
  }
  std::vector<starpu_data_descr> list_;
};

/// Called when a task has ended, in one of StarPU's threads.
struct Callback {
  void (*function)(void*) = nullptr;
  void* argument = nullptr;
};

/// What a codelet is passed: something that outlives the task (or is freed by it), or a copy that
/// lives as long as the task.
class Argument {
 public:
  Argument() = default;
  Argument(void const* outlives) : data_(outlives) {}
  template <class T>
  static Argument copy_of(T const& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    Argument argument;
    argument.copy_.reset(std::malloc(sizeof(T)));
    if (!argument.copy_) throw std::bad_alloc();
    std::memcpy(argument.copy_.get(), &value, sizeof(T));
    argument.data_ = argument.copy_.get();
    return argument;
  }

  void* data() const { return const_cast<void*>(data_); }
  /// Releases a copy, which the caller then frees; returns whether there was one.
  bool release_copy() { return copy_.release() != nullptr; }

 private:
  struct Free {
    void operator()(void* copy) const { std::free(copy); }
  };
  void const* data_ = nullptr;
  std::unique_ptr<void, Free> copy_;
};

/// Submits a task. Throws EnvironmentError if no worker can run it.
void submit(starpu_codelet& codelet, Accesses const& accesses, Argument argument = {},
            Placement const& placement = {}, Callback const& callback = {});

}  // namespace tessera

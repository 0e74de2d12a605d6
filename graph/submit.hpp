// SPDX-License-Identifier: MIT
// The one place where tasks enter StarPU; it can become the StarPU-MPI one.
#pragma once

#include <starpu.h>

#include <cstddef>
#include <vector>

#include "graph/data_handle.hpp"

namespace tessera {

/// The data of a task, in the order of its codelet's buffers.
class Accesses {
 public:
  Accesses& reads(DataHandle const& h) { return add(h, STARPU_R); }
  Accesses& writes(DataHandle const& h) { return add(h, STARPU_W); }
  Accesses& updates(DataHandle const& h) { return add(h, STARPU_RW); }
  std::vector<starpu_data_descr> const& list() const { return list_; }

 private:
  Accesses& add(DataHandle const& h, starpu_data_access_mode mode) {
    list_.push_back({h.get(), mode});
    return *this;
  }
  std::vector<starpu_data_descr> list_;
};

/// Where a task may run, and how soon.
struct Placement {
  unsigned long long kinds = STARPU_CPU | STARPU_CUDA;  ///< kinds of workers
  int worker = -1;                                      ///< this one only, or -1
  int priority = 0;                                     ///< higher ones first
};

/// Called when a task has ended, in one of StarPU's threads.
struct Callback {
  void (*function)(void*) = nullptr;
  void* argument = nullptr;
};

/// Submits a task. The argument is passed as a pointer and must outlive the task (or be freed by
/// it). Throws EnvironmentError if no worker can run it.
void submit(starpu_codelet& codelet, Accesses const& accesses, void const* argument = nullptr,
            Placement const& placement = {}, Callback const& callback = {});

}  // namespace tessera

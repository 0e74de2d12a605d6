// SPDX-License-Identifier: MIT
#include "graph/swap.hpp"

#include <starpu.h>

#include <atomic>

#include "graph/tasks/starpu_call.hpp"

namespace tessera {
namespace {

/// A swap under way: begins when its first datum has gone and the tasks on the second have
/// ended.
struct Pending {
  starpu_data_handle_t leaves;
  starpu_data_handle_t comes;
  std::atomic<int> awaited = 2;
};

void acquire(starpu_data_handle_t handle, int node, starpu_data_access_mode mode,
             void (*then)(void*), void* argument) {
  check_starpu(starpu_data_acquire_on_node_cb(handle, node, mode, then, argument),
               "starpu_data_acquire_on_node_cb");
}

void has_gone(void* handle) {
  starpu_data_release_on_node(static_cast<starpu_data_handle_t>(handle), STARPU_MAIN_RAM);
}

void one_is_ready(void* argument) {
  auto* const pending = static_cast<Pending*>(argument);
  if (--pending->awaited > 0) return;
  has_gone(pending->leaves);
  starpu_data_release_on_node(pending->comes, STARPU_ACQUIRE_NO_NODE);
  delete pending;
}

struct Arrival {
  starpu_data_handle_t handle;
  unsigned memory;
};

void has_come(void* argument) {
  auto* const arrival = static_cast<Arrival*>(argument);
  starpu_data_release_on_node(arrival->handle, static_cast<int>(arrival->memory));
  delete arrival;
}

}  // namespace

// StarPU 1.3 has no call that evicts a datum. Whoever acquires it to write leaves no valid copy but
// his own, and invalid ones are the first that StarPU reuses.
void submit_departure(DataHandle const& leaves) {
  acquire(leaves.get(), STARPU_MAIN_RAM, STARPU_RW, has_gone, leaves.get());
}

void submit_swap(DataHandle const& leaves, DataHandle const& comes, unsigned memory) {
  auto* const pending = new Pending{leaves.get(), comes.get()};
  acquire(leaves.get(), STARPU_MAIN_RAM, STARPU_RW, one_is_ready, pending);
  // Holds the newcomer back, without a copy anywhere; whatever comes behind it in turn must wait:
  // first the transfer, which is a read there.
  acquire(comes.get(), STARPU_ACQUIRE_NO_NODE, STARPU_RW, one_is_ready, pending);
  acquire(comes.get(), static_cast<int>(memory), STARPU_R, has_come,
          new Arrival{comes.get(), memory});
}

}  // namespace tessera

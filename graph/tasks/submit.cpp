// SPDX-License-Identifier: MIT
#include "graph/tasks/submit.hpp"

#include "graph/tasks/starpu_call.hpp"

namespace tessera {

void submit(starpu_codelet& codelet, Accesses const& accesses, Argument argument,
            Placement const& placement, Callback const& callback) {
  std::vector<starpu_data_descr> list = accesses.list();
  void* const data = argument.data();
  int const kind = argument.release_copy() ? STARPU_CL_ARGS : STARPU_CL_ARGS_NFREE;
  // StarPU's variable arguments carry no types: the casts say what it will read.
  check_starpu(
      starpu_task_insert(&codelet, STARPU_DATA_MODE_ARRAY, list.data(),
                         static_cast<int>(list.size()), kind, data, sizeof(void*),
                         STARPU_EXECUTE_WHERE, static_cast<unsigned long long>(placement.kinds),
                         STARPU_TASK_SCHED_DATA, static_cast<void const*>(placement.home),
                         STARPU_CALLBACK_WITH_ARG_NFREE, callback.function, callback.argument, 0),
      codelet.name);
}

}  // namespace tessera

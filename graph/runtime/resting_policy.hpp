// SPDX-License-Identifier: MIT
// In StarPU a core without a task polls for one without end, as fast as it can, and takes time from
// other threads that need the core: the submitting thread, scripts, messages of other processes.
// Here a worker that has found no task for a while waits between its polls.
#pragma once

#include <starpu.h>
#include <starpu_scheduler.h>

namespace tessera {

/// The policy with workers that wait between polls, for starpu_conf::sched_policy; `policy` must
/// outlive the runtime. One at a time.
starpu_sched_policy& with_rest(starpu_sched_policy const& policy);

}  // namespace tessera

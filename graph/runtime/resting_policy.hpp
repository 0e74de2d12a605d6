// SPDX-License-Identifier: MIT
// A core without a task looks for one without end, as fast as it can (StarPU), and takes the time
// of whoever needs the core: the thread that submits, scripts that look at the flow, the messages
// of other processes. Here one that has found nothing for a while sleeps between its looks.
#pragma once

#include <starpu.h>
#include <starpu_scheduler.h>

namespace tessera {

/// The policy, which must outlive the runtime, with workers that rest: for
/// starpu_conf::sched_policy. One at a time.
starpu_sched_policy& with_rest(starpu_sched_policy const& policy);

}  // namespace tessera

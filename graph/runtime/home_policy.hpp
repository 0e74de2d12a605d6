// SPDX-License-Identifier: MIT
// A scheduling policy for StarPU, around one of StarPU's own: tasks of a tile go where the tile
// lives.
//
// A scheduler that looks at one task at a time does not count that a tile which moves serves many
// steps where it has moved to. So the balance (graph/balance/) decides where a tile lives, with the
// whole step in sight, and this policy places its tasks when they are ready: on the worker that the
// home names, else on those of its kind, among which the other policy chooses. That one also
// places all tasks without a home.
#pragma once

#include <starpu.h>
#include <starpu_scheduler.h>

namespace tessera {

/// The policy, for starpu_conf::sched_policy; `policy` must outlive the runtime. One at a time.
starpu_sched_policy& with_homes(starpu_sched_policy const& policy);

}  // namespace tessera

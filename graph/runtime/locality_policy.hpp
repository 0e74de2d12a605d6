// SPDX-License-Identifier: MIT
// A scheduling policy for StarPU: tasks go where their data are.
//
// Each memory has a queue, the most urgent tasks first, and its workers take from it. A task goes
// to the memory that holds most of what it reads: a tile stays where it is, without a decision in
// each step. A worker that has nothing to do takes a tile from another memory's queue only if that
// pays back (graph/balance/balance.hpp); from then on the tile stays there.
#pragma once

#include <starpu.h>
#include <starpu_scheduler.h>

namespace tessera {

/// The policy, called "tessera": for starpu_conf::sched_policy.
starpu_sched_policy& locality_policy();

}  // namespace tessera

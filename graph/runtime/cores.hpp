// SPDX-License-Identifier: MIT
// How many cores there are to compute on, as StarPU counts them.
#pragma once

#include <hwloc.h>

#include <span>
#include <string>

namespace tessera {

/// What this process may run on.
struct MachineCores {
  unsigned cores = 1;
  unsigned threads = 1;  ///< hardware threads of these
  bool bound = false;    ///< to fewer than the machine has
};
MachineCores const& machine_cores();

/// The hardware threads that the calling thread may run on, as hwloc lists them; empty if that
/// cannot be found out.
std::string hardware_threads();
/// From now on the calling thread, and those that it starts, may run on any of these lists, and
/// machine_cores() counts them. Changes nothing if the system refuses.
void run_on(std::span<std::string const> hardware_threads);

/// The number of CPU workers that a Runtime may have, each with a core of its own: $STARPU_NCPU,
/// else the cores that this process may run on, less the reserved cores, but one at least. Hardware
/// threads of one core share its units and count once ($STARPU_NTHREADS_PER_CORE: so many times).
/// Needs no Runtime.
unsigned cores_present();
/// As cores_present(), with the reserved cores.
unsigned cores_with_reserved();

/// Cores of a machine of which `threads` holds at least one hardware thread.
unsigned count_cores(hwloc_topology_t machine, hwloc_const_cpuset_t threads);

}  // namespace tessera

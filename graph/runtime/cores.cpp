// SPDX-License-Identifier: MIT
#include "graph/runtime/cores.hpp"

#include <starpu_config.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <type_traits>

#include "base/ranks/ranks.hpp"
#include "graph/runtime/host_share.hpp"

namespace tessera {
namespace {

/// A positive number from the environment, or `otherwise`.
unsigned number_from(char const* variable, unsigned otherwise) {
  char const* const text = std::getenv(variable);
  int const number = text == nullptr ? 0 : std::atoi(text);
  return number > 0 ? static_cast<unsigned>(number) : otherwise;
}

/// Cores and hardware threads that the calling thread, and so its children, may run on; 1 and 1 if
/// that cannot be found out.
MachineCores cores_of_this_process() {
  struct Destroy {
    void operator()(hwloc_topology_t machine) const { hwloc_topology_destroy(machine); }
    void operator()(hwloc_cpuset_t set) const { hwloc_bitmap_free(set); }
  };
  hwloc_topology_t topology = nullptr;
  if (hwloc_topology_init(&topology) != 0) return {};
  std::unique_ptr<std::remove_pointer_t<hwloc_topology_t>, Destroy> const machine(topology);
  std::unique_ptr<std::remove_pointer_t<hwloc_cpuset_t>, Destroy> const threads(
      hwloc_bitmap_alloc());
  if (hwloc_topology_load(topology) != 0) return {};
  if (hwloc_get_cpubind(topology, threads.get(), HWLOC_CPUBIND_THREAD) != 0)
    hwloc_bitmap_copy(threads.get(), hwloc_topology_get_allowed_cpuset(topology));
  return {.cores = std::max(1U, count_cores(topology, threads.get())),
          .threads = static_cast<unsigned>(std::max(1, hwloc_bitmap_weight(threads.get()))),
          .bound = hwloc_bitmap_isequal(threads.get(),
                                        hwloc_topology_get_allowed_cpuset(topology)) == 0};
}

}  // namespace

unsigned count_cores(hwloc_topology_t machine, hwloc_const_cpuset_t threads) {
  // Where the system knows no cores, StarPU takes each hardware thread for one.
  bool const known = hwloc_get_type_depth(machine, HWLOC_OBJ_CORE) != HWLOC_TYPE_DEPTH_UNKNOWN;
  hwloc_obj_type_t const kind = known ? HWLOC_OBJ_CORE : HWLOC_OBJ_PU;
  unsigned count = 0;
  for (hwloc_obj_t core = hwloc_get_next_obj_by_type(machine, kind, nullptr); core != nullptr;
       core = hwloc_get_next_obj_by_type(machine, kind, core)) {
    if (hwloc_bitmap_intersects(core->cpuset, threads) != 0) ++count;
  }
  return count;
}

MachineCores const& machine_cores() {
  static MachineCores const here = cores_of_this_process();  // asking takes milliseconds
  return here;
}

unsigned cores_with_reserved() {
  unsigned const asked = number_from("STARPU_NCPU", number_from("STARPU_NCPUS", 0));
  if (asked > 0) return asked;
  unsigned const cores = Ranks::alone() ? machine_cores().cores : host_share().cores;
  return std::min<unsigned>(STARPU_MAXCPUS, cores * number_from("STARPU_NTHREADS_PER_CORE", 1));
}

unsigned cores_present() {
  unsigned const cores = cores_with_reserved();
  unsigned const reserved = number_from("STARPU_RESERVE_NCPU", 0);
  return cores > reserved ? cores - reserved : 1;
}

}  // namespace tessera

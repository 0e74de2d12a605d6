// SPDX-License-Identifier: MIT
#include "graph/runtime/cores.hpp"

#include <starpu_config.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <span>
#include <string>
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

struct Destroy {
  void operator()(hwloc_topology_t machine) const { hwloc_topology_destroy(machine); }
  void operator()(hwloc_cpuset_t set) const { hwloc_bitmap_free(set); }
};
using Topology = std::unique_ptr<std::remove_pointer_t<hwloc_topology_t>, Destroy>;
using ThreadSet = std::unique_ptr<std::remove_pointer_t<hwloc_cpuset_t>, Destroy>;

/// Nothing if the system does not tell.
Topology topology() {
  hwloc_topology_t machine = nullptr;
  if (hwloc_topology_init(&machine) != 0) return {};
  Topology loaded(machine);
  if (hwloc_topology_load(machine) != 0) return {};
  return loaded;
}

/// What the calling thread, and so its children, may run on.
ThreadSet own_threads(hwloc_topology_t machine) {
  ThreadSet threads(hwloc_bitmap_alloc());
  if (hwloc_get_cpubind(machine, threads.get(), HWLOC_CPUBIND_THREAD) != 0)
    hwloc_bitmap_copy(threads.get(), hwloc_topology_get_allowed_cpuset(machine));
  return threads;
}

/// 1 and 1 if it cannot be found out.
MachineCores cores_of_this_process() {
  Topology const machine = topology();
  if (!machine) return {};
  ThreadSet const threads = own_threads(machine.get());
  return {.cores = std::max(1U, count_cores(machine.get(), threads.get())),
          .threads = static_cast<unsigned>(std::max(1, hwloc_bitmap_weight(threads.get()))),
          .bound = hwloc_bitmap_isequal(threads.get(),
                                        hwloc_topology_get_allowed_cpuset(machine.get())) == 0};
}

MachineCores& kept_cores() {
  static MachineCores here = cores_of_this_process();  // asking takes milliseconds
  return here;
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

MachineCores const& machine_cores() { return kept_cores(); }

std::string hardware_threads() {
  Topology const machine = topology();
  if (!machine) return {};
  char* text = nullptr;
  hwloc_bitmap_list_asprintf(&text, own_threads(machine.get()).get());
  std::string const list = text == nullptr ? "" : text;
  std::free(text);  // NOLINT(cppcoreguidelines-no-malloc): hwloc has allocated it
  return list;
}

void run_on(std::span<std::string const> hardware_threads) {
  Topology const machine = topology();
  if (!machine) return;
  ThreadSet const all = own_threads(machine.get());
  ThreadSet const more(hwloc_bitmap_alloc());
  for (std::string const& list : hardware_threads) {
    if (hwloc_bitmap_list_sscanf(more.get(), list.c_str()) == 0)
      hwloc_bitmap_or(all.get(), all.get(), more.get());
  }
  hwloc_set_cpubind(machine.get(), all.get(), HWLOC_CPUBIND_THREAD);
  kept_cores() = cores_of_this_process();
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

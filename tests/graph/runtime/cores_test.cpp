// SPDX-License-Identifier: MIT
// Cores and their hardware threads, on machines made up.
#include "graph/runtime/cores.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "graph/runtime/runtime.hpp"

namespace tessera {
namespace {

/// Number of cores with a hardware thread in the list, on a synthetic machine of hwloc's.
unsigned cores_of(char const* machine, char const* threads) {
  hwloc_topology_t topology = nullptr;
  hwloc_topology_init(&topology);
  hwloc_topology_set_synthetic(topology, machine);
  hwloc_topology_load(topology);
  hwloc_bitmap_t const set = hwloc_bitmap_alloc();
  hwloc_bitmap_list_sscanf(set, threads);
  unsigned const cores = count_cores(topology, set);
  hwloc_bitmap_free(set);
  hwloc_topology_destroy(topology);
  return cores;
}

TEST(Cores, AreNotTheirHardwareThreads) {
  EXPECT_EQ(cores_of("package:2 core:4 pu:2", "0-15"), 8U);
  EXPECT_EQ(cores_of("package:2 core:4 pu:1", "0-7"), 8U);
}

TEST(Cores, AreThoseThatTheProcessMayRunOn) {
  EXPECT_EQ(cores_of("core:4 pu:2", "0-1"), 1U) << "two threads of one core";
  EXPECT_EQ(cores_of("core:4 pu:2", "1,2"), 2U) << "one thread of each of two";
  EXPECT_EQ(cores_of("core:4 pu:2", "7"), 1U);
}

TEST(Cores, AreAsManyAsTheEnvironmentSays) {
  setenv("STARPU_NCPU", "7", 1);
  EXPECT_EQ(cores_present(), 7U);
  unsetenv("STARPU_NCPU");
}

TEST(Cores, AreAsManyAsStarpuHasWorkers) {
  Runtime const runtime;
  EXPECT_EQ(Runtime::core_count(), cores_present());
}

TEST(Cores, AreNoMoreThanAskedForWhateverTheEnvironmentSays) {
  setenv("STARPU_NCPU", "2", 1);
  Runtime const runtime({}, 1);
  EXPECT_EQ(Runtime::core_count(), 1U);
  unsetenv("STARPU_NCPU");
}

}  // namespace
}  // namespace tessera

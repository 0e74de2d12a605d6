// SPDX-License-Identifier: MIT
#include "graph/runtime/main_memory.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

namespace tessera {
namespace {

TEST(MainMemory, LeavesSomeAndNotMoreThanThereIs) {
  std::size_t const left = main_memory_available();
  EXPECT_GT(left, std::size_t{1} << 20);
  EXPECT_LE(left, static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) *
                      static_cast<std::size_t>(sysconf(_SC_PAGESIZE)));
}

}  // namespace
}  // namespace tessera

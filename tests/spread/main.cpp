// SPDX-License-Identifier: MIT
//     mpirun -np 3 spread_tests
#include <gtest/gtest.h>

#include "ranks/ranks.hpp"

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  tessera::Ranks::start();
  int const failed = RUN_ALL_TESTS();
  tessera::Ranks::end();
  return failed;
}

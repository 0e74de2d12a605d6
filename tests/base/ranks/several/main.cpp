// SPDX-License-Identifier: MIT
// Tests of what several processes do together.
//
//     mpirun -np 3 TESTS
#include <gtest/gtest.h>

#include "base/ranks/ranks.hpp"

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  tessera::Ranks::start();
  int const failed = RUN_ALL_TESTS();
  tessera::Ranks::end();
  return failed;
}

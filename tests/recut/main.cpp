// SPDX-License-Identifier: MIT
// Several processes cut a running flow anew: not a bit of it changes.
//
//     mpirun -np 3 recut_ranks
#include <gtest/gtest.h>

#include "ranks/ranks.hpp"

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  tessera::Ranks::start();
  int const failed = RUN_ALL_TESTS();
  tessera::Ranks::end();
  return failed;
}

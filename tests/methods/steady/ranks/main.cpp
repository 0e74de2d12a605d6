// SPDX-License-Identifier: MIT
// Several processes together, each beside itself alone:
//
//     mpirun -np 3 steady_ranks
#include <gtest/gtest.h>

#include "base/ranks/ranks.hpp"

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  tessera::Ranks::start();
  bool const failed = tessera::Ranks::any(RUN_ALL_TESTS() != 0);
  tessera::Ranks::end();
  return failed ? 1 : 0;
}

// SPDX-License-Identifier: MIT
// libFuzzer takes its first inputs from files: they are written into the folder TESSERA_FUZZ_SEEDS.
#include <cstdlib>
#include <fstream>

#include "tests/fuzz/target.hpp"

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  char const* const folder = std::getenv("TESSERA_FUZZ_SEEDS");
  if (folder == nullptr) return 0;
  int number = 0;
  for (std::string const& seed : tessera::fuzz::seeds())
    std::ofstream(std::filesystem::path(folder) / ("seed" + std::to_string(++number)),
                  std::ios::binary)
        << seed;
  return 0;
}

// SPDX-License-Identifier: MIT
// machine.json, the figures that are kept of this machine: whatever is in it stops nothing.
#include <cstdlib>

#include "run/plan/kept_figures.hpp"
#include "tests/fuzz/target.hpp"

std::vector<std::string> tessera::fuzz::seeds() {
  return {R"({"a": 1.5, "b": 2, "host, 2 cores, D3Q19, single": 1e7})", "{}", "[1, 2]",
          R"({"a": {"b": [null, true, "\u00e9"]}})"};
}

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  using namespace tessera;
  std::string_view const bytes(reinterpret_cast<char const*>(data), size);
  std::filesystem::path const file = fuzz::file_with(bytes, "machine.json");
  static bool const set = setenv("TESSERA_CACHE", file.parent_path().c_str(), 1) == 0;
  if (!set) return 0;
  if (auto const kept = kept_figure("a"); kept && !(*kept > 0)) __builtin_trap();
  if (keep_figure("b", 3) && kept_figure("b") != 3) __builtin_trap();
  return 0;
}

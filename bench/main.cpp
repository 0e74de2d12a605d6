// SPDX-License-Identifier: MIT
// The program tessera-bench, which is what `tessera bench` becomes.
#include <string_view>
#include <vector>

#include "bench/commands.hpp"
#include "insitu/crash_guard.hpp"
#include "interfaces/cli/program.hpp"

int main(int argc, char** argv) {
  using namespace tessera;
  CommandEntry const commands[] = {
      {"bench", "How fast the step runs, beside what the memory allows", add_bench_command, true}};
  // Called by itself, it need not be told so.
  std::vector<char*> words(argv, argv + argc);
  char bench[] = "bench";
  if (argc < 2 || std::string_view(argv[1]) != bench)
    words.insert(words.begin() + (argc > 0 ? 1 : 0), bench);
  words.push_back(nullptr);
  leave(run_program(commands, static_cast<int>(words.size()) - 1, words.data()));
}

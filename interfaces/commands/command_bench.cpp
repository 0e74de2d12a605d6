// SPDX-License-Identifier: MIT
// `tessera bench`: the benchmarks are a program of their own, tessera-bench, beside this one.
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string_view>

#include "interfaces/commands/commands.hpp"
#include "run/console/streams.hpp"

namespace tessera {

void become_bench_if_asked(char** argv) {
  if (argv[0] == nullptr || argv[1] == nullptr || std::string_view(argv[1]) != "bench") return;
  std::error_code unknown;
  auto const program =
      std::filesystem::read_symlink("/proc/self/exe", unknown).parent_path() / "tessera-bench";
  execv(program.c_str(), argv);
  say(fmt::format("tessera: bench: {}: {}\n", program.string(), std::strerror(errno)));
  std::exit(failed);
}

Command add_bench_command(CLI::App& /*command*/) {
  return [] { return failed; };
}

}  // namespace tessera

// SPDX-License-Identifier: MIT
#include "bench/thread_time.hpp"

#include <filesystem>
#include <fstream>
#include <string>

namespace tessera {
namespace {

/// CPU seconds of one thread; 0 if it ends, and its folder vanishes, while it is read.
double cpu_seconds(std::filesystem::path const& thread) {
  double nanoseconds = 0;
  std::ifstream(thread / "schedstat") >> nanoseconds;
  return 1e-9 * nanoseconds;
}

}  // namespace

double cpu_seconds_of_threads(std::string_view name) {
  double seconds = 0;
  for (auto const& thread : std::filesystem::directory_iterator("/proc/self/task")) {
    std::string own;
    std::getline(std::ifstream(thread.path() / "comm"), own);
    if (own == name) seconds += cpu_seconds(thread.path());
  }
  return seconds;
}

}  // namespace tessera

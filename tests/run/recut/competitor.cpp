// SPDX-License-Identifier: MIT
#include "tests/run/recut/competitor.hpp"

#include <gtest/gtest.h>
#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>

#include <charconv>
#include <filesystem>
#include <fstream>
#include <string>

namespace tessera::test {
namespace {

cpu_set_t one_core() {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(static_cast<unsigned>(sched_getcpu()), &one);
  return one;
}

/// Returns how many there are. Their weight cannot be given back; they end with StarPU.
int slow_workers_on(cpu_set_t const& core) {
  int workers = 0;
  for (auto const& entry : std::filesystem::directory_iterator("/proc/self/task")) {
    std::string name;
    std::getline(std::ifstream(entry.path() / "comm"), name);
    if (!name.starts_with("CPU ")) continue;
    std::string const number = entry.path().filename().string();
    pid_t thread = 0;
    std::from_chars(number.data(), number.data() + number.size(), thread);
    bool const slowed = sched_setaffinity(thread, sizeof core, &core) == 0 &&
                        setpriority(PRIO_PROCESS, static_cast<id_t>(thread), 10) == 0;
    if (slowed) ++workers;
  }
  return workers;
}

}  // namespace

Competitor::Competitor() {
  cpu_set_t const core = one_core();
  thread_ = std::thread([this] {
    while (!over_) {
    }
  });
  pthread_setaffinity_np(thread_.native_handle(), sizeof core, &core);
  EXPECT_GE(slow_workers_on(core), 1);
}

Competitor::~Competitor() {
  over_ = true;
  thread_.join();
}

}  // namespace tessera::test

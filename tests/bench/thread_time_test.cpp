// SPDX-License-Identifier: MIT
#include "bench/thread_time.hpp"

#include <gtest/gtest.h>
#include <pthread.h>

#include <ctime>
#include <thread>

namespace tessera {
namespace {

double cpu_seconds_here() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

TEST(ThreadTime, IsWhatThreadsOfThatNameHaveTaken) {
  EXPECT_EQ(cpu_seconds_of_threads("busy bee"), 0);
  std::thread([] {
    pthread_setname_np(pthread_self(), "busy bee");
    constexpr double long_enough = 0.05;
    while (cpu_seconds_here() < long_enough) {
    }
    double const counted = cpu_seconds_of_threads("busy bee");
    EXPECT_GT(counted, 0.8 * long_enough);
    EXPECT_LE(counted, cpu_seconds_here());
  }).join();
}

}  // namespace
}  // namespace tessera

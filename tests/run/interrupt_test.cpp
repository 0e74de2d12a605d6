// SPDX-License-Identifier: MIT
#include "run/interrupt.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <thread>

namespace tessera {
namespace {

using std::chrono::milliseconds;

/// In a process of its own: sends the two signals and leaves with 0 if the end has been asked for.
[[noreturn]] void send_two(int first, milliseconds pause, int second) {
  kill(getpid(), first);
  std::this_thread::sleep_for(pause);
  kill(getpid(), second);
  std::this_thread::sleep_for(milliseconds(200));
  _exit(Interrupt::requested() ? 0 : 1);
}

[[noreturn]] void send(int first, milliseconds pause, int second) {
  Interrupt const interrupt;
  send_two(first, pause, second);
}

TEST(InterruptDeathTest, ASecondSignalCountsAfterTwoSecondsOnly) {
  EXPECT_EXIT(send(SIGTERM, milliseconds(5), SIGTERM), testing::ExitedWithCode(0), "");
  EXPECT_EXIT(send(SIGTERM, milliseconds(2100), SIGTERM), testing::KilledBySignal(SIGTERM), "");
  EXPECT_EXIT(send(SIGTERM, milliseconds(2100), SIGINT), testing::KilledBySignal(SIGINT), "");
}

TEST(InterruptDeathTest, AWarningMayComeAgainAndBeforeTheSignalItWarnsOf) {
  EXPECT_EXIT(send(SIGXCPU, milliseconds(2100), SIGXCPU), testing::ExitedWithCode(0), "");
  EXPECT_EXIT(send(SIGUSR1, milliseconds(2100), SIGTERM), testing::ExitedWithCode(0), "");
}

TEST(InterruptDeathTest, HandlersOfLibrariesAreNotCalled) {
  auto const take_and_send = [] {
    Interrupt const interrupt;
    std::signal(SIGTERM, [](int) { _exit(2); });
    send_two(SIGTERM, milliseconds(5), SIGUSR1);
  };
  EXPECT_EXIT(take_and_send(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace tessera

// SPDX-License-Identifier: MIT
#include "base/ranks/work_signs.hpp"

#include <gtest/gtest.h>
#include <pthread.h>

#include <atomic>
#include <fstream>
#include <functional>
#include <thread>

namespace tessera {
namespace {

using namespace std::chrono_literals;

/// Whether there are signs of work of a thread that does so, again and again.
bool shows_while(std::function<void()> const& doing) {
  std::atomic<bool> over{false};
  std::atomic<bool> begun{false};
  std::thread thread([&] {
    while (!over) {
      doing();
      begun = true;
    }
  });
  while (!begun) std::this_thread::sleep_for(1ms);
  WorkSigns signs;
  signs.since_last();
  std::this_thread::sleep_for(500ms);
  bool const shows = signs.since_last();
  over = true;
  thread.join();
  return shows;
}

void compute_for(std::chrono::milliseconds time) {
  for (auto const end = std::chrono::steady_clock::now() + time;
       std::chrono::steady_clock::now() < end;) {
  }
}

TEST(WorkSigns, SleepIsNoWork) {
#ifdef __SANITIZE_THREAD__
  GTEST_SKIP() << "the thread sanitizer has a thread of its own, which works";
#endif
  EXPECT_FALSE(shows_while([] { std::this_thread::sleep_for(100ms); }));
}

TEST(WorkSigns, ComputingIsWork) {
  EXPECT_TRUE(shows_while([] { compute_for(10ms); }));
}

TEST(WorkSigns, ReadingIsWorkHoweverSlow) {
  std::ifstream zeros;
  zeros.rdbuf()->pubsetbuf(nullptr, 0);  // each byte is read by itself
  zeros.open("/dev/zero", std::ios::binary);
  EXPECT_TRUE(shows_while([&] {
    zeros.get();
    std::this_thread::sleep_for(100ms);
  }));
}

TEST(WorkSigns, WhatWaitsDoesNotWork) {
  std::atomic<bool> over{false};
  std::thread thread([&] {
    WorkSigns::Waiting const waiting;
    while (!over) compute_for(10ms);
  });
  while (!WorkSigns::anybody_waits()) std::this_thread::sleep_for(1ms);
  WorkSigns signs;
  signs.since_last();
  std::this_thread::sleep_for(300ms);
  EXPECT_FALSE(signs.since_last());
  over = true;
  thread.join();
  EXPECT_FALSE(WorkSigns::anybody_waits());
  EXPECT_TRUE(signs.since_last()) << "the end of a wait is one that goes on";
}

TEST(WorkSigns, ThreadsThatAlwaysLookAboutAreLeftOut) {
  WorkSigns::leave_out("looks ");
  EXPECT_FALSE(shows_while([] {
    pthread_setname_np(pthread_self(), "looks about");
    compute_for(10ms);
  }));
}

}  // namespace
}  // namespace tessera

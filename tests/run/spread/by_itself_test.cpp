// SPDX-License-Identifier: MIT
// What a rank does by itself, on one thread.
#include <gtest/gtest.h>

#include <thread>

#include "base/ranks/ranks.hpp"

namespace tessera {
namespace {

TEST(ByItself, IsTheThreadThatSaysSo) {
  int const all = Ranks::count();
  int in_another_thread = 0;
  {
    Ranks::ByItself const by_itself;
    EXPECT_TRUE(Ranks::alone());
    std::thread([&] { in_another_thread = Ranks::count(); }).join();
  }
  EXPECT_EQ(in_another_thread, all);
  EXPECT_EQ(Ranks::count(), all);
}

}  // namespace
}  // namespace tessera

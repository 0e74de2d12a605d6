// SPDX-License-Identifier: MIT
#include "bench/child_process.hpp"

#include <gtest/gtest.h>

#include <chrono>

#include "base/errors.hpp"

namespace tessera {
namespace {

std::vector<std::string> shell(std::string const& script) { return {"/bin/sh", "-c", script}; }

TEST(ChildProcess, AnswersWhatItIsTold) {
  ChildProcess child(shell("while read line; do echo \"$line too\"; done"));
  child.say("one");
  EXPECT_EQ(child.read_line(), "one too");
  child.say("two");
  EXPECT_EQ(child.read_line(), "two too");
}

TEST(ChildProcess, IsHeardWhenItComplains) {
  ChildProcess child(shell("echo no >&2"));
  EXPECT_EQ(child.read_line(), "no");
  EXPECT_EQ(child.read_line(), "") << "its end";
  child.say("nobody is there");
}

TEST(ChildProcess, HasOurEnvironmentWithChanges) {
  setenv("TESSERA_TEST_KEPT", "kept", 1);
  setenv("TESSERA_TEST_CHANGED", "ours", 1);
  ChildProcess child(shell("echo $TESSERA_TEST_KEPT $TESSERA_TEST_CHANGED"),
                     {"TESSERA_TEST_CHANGED=its own"});
  EXPECT_EQ(child.read_line(), "kept its own");
}

TEST(ChildProcess, EndsWithItsInput) {
  auto const start = std::chrono::steady_clock::now();
  { ChildProcess const child(shell("read line; exit 0")); }
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(4));
}

TEST(ChildProcess, IsRefusedIfThereIsNoSuchProgram) {
  EXPECT_THROW(ChildProcess({"/nowhere/program"}), EnvironmentError);
}

}  // namespace
}  // namespace tessera

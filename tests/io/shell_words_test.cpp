// SPDX-License-Identifier: MIT
#include "io/shell_words.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tessera {
namespace {

TEST(ShellWords, LeavesPlainWordsAlone) {
  std::vector<std::string> const words{"tessera", "--crop", "0:9,0:9,0:9", "über/a-b.raw"};
  EXPECT_EQ(shell_line(words), "tessera --crop 0:9,0:9,0:9 über/a-b.raw");
}

TEST(ShellWords, QuotesWhatAShellWouldRead) {
  EXPECT_EQ(shell_quoted("a b"), "'a b'");
  EXPECT_EQ(shell_quoted(">120"), "'>120'");
  EXPECT_EQ(shell_quoted("it's"), "'it'\\''s'");
  EXPECT_EQ(shell_quoted("$HOME *"), "'$HOME *'");
  EXPECT_EQ(shell_quoted(""), "''");
}

TEST(ShellWords, SpellsBytesThatAreNoText) {
  EXPECT_EQ(shell_quoted("K\xf6ln 1.tif"), "$'K\\xf6ln\\x201.tif'");
  EXPECT_EQ(shell_quoted("a\nb"), "$'a\\x0ab'");
}

}  // namespace
}  // namespace tessera

// SPDX-License-Identifier: MIT
#include "io/atomic_file.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <filesystem>
#include <string>

#include "tests/io/files.hpp"

namespace tessera {
namespace {

using test::message_of;
using test::read_bytes;
using test::TemporaryFolder;

TEST(AtomicFile, AppearsOnlyWhenItIsCommitted) {
  TemporaryFolder const folder;
  AtomicFile file(folder / "result.csv");
  std::ofstream(file.temporary_path()) << "k";
  EXPECT_FALSE(std::filesystem::exists(folder / "result.csv"));
  file.commit();
  EXPECT_EQ(read_bytes(folder / "result.csv"), "k");
  EXPECT_EQ(folder.names().size(), 1U);
}

TEST(AtomicFile, LeavesTheOlderFileAloneWhenItIsNotCommitted) {
  TemporaryFolder const folder;
  auto const path = folder.write("result.csv", "old");
  {
    AtomicFile const file(path);
    std::ofstream(file.temporary_path()) << "new";
  }
  EXPECT_EQ(read_bytes(path), "old");
  EXPECT_EQ(folder.names().size(), 1U);
}

TEST(AtomicFile, ReplacesAnOlderFile) {
  TemporaryFolder const folder;
  auto const path = folder.write("result.csv", "old and longer");
  write_whole_file(path, "new");
  EXPECT_EQ(read_bytes(path), "new");
}

TEST(AtomicFile, KeepsTheExtensionInTheTemporaryName) {
  TemporaryFolder const folder;
  EXPECT_EQ(AtomicFile(folder / "a.vtkhdf").temporary_path().extension(), ".vtkhdf");
}

TEST(AtomicFile, WritesThroughASymbolicLink) {
  TemporaryFolder const folder;
  auto const target = folder.write("target", "old");
  std::filesystem::create_symlink("target", folder / "link");
  write_whole_file(folder / "link", "new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
  EXPECT_EQ(read_bytes(target), "new");
}

TEST(AtomicFile, RefusesAMissingFolderAFolderAndADevice) {
  TemporaryFolder const folder;
  auto const missing = message_of<EnvironmentError>([&] { AtomicFile(folder / "no/such/file"); });
  EXPECT_NE(missing.find("there is no folder"), std::string::npos) << missing;
  EXPECT_THROW(AtomicFile(folder.path()), EnvironmentError);
  EXPECT_THROW(AtomicFile("/dev/null"), EnvironmentError);
}

TEST(AtomicFile, LeavesNothingWhenThereIsNoRoom) {
  TemporaryFolder const folder;
  auto const path = folder.write("result.csv", "old");
  // A limit on the size of files fails writes as a full disk does.
  auto* const handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  rlimit const small{4096, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  auto const message =
      message_of<EnvironmentError>([&] { write_whole_file(path, std::string(100000, 'x')); });
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_NE(message.find("result.csv: File too large"), std::string::npos) << message;
  EXPECT_EQ(read_bytes(path), "old");
  EXPECT_EQ(folder.names().size(), 1U);
}

}  // namespace
}  // namespace tessera

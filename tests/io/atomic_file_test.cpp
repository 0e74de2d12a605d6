// SPDX-License-Identifier: MIT
#include "io/atomic_file.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <string>

#include "io/part_files.hpp"
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

TEST(AtomicFile, InTheMakingLooksLikeNoFinishedFile) {
  TemporaryFolder const folder;
  AtomicFile const file(folder / "fields-600.vtkhdf");
  AtomicFile const other(folder / "fields-600.vtkhdf");
  EXPECT_EQ(file.temporary_path().parent_path(), folder.path());
  EXPECT_EQ(file.temporary_path().extension(), ".part");
  EXPECT_TRUE(file.temporary_path().filename().string().starts_with('.'));
  EXPECT_NE(file.temporary_path(), other.temporary_path());
}

TEST(AtomicFile, GivesItsRoomBackThoughSomebodyStillHasItOpen) {
  TemporaryFolder const folder;
  std::ofstream stream;
  {
    AtomicFile const file(folder / "checkpoint.h5");
    stream.open(file.temporary_path());
    stream << std::string(100000, 'x') << std::flush;
    std::filesystem::create_hard_link(file.temporary_path(), folder / "seen");
  }
  EXPECT_EQ(std::filesystem::file_size(folder / "seen"), 0U);
}

/// The name that a process which has ended by now would have given.
std::string part_name_of_a_dead_process() {
  int ends[2];
  EXPECT_EQ(pipe(ends), 0);
  pid_t const child = fork();
  if (child == 0) {
    std::string const name = new_part_name();
    _exit(write(ends[1], name.data(), name.size()) > 0 ? 0 : 1);
  }
  char text[512];
  ssize_t const size = read(ends[0], text, sizeof text);
  waitpid(child, nullptr, 0);
  close(ends[0]);
  close(ends[1]);
  return {text, static_cast<std::size_t>(std::max<ssize_t>(size, 0))};
}

TEST(PartFiles, OfDeadProcessesAreRemovedAndNoOthers) {
  TemporaryFolder const folder;
  std::string const dead = part_name_of_a_dead_process();
  std::string const alive = new_part_name();
  std::string host = alive.substr(0, alive.find("-" + std::to_string(getpid()) + "-"));
  // This process' number, given to another one before.
  std::string const reused = host + "-" + std::to_string(getpid()) + "-1-0.part";
  std::string const elsewhere = ".tessera-of-another-machine-1-1-0.part";
  std::string const long_ago = ".tessera-of-another-machine-1-1-1.part";
  std::string const of_others[] = {alive, elsewhere, ".tessera-notes.part", "mine.part", ".hidden"};
  for (std::string const& name : of_others) folder.write(name, "kept");
  for (std::string const& name : {dead, reused, long_ago}) folder.write(name, "left over");
  std::filesystem::last_write_time(
      folder / long_ago, std::filesystem::file_time_type::clock::now() - std::chrono::hours(25));
  remove_dead_parts(folder.path());
  for (std::string const& name : of_others)
    EXPECT_TRUE(std::filesystem::exists(folder / name)) << name;
  EXPECT_EQ(folder.names().size(), std::size(of_others));
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

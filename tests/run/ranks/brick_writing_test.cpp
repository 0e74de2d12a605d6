// SPDX-License-Identifier: MIT
// Files that several processes write together, compared with those that one process writes:
//     mpirun -np 3 writing_ranks
#include "run/fields/brick_writing.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/errors.hpp"
#include "base/ranks/ranks.hpp"
#include "io/fields/field_files.hpp"
#include "run/fields/whole_fields.hpp"
#include "tests/io/files.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

/// Fields of all three types: noise, a smooth one, and one constant over large parts.
struct Values {
  std::vector<float> velocity;
  std::vector<std::int32_t> number;
  std::vector<std::uint8_t> solid;

  void add(Int3 shape, Int3 at) {
    auto const i = static_cast<std::uint32_t>(linear_index(shape, at));
    for (std::uint32_t c = 0; c < 3; ++c)
      velocity.push_back(static_cast<float>(((3 * i + c) * 1664525U + 1013904223U) >> 8U));
    number.push_back(static_cast<std::int32_t>(at.x + at.y + at.z));
    solid.push_back(at.z > 20 && at.x < 90 ? 1 : 0);
  }
  std::vector<Field> fields() const {
    return {{"velocity", 3, std::span(velocity)},
            {"number", 1, std::span(number)},
            {"solid", 1, std::span(solid)}};
  }
};

Values whole_values(Int3 shape) {
  Values values;
  for (std::int64_t z = 0; z < shape.z; ++z) {
    for (std::int64_t y = 0; y < shape.y; ++y) {
      for (std::int64_t x = 0; x < shape.x; ++x) values.add(shape, {x, y, z});
    }
  }
  return values;
}

/// Values of this rank's bricks.
Values own_values(Int3 shape) {
  Bricks const bricks(shape);
  LayerRange const own = own_bricks(bricks);
  Values values;
  for (std::int64_t b = own.lower; b < own.upper; ++b) {
    Int3 const from = bricks.lower(b);
    Int3 const size = bricks.extents(b);
    for (std::int64_t z = 0; z < size.z; ++z) {
      for (std::int64_t y = 0; y < size.y; ++y) {
        for (std::int64_t x = 0; x < size.x; ++x) values.add(shape, from + Int3{x, y, z});
      }
    }
  }
  return values;
}

/// Limits a resource of the process as long as it lives.
class Scarce {
 public:
  Scarce(int resource, rlim_t most) : resource_(resource) {
    getrlimit(static_cast<__rlimit_resource>(resource), &before_);
    rlimit const now{most, before_.rlim_max};
    setrlimit(static_cast<__rlimit_resource>(resource), &now);
  }
  ~Scarce() { setrlimit(static_cast<__rlimit_resource>(resource_), &before_); }
  Scarce(Scarce const&) = delete;
  Scarce& operator=(Scarce const&) = delete;

 private:
  int resource_;
  rlimit before_{};
};

class BrickWriting : public testing::Test {
 protected:
  /// Collective: path of a file in a folder that rank 0 makes.
  fs::path file(std::string const& name) {
    if (Ranks::is_root()) folder_.emplace();
    fs::path const folder =
        Ranks::all_gather(folder_ ? folder_->path().string() : std::string{}).front();
    return folder / name;
  }
  /// Expects the files written to equal, byte by byte, those that one process writes.
  static void expect_as_by_one(fs::path const& path, Int3 shape) {
    if (!Ranks::is_root()) return;
    test::TemporaryFolder const other;
    write_fields(other / path.filename().string(), shape, 2e-6, whole_values(shape).fields());
    auto names = other.names();
    for (std::string const& name : names)
      EXPECT_TRUE(test::read_bytes(path.parent_path() / name) == test::read_bytes(other / name))
          << name << " of " << shape.x << " x " << shape.y << " x " << shape.z;
    EXPECT_EQ(std::distance(fs::directory_iterator(path.parent_path()), {}),
              static_cast<std::ptrdiff_t>(names.size()));
  }

  std::optional<test::TemporaryFolder> folder_;
};

constexpr Int3 large{130, 70, 66};

/// Descriptor that the next opened file would get.
rlim_t next_descriptor() {
  int const next = dup(STDERR_FILENO);
  close(next);
  return static_cast<rlim_t>(next);
}

TEST_F(BrickWriting, MakesTheFileThatOneMakesByteByByte) {
  for (Int3 const shape : {large, Int3{64, 64, 192}, Int3{300, 20, 10}, Int3{30, 200, 65},
                           Int3{10, 9, 8}, Int3{300, 200, 1}, Int3{1, 1, 7}}) {
    fs::path const path = file("fields.vtkhdf");
    write_spread_fields(path, shape, 2e-6, own_values(shape).fields());
    expect_as_by_one(path, shape);
    folder_.reset();
  }
}

TEST_F(BrickWriting, DescribesTheFileWhereTheFormatDoes) {
  fs::path const path = file("fields.xdmf");
  write_spread_fields(path, large, 2e-6, own_values(large).fields());
  expect_as_by_one(path, large);
}

TEST_F(BrickWriting, PutsTogetherWhatAFormatWantsAtOnce) {
  fs::path const path = file("fields.npz");
  write_spread_fields(path, large, 2e-6, own_values(large).fields());
  expect_as_by_one(path, large);
}

TEST_F(BrickWriting, GoesThroughTheFirstOneWhereAnotherSeesNoFile) {
  fs::path const path = file("fields.vtkhdf");
  {
    // The last rank cannot open any file.
    std::optional<Scarce> blind;
    if (!Ranks::alone() && Ranks::rank() == Ranks::count() - 1)
      blind.emplace(RLIMIT_NOFILE, next_descriptor());
    write_spread_fields(path, large, 2e-6, own_values(large).fields());
  }
  expect_as_by_one(path, large);
}

TEST_F(BrickWriting, NamesTheRankThatCannotWriteAndLeavesTheOlderFileAlone) {
  auto* const handler = std::signal(SIGXFSZ, SIG_IGN);
  for (int const full : {0, Ranks::count() - 1}) {
    fs::path const path = file("fields.vtkhdf");
    if (Ranks::is_root()) folder_->write("fields.vtkhdf", "old");
    Ranks::broadcast_number(0);
    auto const write = [&] {
      std::optional<Scarce> disk;
      if (Ranks::rank() == full) disk.emplace(RLIMIT_FSIZE, 200'000);
      write_spread_fields(path, large, 2e-6, own_values(large).fields());
    };
    if (Ranks::is_root()) {
      std::string const message = test::message_of<EnvironmentError>(write);
      EXPECT_EQ(message.find("rank " + std::to_string(full) + ": "), 0U) << message;
      EXPECT_NE(message.find("File too large"), std::string::npos) << message;
      EXPECT_EQ(message.find('\n'), std::string::npos) << message;
      EXPECT_EQ(folder_->names(), std::vector<std::string>{"fields.vtkhdf"});
      EXPECT_EQ(test::read_bytes(path), "old");
    } else {
      EXPECT_NO_THROW(write());
    }
    folder_.reset();
  }
  std::signal(SIGXFSZ, handler);
}

TEST_F(BrickWriting, SaysWhatIsWrongWithTheFolder) {
  fs::path const path = file("none/fields.vtkhdf");
  auto const write = [&] { write_spread_fields(path, large, 1, own_values(large).fields()); };
  if (Ranks::is_root()) {
    std::string const message = test::message_of<EnvironmentError>(write);
    EXPECT_NE(message.find("there is no folder"), std::string::npos) << message;
  } else {
    EXPECT_NO_THROW(write());
  }
}

}  // namespace
}  // namespace tessera

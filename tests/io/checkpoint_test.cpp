// SPDX-License-Identifier: MIT
#include "io/checkpoint.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

#include "lattice/errors.hpp"
#include "tests/io/files.hpp"

namespace tessera {
namespace {

std::vector<std::byte> bytes(std::size_t count, int first) {
  std::vector<std::byte> values;
  for (std::size_t i = 0; i < count; ++i)
    values.push_back(static_cast<std::byte>(first + static_cast<int>(i)));
  return values;
}

class Checkpoint : public testing::Test {
 protected:
  /// Three blocks of which the second has no nodes, in another order than their numbers.
  void write() const {
    CheckpointWriter writer(path(), Precision::single_precision, 5, 3);
    writer.add_block(2, bytes(12, 1), {});
    writer.add_block(0, bytes(8, 100), remembered_);
    writer.add_array("numbers", std::span<double const>(numbers_));
    writer.add_array("fractions", std::span<float const>(fractions_));
    writer.add_array("nothing", std::span<float const>());
    writer.commit({{"step", 7}, {"name", "\u03bd"}});
  }

  std::filesystem::path path() const { return folder_.path() / "checkpoint.h5"; }

  std::string refusal() const {
    try {
      CheckpointReader const reader(path());
    } catch (BadInput const& error) {
      return error.what();
    }
    return "";
  }

  test::TemporaryFolder folder_;
  std::vector<double> remembered_{0.1, std::numeric_limits<double>::quiet_NaN(), -0.0};
  std::vector<double> numbers_{1.0 / 3, std::numeric_limits<double>::infinity()};
  std::vector<float> fractions_{0.1F, 0.2F, 0.3F};
};

TEST_F(Checkpoint, KeepsBlocksArraysAndText) {
  write();
  CheckpointReader const reader(path());
  EXPECT_EQ(reader.text(), (Json{{"step", 7}, {"name", "\u03bd"}}));
  std::vector<std::byte> found(12);
  reader.read_block(2, found);
  EXPECT_EQ(found, bytes(12, 1));
  found.resize(8);
  reader.read_block(0, found);
  EXPECT_EQ(found, bytes(8, 100));
  auto const remembered = reader.remembered(0);
  ASSERT_EQ(remembered.size(), 3U);
  EXPECT_EQ(remembered[0], 0.1);
  EXPECT_TRUE(std::isnan(remembered[1]));
  EXPECT_TRUE(std::signbit(remembered[2]));
  EXPECT_TRUE(reader.remembered(2).empty());
  EXPECT_EQ(reader.doubles("numbers"), numbers_);
  EXPECT_EQ(reader.floats("fractions"), fractions_);
  EXPECT_TRUE(reader.floats("nothing").empty());
  EXPECT_TRUE(reader.doubles("not there").empty());
}

TEST_F(Checkpoint, IsTheOneBeforeUntilTheNextIsComplete) {
  write();
  {
    CheckpointWriter writer(path(), Precision::double_precision, 5, 3);
    writer.add_block(2, bytes(24, 1), {});
  }
  EXPECT_EQ(CheckpointReader(path()).text()["step"], 7);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_.path()), {}), 1);
}

TEST_F(Checkpoint, RefusesBlocksOfOtherSizes) {
  write();
  CheckpointReader const reader(path());
  std::vector<std::byte> room(16);
  EXPECT_THROW(reader.read_block(0, room), BadInput);
  EXPECT_THROW(reader.read_block(1, room), BadInput);
  EXPECT_THROW(reader.read_block(3, room), BadInput);
}

TEST_F(Checkpoint, RefusesWhatIsNone) {
  std::ofstream(path()) << "no checkpoint";
  EXPECT_EQ(refusal(),
            path().string() + ": no complete HDF5 file: expected a checkpoint of this flow");
  write();
  std::filesystem::resize_file(path(), std::filesystem::file_size(path()) - 1);
  EXPECT_NE(refusal(), "");
}

TEST_F(Checkpoint, SaysThatTheDiskDoesNotTakeIt) {
  EXPECT_THROW(CheckpointWriter(folder_.path() / "no" / "folder.h5", Precision::half_storage, 5, 3),
               EnvironmentError);
}

}  // namespace
}  // namespace tessera

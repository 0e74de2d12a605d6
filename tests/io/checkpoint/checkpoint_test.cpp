// SPDX-License-Identifier: MIT
#include "io/checkpoint/checkpoint.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "base/errors.hpp"
#include "io/checkpoint/checkpoint_seal.hpp"
#include "io/hdf5_handle.hpp"
#include "io/json.hpp"
#include "tests/io/files.hpp"

namespace tessera {
namespace {

std::vector<std::byte> bytes(std::size_t count, int first) {
  std::vector<std::byte> values;
  values.reserve(count);
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

  /// Reads all that is in it; nothing if it is taken.
  std::string refusal() const {
    try {
      CheckpointReader const reader(path());
      std::vector<std::byte> found(12);
      reader.read_block(2, found);
      found.resize(8);
      reader.read_block(0, found);
      for (std::int32_t block = 0; block < 3; ++block) static_cast<void>(reader.remembered(block));
      for (char const* name : {"numbers", "fractions", "nothing"}) {
        static_cast<void>(reader.doubles(name == std::string("numbers") ? name : "none"));
        static_cast<void>(reader.floats(name == std::string("numbers") ? "none" : name));
      }
    } catch (BadInput const& error) {
      return error.what();
    }
    return "";
  }

  std::string content() const {
    std::ifstream file(path(), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  void replace(std::string const& content) const {
    std::ofstream(path(), std::ios::binary) << content;
  }

  /// Overwrites a whole data set, and seals the file as if it had been written so.
  template <class Value>
  void falsify(std::string const& name, hid_t type, std::vector<Value> const& values) const {
    {
      Hdf5Handle const file{H5Fopen(path().c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose, "open"};
      Hdf5Handle const set{H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose, "open"};
      hdf5_checked(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), "write");
    }
    seal_checkpoint(path());
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
  std::string const named = path().string() + ": ";
  EXPECT_EQ(refusal(), named + "no file: expected a checkpoint");
  replace("no checkpoint");
  EXPECT_EQ(refusal(), named + "no checkpoint, or its beginning is damaged");
  replace("");
  EXPECT_EQ(refusal(), named + "no checkpoint, or its beginning is damaged");
  std::filesystem::remove(path());
  std::filesystem::create_directory(path());
  EXPECT_EQ(refusal(), named + "no file: expected a checkpoint");
}

TEST_F(Checkpoint, RefusesOtherVersionsByTheirNumber) {
  write();
  std::string const whole = content();
  std::string next = whole;
  next[next.find("version 2") + 8] = '3';
  replace(next);
  EXPECT_EQ(refusal(), path().string() + ": of version 3: expected a checkpoint of version 2");
  replace(whole.substr(seal_bytes));  // the first version had nothing before what HDF5 writes
  EXPECT_EQ(refusal(), path().string() +
                           ": of version 1, or no checkpoint: expected a checkpoint of version 2");
}

TEST_F(Checkpoint, RefusesAFileThatIsCutOffAnywhereOrGoesOn) {
  write();
  std::string const whole = content();
  for (std::size_t kept = 0; kept < whole.size(); kept += kept < 600 ? 1 : 97) {
    replace(whole.substr(0, kept));
    ASSERT_NE(refusal(), "") << kept << " bytes of " << whole.size();
  }
  replace(whole + '\0');
  EXPECT_NE(refusal(), "");
  replace(whole);
  EXPECT_EQ(refusal(), "");
}

TEST_F(Checkpoint, RefusesAnyFlippedBit) {
  write();
  std::string const whole = content();
  std::mt19937 random(2024);
  auto const trial = [&](std::size_t place, unsigned bit) {
    std::string damaged = whole;
    damaged[place] = static_cast<char>(static_cast<unsigned char>(damaged[place]) ^ (1U << bit));
    replace(damaged);
    ASSERT_NE(refusal(), "") << "bit " << bit << " of byte " << place;
  };
  for (std::size_t place = 0; place < seal_bytes; ++place) trial(place, random() % 8);
  for (int i = 0; i < 600; ++i) trial(random() % whole.size(), random() % 8);
}

TEST_F(Checkpoint, RefusesZeroedAndOverwrittenSectors) {
  write();
  std::string const whole = content();
  std::mt19937 random(2025);
  int trials = 0;
  while (trials < 300) {
    std::size_t const length = std::size_t{16} << random() % 6;
    std::size_t const place = random() % (whole.size() / 16) * 16;
    std::string damaged = whole;
    bool const zeroed = random() % 2 == 0;
    for (std::size_t i = place; i < std::min(place + length, whole.size()); ++i)
      damaged[i] = zeroed ? '\0' : static_cast<char>(random());
    if (damaged == whole) continue;
    replace(damaged);
    ASSERT_NE(refusal(), "") << length << " bytes at " << place;
    ++trials;
  }
}

TEST_F(Checkpoint, RefusesIndicesThatLeadOutsideEvenIfTheyWereWrittenSo) {
  using Whole = std::vector<std::int64_t>;
  constexpr std::int64_t huge = std::numeric_limits<std::int64_t>::max();
  for (char const* name :
       {"populations-begin", "populations-count", "remembered-begin", "remembered-count"}) {
    for (Whole const& values : {Whole{-1, 0, 0}, Whole{0, 0, 6}, Whole{0, huge, 0},
                                Whole{huge, 0, 0}, Whole{0, 0, -huge - 1}}) {
      write();
      falsify(name, H5T_STD_I64LE, values);
      EXPECT_NE(refusal(), "") << name;
    }
  }
  write();
  falsify("text", H5T_STD_U8LE, std::vector<char>(content().size(), '['));
  EXPECT_NE(refusal().find("'text' is no JSON object"), std::string::npos);
}

TEST_F(Checkpoint, IsReadableForOtherProgramsOfHdf5) {
  write();
  EXPECT_GT(H5Fis_hdf5(path().c_str()), 0);
  EXPECT_TRUE(content().starts_with("Tessera checkpoint\nversion 2\nbytes "));
}

/// The populations are summed while they are written, the rest when the file is there.
TEST_F(Checkpoint, HasTheChecksumOfItsBytes) {
  CheckpointWriter writer(path(), Precision::double_precision, 100'000, 2);
  writer.add_block(1, bytes(560'000, 3), {});
  writer.add_block(0, bytes(160'000, 5), {});  // fewer than there is room for
  writer.commit(Json::object());
  std::string const whole = content();
  Checksum sum;
  sum.add(std::as_bytes(std::span(whole)).subspan(seal_bytes));
  EXPECT_NE(whole.find(fmt::format("\ncrc32 {:08x}\n", sum.value())), std::string::npos);
}

/// What one of several writers has written, from a value on.
WrittenBlocks written_by(CheckpointPlace const& place, std::int64_t value,
                         std::vector<std::pair<std::int32_t, std::vector<std::byte>>> const& blocks,
                         std::span<double const> remembered) {
  CheckpointPart part(place, value, sizeof(double));
  for (auto const& [block, populations] : blocks) part.add_block(block, populations, remembered);
  return part.finish();
}

TEST_F(Checkpoint, IsTheSameByteByByteIfSeveralWriteItsParts) {
  {
    CheckpointWriter writer(path(), Precision::double_precision, 100, 4);
    writer.add_block(2, bytes(160, 1), remembered_);
    writer.add_block(0, bytes(80, 50), remembered_);
    writer.add_block(3, bytes(560, 90), numbers_);
    writer.commit({{"step", 7}});
  }
  std::string const by_one = content();
  CheckpointWriter writer(path(), Precision::double_precision, 100, 4);
  CheckpointPlace const place = writer.place();
  ASSERT_TRUE(can_write_to(place.file));
  // In any order.
  auto const second = written_by(place, 30, {{3, bytes(560, 90)}}, numbers_);
  auto const first = written_by(place, 0, {{2, bytes(160, 1)}, {0, bytes(80, 50)}}, remembered_);
  writer.add_written(first);
  writer.add_written(second);
  writer.commit({{"step", 7}});
  EXPECT_EQ(content(), by_one);
  std::vector<std::byte> found(560);
  CheckpointReader(path()).read_block(3, found);
  EXPECT_EQ(found, bytes(560, 90));
}

TEST_F(Checkpoint, IsWrittenByOthersOnlyIfTheySeeTheSameFile) {
  CheckpointWriter writer(path(), Precision::double_precision, 5, 3);
  CheckpointPlace place = writer.place();
  EXPECT_TRUE(can_write_to(place.file));
  ++place.file.mark;
  EXPECT_FALSE(can_write_to(place.file)) << "one of the same name";
  place.file.path = folder_.path() / "elsewhere";
  EXPECT_FALSE(can_write_to(place.file));
}

TEST(Checksum, IsCrc32) {
  // The check value of CRC-32/ISO-HDLC in the catalogue of parametrised CRC algorithms.
  std::string const digits = "123456789";
  Checksum whole;
  whole.add(std::as_bytes(std::span(digits)));
  EXPECT_EQ(whole.value(), 0xCBF43926U);
  Checksum first;
  first.add(std::as_bytes(std::span(digits)).first(4));
  Checksum second;
  second.add(std::as_bytes(std::span(digits)).subspan(4));
  first.add(second);
  EXPECT_EQ(first.value(), whole.value());
  EXPECT_EQ(first.bytes(), 9U);
}

TEST_F(Checkpoint, SaysThatTheDiskDoesNotTakeIt) {
  EXPECT_THROW(CheckpointWriter(folder_.path() / "no" / "folder.h5", Precision::half_storage, 5, 3),
               EnvironmentError);
}

}  // namespace
}  // namespace tessera

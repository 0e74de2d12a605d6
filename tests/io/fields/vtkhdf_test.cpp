// SPDX-License-Identifier: MIT
#include "io/fields/vtkhdf.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/errors.hpp"
#include "io/fields/bricks.hpp"
#include "io/hdf5_handle.hpp"
#include "io/shared_file.hpp"
#include "tests/io/files.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

class Vtkhdf : public testing::Test {
 protected:
  test::TemporaryFolder folder_;
  fs::path path_ = folder_ / "fields.hdf";
};

Hdf5Handle open_file(fs::path const& path) {
  return {H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose, "open the file"};
}

Hdf5Handle open_dataset(hid_t file, std::string const& name) {
  return {H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose, "open a data set"};
}

std::vector<hsize_t> extents_of(hid_t dataset) {
  Hdf5Handle const space{H5Dget_space(dataset), H5Sclose, "get the space"};
  std::vector<hsize_t> extents(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space)));
  H5Sget_simple_extent_dims(space, extents.data(), nullptr);
  return extents;
}

template <typename Value>
std::vector<Value> read_values(hid_t dataset, hid_t memory_type) {
  Hdf5Handle const space{H5Dget_space(dataset), H5Sclose, "get the space"};
  std::vector<Value> values(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
  hdf5_checked(H5Dread(dataset, memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
               "read a data set");
  return values;
}

template <typename Value>
std::vector<Value> read_attribute(hid_t file, char const* name, hid_t memory_type) {
  Hdf5Handle const attribute{H5Aopen_by_name(file, "VTKHDF", name, H5P_DEFAULT, H5P_DEFAULT),
                             H5Aclose, "open an attribute"};
  Hdf5Handle const space{H5Aget_space(attribute), H5Sclose, "get the space"};
  std::vector<Value> values(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
  hdf5_checked(H5Aread(attribute, memory_type, values.data()), "read an attribute");
  return values;
}

std::vector<float> counted(std::size_t count) {
  std::vector<float> values(count);
  std::iota(values.begin(), values.end(), 0.0F);
  return values;
}

TEST_F(Vtkhdf, DescribesTheGridOfVoxelCentres) {
  write_vtkhdf(path_, {5, 4, 3}, 2.0e-6, {});
  Hdf5Handle const file = open_file(path_);
  EXPECT_EQ(read_attribute<std::int64_t>(file, "Version", H5T_NATIVE_INT64),
            (std::vector<std::int64_t>{1, 0}));
  EXPECT_EQ(read_attribute<std::int64_t>(file, "WholeExtent", H5T_NATIVE_INT64),
            (std::vector<std::int64_t>{0, 4, 0, 3, 0, 2}));
  EXPECT_EQ(read_attribute<double>(file, "Origin", H5T_NATIVE_DOUBLE),
            (std::vector<double>{1.0e-6, 1.0e-6, 1.0e-6}));
  EXPECT_EQ(read_attribute<double>(file, "Spacing", H5T_NATIVE_DOUBLE),
            (std::vector<double>{2.0e-6, 2.0e-6, 2.0e-6}));
  EXPECT_EQ(read_attribute<double>(file, "Direction", H5T_NATIVE_DOUBLE),
            (std::vector<double>{1, 0, 0, 0, 1, 0, 0, 0, 1}));
}

TEST_F(Vtkhdf, SaysImageDataInFixedLengthAscii) {
  write_vtkhdf(path_, {5, 4, 3}, 1, {});
  Hdf5Handle const file = open_file(path_);
  Hdf5Handle const attribute{H5Aopen_by_name(file, "VTKHDF", "Type", H5P_DEFAULT, H5P_DEFAULT),
                             H5Aclose, "open an attribute"};
  Hdf5Handle const type{H5Aget_type(attribute), H5Tclose, "get the type"};
  EXPECT_EQ(H5Tis_variable_str(type), 0);
  EXPECT_EQ(H5Tget_cset(type), H5T_CSET_ASCII);
  ASSERT_EQ(H5Tget_size(type), 9U);
  std::string text(9, '?');
  hdf5_checked(H5Aread(attribute, type, text.data()), "read an attribute");
  EXPECT_EQ(text, "ImageData");
}

TEST_F(Vtkhdf, KeepsTypesComponentsAndOrderOfTheValues) {
  Int3 const shape{4, 3, 2};
  std::vector<float> const velocity = counted(72);
  std::vector<std::uint8_t> const pore(24, 1);
  std::vector<std::int32_t> const tile(24, -7);
  std::vector<Field> const fields{{"velocity", 3, std::span{velocity}},
                                  {"pore", 1, std::span{pore}},
                                  {"tile", 1, std::span{tile}}};
  write_vtkhdf(path_, shape, 1, fields);
  Hdf5Handle const file = open_file(path_);
  Hdf5Handle const vectors = open_dataset(file, "VTKHDF/PointData/velocity");
  EXPECT_EQ(extents_of(vectors), (std::vector<hsize_t>{2, 3, 4, 3}));
  EXPECT_EQ(read_values<float>(vectors, H5T_NATIVE_FLOAT), velocity);
  Hdf5Handle const flags = open_dataset(file, "VTKHDF/PointData/pore");
  EXPECT_EQ(extents_of(flags), (std::vector<hsize_t>{2, 3, 4}));
  EXPECT_EQ(read_values<std::uint8_t>(flags, H5T_NATIVE_UINT8), pore);
  EXPECT_EQ(H5Dget_storage_size(flags), 24U);
  EXPECT_EQ(
      read_values<std::int32_t>(open_dataset(file, "VTKHDF/PointData/tile"), H5T_NATIVE_INT32),
      tile);
}

TEST_F(Vtkhdf, CompressesLargeFieldsWithoutLoss) {
  Int3 const shape{70, 65, 66};
  std::vector<float> density = counted(static_cast<std::size_t>(volume(shape)));
  std::vector<Field> const fields{{"density", 1, std::span<float const>{density}}};
  write_vtkhdf(path_, shape, 1, fields);
  Hdf5Handle const file = open_file(path_);
  Hdf5Handle const dataset = open_dataset(file, "VTKHDF/PointData/density");
  EXPECT_LT(H5Dget_storage_size(dataset), density.size() * sizeof(float) / 2);
  EXPECT_EQ(read_values<float>(dataset, H5T_NATIVE_FLOAT), density);
}

TEST_F(Vtkhdf, IsTheSameByteByByteIfOthersWriteItsBricks) {
  Int3 const shape{70, 65, 150};
  std::vector<float> const velocity = counted(3 * static_cast<std::size_t>(volume(shape)));
  std::vector<std::uint8_t> const solid(static_cast<std::size_t>(volume(shape)), 1);
  std::vector<Field> const fields{{"velocity", 3, std::span{velocity}},
                                  {"solid", 1, std::span{solid}}};
  write_vtkhdf(path_, shape, 1, fields);
  Bricks const bricks(shape);
  ASSERT_EQ(bricks.count(), 2 * 2 * 3);
  // Each with its own voxels alone.
  std::vector<std::vector<std::vector<std::byte>>> packed(2);
  BrickBytes sizes(2);
  for (std::int64_t b = 0; b < bricks.count(); ++b) {
    Int3 const from = bricks.lower(b);
    Int3 const size = bricks.extents(b);
    std::vector<float> own;
    for (std::int64_t z = 0; z < size.z; ++z) {
      for (std::int64_t y = 0; y < size.y; ++y) {
        auto const row = 3 * static_cast<std::ptrdiff_t>(linear_index(shape, from + Int3{0, y, z}));
        own.insert(own.end(), velocity.begin() + row, velocity.begin() + row + 3 * size.x);
      }
    }
    packed[0].push_back(packed_brick(shape, size, {"velocity", 3, std::span<float const>(own)}, 0));
    packed[1].push_back(packed_brick(shape, size, fields[1], bricks.voxels_before(b)));
    for (std::size_t f = 0; f < 2; ++f)
      sizes[f].push_back(static_cast<std::int64_t>(packed[f].back().size()));
  }
  std::vector<Field> const empty{{"velocity", 3, std::span<float const>()},
                                 {"solid", 1, std::span<std::uint8_t const>()}};
  fs::path const other = folder_ / "bricks.hdf";
  BrickPlaces const places = lay_out_vtkhdf(other, shape, 1, empty, sizes);
  SharedFile file(other);
  for (std::size_t f : {1U, 0U}) {
    for (std::size_t b = packed[f].size(); b-- > 0;) file.write(places[f][b], packed[f][b]);
  }
  file.finish();
  EXPECT_TRUE(test::read_bytes(other) == test::read_bytes(path_));
}

TEST(Bricks, CountVoxelsThrough) {
  Int3 const shape{130, 64, 70};
  Bricks const bricks(shape);
  std::vector<int> visits(static_cast<std::size_t>(volume(shape)));
  for (std::int64_t z = 0; z < shape.z; ++z) {
    for (std::int64_t y = 0; y < shape.y; ++y) {
      for (std::int64_t x = 0; x < shape.x; ++x)
        ++visits[static_cast<std::size_t>(bricks.place_of({x, y, z}))];
    }
  }
  EXPECT_EQ(std::ranges::count(visits, 1), volume(shape));
  std::int64_t before = 0;
  for (std::int64_t b = 0; b < bricks.count(); before += volume(bricks.extents(b++)))
    EXPECT_EQ(bricks.voxels_before(b), before);
  EXPECT_EQ(bricks.voxels_before(bricks.count()), volume(shape));
}

TEST_F(Vtkhdf, GivesAnAxisOfOneVoxelTwoPointsOnItsFaces) {
  std::vector<float> const values{1, 2, 3};
  std::vector<Field> const fields{{"density", 1, std::span{values}}};
  write_vtkhdf(path_, {3, 1, 1}, 2, fields);
  Hdf5Handle const file = open_file(path_);
  EXPECT_EQ(read_attribute<std::int64_t>(file, "WholeExtent", H5T_NATIVE_INT64),
            (std::vector<std::int64_t>{0, 2, 0, 1, 0, 1}));
  EXPECT_EQ(read_attribute<double>(file, "Origin", H5T_NATIVE_DOUBLE),
            (std::vector<double>{1, 0, 0}));
  EXPECT_EQ(read_values<float>(open_dataset(file, "VTKHDF/PointData/density"), H5T_NATIVE_FLOAT),
            (std::vector<float>{1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3}));
}

TEST_F(Vtkhdf, RefusesAFieldThatDoesNotFitTheShape) {
  std::vector<float> const values(10);
  std::vector<Field> const fields{{"density", 1, std::span{values}}};
  EXPECT_THROW(write_vtkhdf(path_, {3, 3, 1}, 1, fields), std::invalid_argument);
  EXPECT_TRUE(folder_.names().empty());
}

TEST_F(Vtkhdf, NamesTheFolderThatIsMissing) {
  std::string const message = test::message_of<EnvironmentError>([&] {
    write_vtkhdf(folder_ / "none/fields.hdf", {1, 1, 1}, 1, {});
  });
  EXPECT_NE(message.find("none"), std::string::npos) << message;
  EXPECT_EQ(message.find('\n'), std::string::npos) << message;
}

/// Stands for a full disk: files of this process cannot grow beyond 100 kB. Exits with 0 if that
/// was reported in one line and left only the older file behind.
[[noreturn]] void write_more_than_fits(fs::path const& path) {
  rlimit const limit{100'000, RLIM_INFINITY};
  std::signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &limit);
  std::vector<float> const values(200'000, 1.5F);
  std::vector<float> noise(200'000);
  std::uint32_t state = 1;
  for (float& value : noise) value = static_cast<float>(state = state * 1664525U + 1013904223U);
  std::vector<Field> const fields{{"smooth", 1, std::span{values}},
                                  {"noise", 1, std::span<float const>{noise}}};
  try {
    write_vtkhdf(path, {100, 100, 20}, 1, fields);
  } catch (EnvironmentError const& error) {
    std::string const message = error.what();
    bool const one_line = message.find('\n') == std::string::npos;
    bool const says_why = message.find("File too large") != std::string::npos;
    auto const files = std::distance(fs::directory_iterator(path.parent_path()), {});
    rlimit const none{RLIM_INFINITY, RLIM_INFINITY};  // what else the process writes when it ends
    setrlimit(RLIMIT_FSIZE, &none);
    std::fprintf(stderr, "%s; %td files\n", message.c_str(), files);
    std::exit(one_line && says_why && files == 1 && fs::file_size(path) == 3 ? 0 : 1);
  }
  std::exit(2);
}

TEST_F(Vtkhdf, LeavesTheOlderFileAloneWhenTheDiskIsFull) {
  // In a process of its own from the start: threads that other tests have started (TBB's) would not
  // be there in a fork.
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  folder_.write("fields.hdf", "old");
  EXPECT_EXIT(write_more_than_fits(path_), testing::ExitedWithCode(0), "File too large");
}

}  // namespace
}  // namespace tessera

// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <zip.h>

#include <bit>
#include <string>
#include <utility>
#include <vector>

#include "io/images/image.hpp"
#include "tests/io/files.hpp"

namespace tessera {
namespace {

using test::Bytes;
using test::TemporaryFolder;

/// An array file of the given version; `descr` such as "'<u1'".
std::string npy(int version, std::string const& descr, bool fortran, std::string const& shape,
                std::string const& data) {
  std::string const dictionary =
      fmt::format("{{'descr': {}, 'fortran_order': {}, 'shape': {}, }}\n", descr,
                  fortran ? "True" : "False", shape);
  Bytes file(false);
  file.text("\x93NUMPY").number(static_cast<unsigned>(version), 1).number(0, 1);
  file.number(dictionary.size(), version == 1 ? 2 : 4).text(dictionary).text(data);
  return file.str();
}

void write_zip(std::filesystem::path const& path,
               std::vector<std::pair<std::string, std::string>> const& entries) {
  int error = 0;
  zip_t* const archive = zip_open(path.c_str(), ZIP_CREATE | ZIP_TRUNCATE, &error);
  ASSERT_NE(archive, nullptr);
  for (auto const& [name, content] : entries) {
    zip_file_add(archive, name.c_str(),
                 zip_source_buffer(archive, content.data(), content.size(), 0), ZIP_FL_OVERWRITE);
  }
  ASSERT_EQ(zip_close(archive), 0);
}

std::string npy_voxels(Image const& image) {
  auto const& voxels = std::get<std::vector<std::uint8_t>>(image.voxels);
  return {voxels.begin(), voxels.end()};
}

TEST(NpyImage, HasTheXOfItsLastIndexInEveryVersion) {
  TemporaryFolder const folder;
  for (int const version : {1, 2, 3}) {
    Image const image =
        read_image(folder.write("a.npy", npy(version, "'|u1'", false, "(1, 2, 3)", "abcdef")), {});
    EXPECT_EQ(image.shape, (Int3{3, 2, 1}));
    EXPECT_EQ(npy_voxels(image), "abcdef");
    EXPECT_EQ(image.format, "NumPy uint8");
  }
}

TEST(NpyImage, InFortranOrderIsTheSameImage) {
  TemporaryFolder const folder;
  // im[z, y, x] with extents 2, 1, 3: in Fortran order z is fastest, so "adbecf" holds "abcdef".
  Image const image =
      read_image(folder.write("a.npy", npy(1, "'|u1'", true, "(2, 1, 3)", "adbecf")), {});
  EXPECT_EQ(image.shape, (Int3{3, 1, 2}));
  EXPECT_EQ(npy_voxels(image), "abcdef");
}

TEST(NpyImage, ReadsEveryTypeInBothByteOrders) {
  TemporaryFolder const folder;
  for (bool const big : {false, true}) {
    auto const read = [&](std::string const& type, int bytes, unsigned long long bits) {
      std::string const data = Bytes(big).number(0, bytes).number(bits, bytes).str();
      std::string const descr = fmt::format("'{}{}'", bytes == 1 ? "|" : big ? ">" : "<", type);
      return read_image(folder.write("a.npy", npy(1, descr, false, "(1, 1, 2)", data)), {}).voxels;
    };
    EXPECT_EQ(std::get<std::vector<std::uint8_t>>(read("b1", 1, 1))[1], 1);
    EXPECT_EQ(std::get<std::vector<std::uint8_t>>(read("u1", 1, 200))[1], 200);
    EXPECT_EQ(std::get<std::vector<std::int8_t>>(read("i1", 1, 0xfe))[1], -2);
    EXPECT_EQ(std::get<std::vector<std::uint16_t>>(read("u2", 2, 0x1234))[1], 0x1234);
    EXPECT_EQ(std::get<std::vector<std::int16_t>>(read("i2", 2, 0xfffe))[1], -2);
    EXPECT_EQ(std::get<std::vector<std::uint32_t>>(read("u4", 4, 0xfffffffe))[1], 0xfffffffe);
    EXPECT_EQ(std::get<std::vector<std::int32_t>>(read("i4", 4, 0xfffffffe))[1], -2);
    EXPECT_EQ(std::get<std::vector<float>>(read("f4", 4, 0x3fc00000))[1], 1.5F);
    EXPECT_EQ(std::get<std::vector<double>>(read("f8", 8, 0x3ff8000000000000))[1], 1.5);
    EXPECT_EQ(std::get<std::vector<std::int32_t>>(read("i8", 8, 0xfffffffffffffffe))[1], -2);
    EXPECT_EQ(std::get<std::vector<std::uint32_t>>(read("u8", 8, 0xfffffffe))[1], 0xfffffffe);
    EXPECT_BAD_INPUT(read("i8", 8, 0x80000000),
                     "the value 2147483648 of voxel 1 does not fit in 32 bits");
    EXPECT_BAD_INPUT(read("u8", 8, 0x100000000),
                     "the value 4294967296 of voxel 1 does not fit in 32 bits");
  }
}

TEST(NpyImage, ReadsHalfPrecisionAsSingle) {
  TemporaryFolder const folder;
  for (bool const big : {false, true}) {
    std::string const values = test::Bytes(big).number(0x3e00, 2).number(0xc001, 2).str();
    auto const path =
        folder.write("a.npy", npy(1, big ? "'>f2'" : "'<f2'", false, "(1, 1, 2)", values));
    EXPECT_EQ(std::get<std::vector<float>>(read_image(path, {}).voxels),
              (std::vector<float>{1.5F, -2.001953125F}));
  }
}

TEST(NpyImage, LeavesOutAxesOfOneValue) {
  TemporaryFolder const folder;
  for (char const* const shape : {"(1, 2, 1, 3)", "(1, 1, 2, 1, 3)"}) {
    Image const image =
        read_image(folder.write("a.npy", npy(1, "'|u1'", false, shape, "abcdef")), {});
    EXPECT_EQ(image.shape, (Int3{3, 1, 2})) << shape;
    EXPECT_EQ(npy_voxels(image), "abcdef");
  }
}

TEST(NpyImage, RefusesAnOrderThatIsNoTruthValue) {
  TemporaryFolder const folder;
  std::string bytes = npy(1, "'|u1'", true, "(1, 2, 3)", "abcdef");
  bytes.replace(bytes.find("True"), 4, "Urue");
  EXPECT_BAD_INPUT(read_image(folder.write("a.npy", bytes), {}), "not a NumPy header");
}

TEST(NpyImage, RefusesWhatIsNoVolume) {
  TemporaryFolder const folder;
  auto const read = [&](std::string const& bytes) {
    return read_image(folder.write("a.npy", bytes), {});
  };
  EXPECT_BAD_INPUT(read(npy(1, "'|u1'", false, "(2, 3)", "abcdef")),
                   "an array of 2 dimensions, 3 were expected");
  EXPECT_BAD_INPUT(read(npy(1, "'|u1'", false, "(0, 3, 3)", "")), "not the shape of an image");
  EXPECT_BAD_INPUT(read(npy(1, "'<c8'", false, "(1, 1, 1)", "abcdefgh")),
                   "elements of NumPy type '<c8'");
  EXPECT_BAD_INPUT(read(npy(1, "'|u1'", false, "(2, 2, 2, 2)", "abcdefghabcdefgh")),
                   "an array of 4 dimensions, 3 were expected");
  EXPECT_BAD_INPUT(read(npy(1, "[('r', '|u1')]", false, "(1, 1, 1)", "a")), "not a NumPy header");
  EXPECT_BAD_INPUT(read(npy(4, "'|u1'", false, "(1, 1, 1)", "a")), "NumPy format version 4");
}

TEST(NpyImage, OfAnotherSizeIsRefusedWithBothSizes) {
  TemporaryFolder const folder;
  auto const read = [&](std::string const& bytes) {
    return read_image(folder.write("a.npy", bytes), {});
  };
  EXPECT_BAD_INPUT(read(npy(1, "'<u2'", false, "(1, 1, 4)", "abcdefg")), "a.npy is truncated: ");
  EXPECT_BAD_INPUT(read(npy(1, "'<u2'", false, "(1, 1, 4)", "abcdefghi")), "a.npy is oversized: ");
  EXPECT_BAD_INPUT(read(npy(1, "'<u2'", false, "(1, 1, 4)", "abcdefg").substr(0, 40)),
                   "truncated NumPy file");
}

TEST(NpyImage, ChecksAGivenShape) {
  TemporaryFolder const folder;
  ReadOptions options;
  options.shape = Int3{1, 2, 3};
  auto const path = folder.write("a.npy", npy(1, "'|u1'", false, "(1, 2, 3)", "abcdef"));
  EXPECT_BAD_INPUT(read_image(path, options), "its shape is 3 x 2 x 1, but 1 x 2 x 3 was given");
}

TEST(NpzImage, HoldsOneArrayOrOneNamedIm) {
  TemporaryFolder const folder;
  std::string const first = npy(1, "'|u1'", false, "(1, 1, 2)", "ab");
  std::string const second = npy(1, "'|u1'", false, "(1, 1, 2)", "cd");
  write_zip(folder / "a.npz", {{"rock.npy", first}, {"readme.txt", "hello"}});
  EXPECT_EQ(npy_voxels(read_image(folder / "a.npz", {})), "ab");
  write_zip(folder / "b.npz", {{"rock.npy", first}, {"im.npy", second}});
  EXPECT_EQ(npy_voxels(read_image(folder / "b.npz", {})), "cd");
  write_zip(folder / "c.npz", {{"rock.npy", first}, {"porosity.npy", second}});
  EXPECT_BAD_INPUT(read_image(folder / "c.npz", {}), "but it holds rock, porosity");
  write_zip(folder / "d.zip", {{"rock.tif", "II*"}});
  EXPECT_BAD_INPUT(read_image(folder / "d.zip", {}),
                   "a zip archive without NumPy arrays; unpack it first");
}

TEST(NpzImage, TruncatedOrDamagedIsRefused) {
  TemporaryFolder const folder;
  std::string const array = npy(1, "'|u1'", false, "(1, 1, 200)", std::string(200, 'a'));
  write_zip(folder / "a.npz", {{"im.npy", array}});
  std::string bytes = test::read_bytes(folder / "a.npz");
  EXPECT_BAD_INPUT(read_image(folder.write("b.npz", bytes.substr(0, bytes.size() / 2)), {}),
                   "not a readable zip archive");
  std::string renamed = bytes;
  renamed[renamed.rfind("im.npy")] = 'a';
  EXPECT_BAD_INPUT(read_image(folder.write("d.npz", renamed), {}), "not a readable zip archive");
  bytes[60] = static_cast<char>(bytes[60] ^ 0x20);
  EXPECT_BAD_INPUT(read_image(folder.write("c.npz", bytes), {}), "c.npz");
}

}  // namespace
}  // namespace tessera

// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <zlib.h>

#include <string>

#include "io/images/image.hpp"
#include "tests/io/files.hpp"

namespace tessera {
namespace {

using test::Bytes;
using test::TemporaryFolder;

ReadOptions options_for(Int3 shape, std::string dtype = "uint8") {
  ReadOptions options;
  options.shape = shape;
  options.dtype = std::move(dtype);
  return options;
}

std::string gzip(TemporaryFolder const& folder, std::string const& bytes) {
  auto const path = folder / "packed.gz";
  gzFile const file = gzopen(path.c_str(), "wb");
  gzwrite(file, bytes.data(), static_cast<unsigned>(bytes.size()));
  gzclose(file);
  return test::read_bytes(path);
}

TEST(RawImage, HasXFastest) {
  TemporaryFolder const folder;
  Image const image = read_image(folder.write("a.raw", "abcdef"), options_for({3, 2, 1}));
  auto const& voxels = std::get<std::vector<std::uint8_t>>(image.voxels);
  EXPECT_EQ(voxels[linear_index(image.shape, {1, 0, 0})], 'b');
  EXPECT_EQ(voxels[linear_index(image.shape, {0, 1, 0})], 'd');
  EXPECT_EQ(image.format, "raw uint8");
}

TEST(RawImage, ReadsEveryTypeInBothByteOrders) {
  TemporaryFolder const folder;
  for (bool const big : {false, true}) {
    std::string const suffix = big ? "-be" : "";
    auto const read = [&](unsigned long long bits, int bytes, std::string const& dtype) {
      auto const path =
          folder.write("a.raw", Bytes(big).number(7, bytes).number(bits, bytes).str());
      return read_image(path, options_for({2, 1, 1}, dtype + suffix)).voxels;
    };
    EXPECT_EQ(std::get<std::vector<std::uint8_t>>(read(200, 1, "uint8")),
              (std::vector<std::uint8_t>{7, 200}));
    EXPECT_EQ(std::get<std::vector<std::int8_t>>(read(0xfe, 1, "int8")),
              (std::vector<std::int8_t>{7, -2}));
    EXPECT_EQ(std::get<std::vector<std::uint16_t>>(read(0x1234, 2, "uint16")),
              (std::vector<std::uint16_t>{7, 0x1234}));
    EXPECT_EQ(std::get<std::vector<std::int16_t>>(read(0xfffe, 2, "int16")),
              (std::vector<std::int16_t>{7, -2}));
    EXPECT_EQ(std::get<std::vector<std::uint32_t>>(read(0x12345678, 4, "uint32")),
              (std::vector<std::uint32_t>{7, 0x12345678}));
    EXPECT_EQ(std::get<std::vector<std::int32_t>>(read(0xfffffffe, 4, "int32")),
              (std::vector<std::int32_t>{7, -2}));
    EXPECT_EQ(std::get<std::vector<float>>(read(0x3fc00000, 4, "float32"))[1], 1.5F);
    EXPECT_EQ(std::get<std::vector<double>>(read(0x3ff8000000000000, 8, "float64"))[1], 1.5);
  }
}

TEST(RawImage, SkipsAHeader) {
  TemporaryFolder const folder;
  ReadOptions options = options_for({2, 1, 1});
  options.header_bytes = 3;
  // The header begins like a TIFF file, which does not matter to who asks for the bytes after it.
  Image const image = read_image(folder.write("a.raw", "II*ab"), options);
  EXPECT_EQ(std::get<std::vector<std::uint8_t>>(image.voxels),
            (std::vector<std::uint8_t>{'a', 'b'}));
}

TEST(RawImage, WithoutAShapeIsRefusedWithTheCubeThatItWouldBe) {
  TemporaryFolder const folder;
  auto const cube = folder.write("cube.raw", std::string(262144, '\1'));
  EXPECT_BAD_INPUT(read_image(cube, {}),
                   "give --shape X,Y,Z; 262144 bytes would be 64,64,64 of uint8");
  EXPECT_BAD_INPUT(read_image(folder.write("c.raw.gz", gzip(folder, std::string(27, 'x'))), {}),
                   "27 bytes would be 3,3,3 of uint8");
  EXPECT_BAD_INPUT(read_image(folder.write("b.raw", "12345"), {}),
                   "its 5 bytes are not a cube of uint8");
}

TEST(RawImage, OfAnotherSizeIsRefusedWithBothSizes) {
  TemporaryFolder const folder;
  EXPECT_BAD_INPUT(read_image(folder.write("a.raw", "1234567"), options_for({2, 2, 2})),
                   "is truncated: 7 bytes, but 2 x 2 x 2 of uint8 are 8 bytes");
  EXPECT_BAD_INPUT(read_image(folder.write("a.raw", "123456789"), options_for({2, 2, 2})),
                   "is oversized: 9 bytes, but 2 x 2 x 2 of uint8 are 8 bytes");
  EXPECT_BAD_INPUT(
      read_image(folder.write("a.raw", "12345678"), options_for({100000, 100000, 100000})),
      "not the shape of an image");
  EXPECT_BAD_INPUT(read_image(folder.write("a.raw", "12345678"), options_for({2, -2, -2})),
                   "not the shape of an image");
}

TEST(RawImage, ReadsGzippedFiles) {
  TemporaryFolder const folder;
  auto const path = folder.write("a.raw.gz", gzip(folder, "abcdefgh"));
  Image const image = read_image(path, options_for({2, 2, 2}));
  EXPECT_EQ(std::get<std::vector<std::uint8_t>>(image.voxels).back(), 'h');
  EXPECT_EQ(image.format, "gzipped raw uint8");
  ReadOptions behind_header = options_for({3, 2, 1});
  behind_header.header_bytes = 2;
  EXPECT_EQ(std::get<std::vector<std::uint8_t>>(read_image(path, behind_header).voxels).front(),
            'c');
}

TEST(RawImage, RefusesGzippedFilesOfAnotherSizeOrDamaged) {
  TemporaryFolder const folder;
  std::string packed = gzip(folder, "abcdefgh");
  auto const path = folder.write("a.raw.gz", packed);
  EXPECT_BAD_INPUT(read_image(path, options_for({3, 3, 1})),
                   "is truncated: 8 bytes unpacked, but 3 x 3 x 1");
  EXPECT_BAD_INPUT(read_image(path, options_for({2, 2, 1})), "is oversized: 8 bytes unpacked");
  EXPECT_BAD_INPUT(read_image(path, options_for({8000, 8000, 8000})),
                   "is truncated: 8 bytes unpacked");
  EXPECT_BAD_INPUT(read_image(folder.write("b.gz", packed.substr(0, packed.size() - 10)),
                              options_for({2, 2, 2})),
                   "truncated or damaged gzip data");
  packed[packed.size() - 6] = static_cast<char>(packed[packed.size() - 6] ^ 1);  // in the checksum
  EXPECT_BAD_INPUT(read_image(folder.write("c.gz", packed), options_for({2, 2, 2})),
                   "truncated or damaged gzip data");
}

TEST(RawImage, OfAnUnknownTypeIsRefused) {
  TemporaryFolder const folder;
  EXPECT_BAD_INPUT(read_image(folder.write("a.raw", "a"), options_for({1, 1, 1}, "uint7")),
                   "unknown voxel type uint7: expected uint8");
}

}  // namespace
}  // namespace tessera

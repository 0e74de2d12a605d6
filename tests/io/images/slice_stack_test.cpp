// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "io/images/image.hpp"
#include "tests/io/files.hpp"
#include "tests/io/images/packed_bytes.hpp"
#include "tests/io/images/tiff_bytes.hpp"

namespace tessera {
namespace {

using test::bmp_bytes;
using test::grey_palette;
using test::png_bytes;
using test::TemporaryFolder;
using test::tiff_bytes;

std::string slice(char value) { return tiff_bytes(false, {{2, 1, std::string(2, value), {}, ""}}); }

std::string stack_voxels(Image const& image) {
  auto const& voxels = std::get<std::vector<std::uint8_t>>(image.voxels);
  return {voxels.begin(), voxels.end()};
}

TEST(SliceStack, StandsInTheOrderOfItsNumbers) {
  TemporaryFolder const folder;
  for (int number = 1; number <= 11; ++number) {
    folder.write(fmt::format("rock_3um_{}.tif", number), slice(static_cast<char>('a' + number)));
  }
  folder.write("notes.txt", "not a slice");
  folder.write("._rock_3um_1.tif", "what a Mac leaves behind");
  Image const image = read_image(folder.path(), {});
  EXPECT_EQ(image.shape, (Int3{2, 1, 11}));
  EXPECT_EQ(stack_voxels(image), "bbccddeeffgghhiijjkkll");
  EXPECT_NE(image.format.find("11 TIFF files"), std::string::npos);
}

TEST(SliceStack, IsChosenByAPattern) {
  TemporaryFolder const folder;
  folder.write("a008.tif", slice('p'));
  folder.write("a009.tif", slice('q'));
  folder.write("a10.tif", slice('r'));
  folder.write("mask1.tif", slice('x'));
  EXPECT_EQ(stack_voxels(read_image(folder / "a*.tif", {})), "ppqqrr");
  EXPECT_BAD_INPUT(read_image(folder.path(), {}), "are not slices of one numbered sequence");
  EXPECT_BAD_INPUT(read_image(folder / "b*.tif", {}), "no TIFF, PNG, BMP or DICOM slices there");
}

TEST(SliceStack, IsReadAsFarAsACropReaches) {
  TemporaryFolder const folder;
  for (int number = 0; number < 5; ++number)
    folder.write(fmt::format("a{}.tif", number), slice(static_cast<char>('p' + number)));
  folder.write("a4.tif", slice('t').substr(0, 20));
  EXPECT_BAD_INPUT(read_image(folder.path(), {}), "a4.tif");
  ReadOptions options;
  options.crop = Crop{{1, 0, 1}, {2, 1, 3}};
  Image const image = read_image(folder.path(), options);
  EXPECT_EQ(image.shape, (Int3{1, 1, 2}));
  EXPECT_EQ(stack_voxels(image), "qr");
  EXPECT_FALSE(image.layers);
  EXPECT_EQ(image.files.size(), 5U);
  EXPECT_EQ(image.sha256.size(), 64U);
  options.layers = [](std::int64_t layers) { return LayerRange{layers - 1, layers}; };
  EXPECT_EQ(stack_voxels(read_image(folder.path(), options)), "r");
}

TEST(SliceStack, HashesTheFilesInOrder) {
  TemporaryFolder const folder;
  folder.write("s1.tif", slice('a'));
  folder.write("s2.tif", slice('b'));
  std::string const together = slice('a') + slice('b');
  auto const joined = folder.write("joined.raw", together);
  ReadOptions raw;
  raw.header_bytes = static_cast<std::int64_t>(together.size() - 1);
  raw.shape = Int3{1, 1, 1};
  EXPECT_EQ(read_image(folder.path(), {}).sha256, read_image(joined, raw).sha256);
}

TEST(SliceStack, WithAGapIsRefusedWithTheNumbersThatAreMissing) {
  TemporaryFolder const folder;
  for (int const number : {1, 2, 4}) folder.write(fmt::format("s{}.tif", number), slice('a'));
  EXPECT_BAD_INPUT(read_image(folder.path(), {}), "slice 3 is missing between");
  folder.write("s9.tif", slice('a'));
  std::filesystem::remove(folder / "s1.tif");
  std::filesystem::remove(folder / "s2.tif");
  EXPECT_BAD_INPUT(read_image(folder.path(), {}), "slices 5 to 8 are missing between");
}

TEST(SliceStack, RefusesTheSameNumberTwiceAndTwoCounters) {
  TemporaryFolder const folder;
  folder.write("s1.tif", slice('a'));
  folder.write("s01.tif", slice('a'));
  folder.write("s2.tif", slice('a'));
  EXPECT_BAD_INPUT(read_image(folder.path(), {}), "have the same number");
  TemporaryFolder const other;
  other.write("x1_y1.tif", slice('a'));
  other.write("x2_y2.tif", slice('a'));
  EXPECT_BAD_INPUT(read_image(other.path(), {}), "differ in 2 numbers of their names");
}

TEST(SliceStack, RefusesSlicesThatDifferAndSlicesOfSeveralPages) {
  TemporaryFolder const folder;
  folder.write("s1.tif", slice('a'));
  folder.write("s2.tif", tiff_bytes(false, {{1, 2, "bb", {}, ""}}));
  EXPECT_BAD_INPUT(read_image(folder.path(), {}), "s2.tif is 1 x 2");
  folder.write("s2.tif", tiff_bytes(false, {{2, 1, "bb", {}, ""}, {2, 1, "bb", {}, ""}}));
  EXPECT_BAD_INPUT(read_image(folder.path(), {}),
                   "s2.tif has 2 pages, one slice a file was expected");
  folder.write("s2.tif", "no TIFF at all");
  EXPECT_BAD_INPUT(read_image(folder.path(), {}), "s2.tif: not a readable TIFF file");
}

TEST(SliceStack, RefusesSlicesOfTwoTypes) {
  TemporaryFolder const folder;
  folder.write("s1.tif", slice('a'));
  folder.write("s2.tif", tiff_bytes(false, {{2, 1, "a", {{258, 1}}, ""}}));
  EXPECT_BAD_INPUT(read_image(folder.path(), {}),
                   "s2.tif is 2 x 1 (1 bit), but s1.tif is 2 x 1 (uint8)");
  folder.write("s2.tif", tiff_bytes(false, {{2, 1, "bb", {{262, 0}}, ""}}));
  EXPECT_BAD_INPUT(read_image(folder.path(), {}), "(uint8, white is zero), but s1.tif");
}

TEST(SliceStack, OfOmeStandsWhereItsHeadersSay) {
  TemporaryFolder const folder;
  auto const one_of_two = [](char value, int place, int slices) {
    return tiff_bytes(
        false, {{2,
                 1,
                 std::string(2, value),
                 {},
                 fmt::format("<OME><Image><Pixels SizeX=\"2\" SizeY=\"1\" SizeZ=\"{}\"><TiffData "
                             "FirstZ=\"{}\" IFD=\"0\"/></Pixels></Image></OME>",
                             slices, place)}});
  };
  folder.write("s1.tif", one_of_two('a', 0, 2));
  folder.write("s2.tif", one_of_two('b', 1, 2));
  EXPECT_EQ(stack_voxels(read_image(folder.path(), {})), "aabb");
  folder.write("s1.tif", one_of_two('a', 1, 2));
  folder.write("s2.tif", one_of_two('b', 0, 2));
  EXPECT_BAD_INPUT(read_image(folder.path(), {}), "s2.tif is slice 0 by its OME header");
  folder.write("s1.tif", one_of_two('a', 0, 1));  // saved one by one
  folder.write("s2.tif", one_of_two('b', 0, 1));
  EXPECT_EQ(stack_voxels(read_image(folder.path(), {})), "aabb");
}

TEST(SliceStack, MayBePngOfGreysInAnyForm) {
  TemporaryFolder const folder;
  folder.write("s1.png", png_bytes({3, 2, 8, 0, "abcdef", ""}));
  folder.write("s2.png", png_bytes({3, 2, 8, 3, "abcdef", grey_palette(3)}));
  folder.write("s3.png", png_bytes({3, 2, 8, 2, "aaabbbcccdddeeefff", ""}));
  Image const image = read_image(folder.path(), {});
  EXPECT_EQ(image.shape, (Int3{3, 2, 3}));
  EXPECT_EQ(stack_voxels(image), "abcdefabcdefabcdef");
  EXPECT_EQ(image.format, "3 PNG files, the first: PNG, uint8");
  Image const bits = read_image(folder.write("b.png", png_bytes({3, 2, 1, 0, "\xa0\x40", ""})), {});
  EXPECT_EQ(std::get<std::vector<std::uint8_t>>(bits.voxels),
            (std::vector<std::uint8_t>{1, 0, 1, 0, 1, 0}));
  Image const wide =
      read_image(folder.write("w.png", png_bytes({1, 2, 16, 0, "\x01\x02\x03\x04", ""})), {});
  EXPECT_EQ(std::get<std::vector<std::uint16_t>>(wide.voxels),
            (std::vector<std::uint16_t>{0x102, 0x304}));
  folder.write("b.png", png_bytes({3, 2, 8, 2, "aabbbbcccdddeeefff", ""}));
  EXPECT_BAD_INPUT(read_image(folder / "b.png", {}), "a colour (red 97, green 97, blue 98)");
  EXPECT_BAD_INPUT(read_image(folder / "s*.tif", {}), "no TIFF, PNG");
  folder.write("b.png", png_bytes({3, 2, 8, 0, "abcdef", "", std::string("\0\0\0\2\0\0\0\0", 8)}));
  EXPECT_BAD_INPUT(read_image(folder / "b.png", {}), "an animation of several pictures");
}

TEST(SliceStack, MayBeBitmaps) {
  TemporaryFolder const folder;
  std::string const eight = bmp_bytes(3, 2, 8, grey_palette(4), std::string("def\0abc\0", 8));
  folder.write("s1.bmp", eight);
  folder.write("s2.bmp",
               bmp_bytes(3, 2, 24, "", std::string("dddeeefff\0\0\0aaabbbccc\0\0\0", 24)));
  Image const image = read_image(folder.path(), {});
  EXPECT_EQ(stack_voxels(image), "abcdefabcdef");
  EXPECT_EQ(image.format, "2 BMP files, the first: BMP, uint8");
  std::string const black_and_white("\0\0\0\0\xff\xff\xff\0", 8);
  Image const bits = read_image(
      folder.write("b.bmp",
                   bmp_bytes(3, 2, 1, black_and_white, std::string("\x40\0\0\0\xa0\0\0\0", 8))),
      {});
  EXPECT_EQ(std::get<std::vector<std::uint8_t>>(bits.voxels),
            (std::vector<std::uint8_t>{255, 0, 255, 0, 255, 0}));
  EXPECT_BAD_INPUT(read_image(folder.write("c.bmp", eight.substr(0, eight.size() - 1)), {}),
                   "truncated BMP file");
  std::string narrow = eight;
  narrow[22] = 1;  // a row of two
  EXPECT_BAD_INPUT(read_image(folder.write("d.bmp", narrow), {}), "oversized BMP file");
}

TEST(SliceStack, OfTiffMayHavePicturesBesideItButNoFurtherSlices) {
  TemporaryFolder const folder;
  std::string const picture = png_bytes({2, 1, 8, 0, "zz", ""});
  folder.write("s1.tif", slice('a'));
  folder.write("s2.tif", slice('b'));
  folder.write("s1.png", picture);
  folder.write("overview.png", picture);
  EXPECT_EQ(stack_voxels(read_image(folder.path(), {})), "aabb");
  folder.write("s3.png", picture);
  EXPECT_BAD_INPUT(read_image(folder.path(), {}), "s3.png is a PNG file, and seems to be one more");
  std::filesystem::remove(folder / "s2.tif");
  EXPECT_BAD_INPUT(read_image(folder.path(), {}),
                   "holds 1 TIFF and 3 PNG files: choose with a pattern");
}

TEST(SliceStack, OfAnEmptyFolderIsRefused) {
  TemporaryFolder const folder;
  EXPECT_BAD_INPUT(read_image(folder.path(), {}), "no TIFF, PNG, BMP or DICOM slices there");
  EXPECT_BAD_INPUT(read_image(folder / "no/such/s*.tif", {}), "No such file or directory");
}

}  // namespace
}  // namespace tessera

// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "io/image.hpp"
#include "tests/io/files.hpp"
#include "tests/io/tiff_bytes.hpp"

namespace tessera {
namespace {

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
  EXPECT_BAD_INPUT(read_image(folder / "b*.tif", {}), "no TIFF or DICOM slices there");
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

TEST(SliceStack, OfAnEmptyFolderIsRefused) {
  TemporaryFolder const folder;
  EXPECT_BAD_INPUT(read_image(folder.path(), {}), "no TIFF or DICOM slices there");
  EXPECT_BAD_INPUT(read_image(folder / "no/such/s*.tif", {}), "No such file or directory");
}

}  // namespace
}  // namespace tessera

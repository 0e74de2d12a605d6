// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <string>

#include "io/images/image.hpp"
#include "tests/io/damage.hpp"
#include "tests/io/files.hpp"
#include "tests/io/images/packed.hpp"

namespace tessera {
namespace {

using test::Bytes;
using test::TemporaryFolder;

std::string const meta_voxels = test::voxels_of_60();

std::string meta(std::string const& fields, std::string const& data,
                 std::string const& type = "MET_UCHAR", std::string const& file = "LOCAL") {
  return "ObjectType = Image\nNDims = 3\nDimSize = 5 4 3\nElementType = " + type + "\n" + fields +
         "ElementDataFile = " + file + "\n" + data;
}

Image read_meta(TemporaryFolder const& folder, std::string const& content) {
  return read_image(folder.write("a.mha", content), {});
}

std::string wide(int bytes, bool big_endian) {
  Bytes values(big_endian);
  for (char const voxel : meta_voxels) values.number(static_cast<unsigned long long>(voxel), bytes);
  return values.str();
}

template <typename T>
std::string narrow(Image const& image) {
  auto const& found = std::get<std::vector<T>>(image.voxels);
  return {found.begin(), found.end()};
}

TEST(MetaImage, ThatIsDamagedIsReadWholeOrRefused) {
  std::string const head = meta("CompressedData = True\n", "");
  test::expect_whole_or_refused("a.mha", head + test::deflated(meta_voxels),
                                {.has_checksum = true, .header = head.size()});
  test::expect_whole_or_refused("b.mha", meta("", meta_voxels), {});
}

TEST(MetaImage, OfLongsHasThemAsWideAsTheyAreInIt) {
  TemporaryFolder const folder;
  std::string const packed = "CompressedData = True\n";
  for (int const bytes : {4, 8}) {
    std::string const data = wide(bytes, false);
    EXPECT_EQ(narrow<std::int32_t>(read_meta(folder, meta("", data, "MET_LONG"))), meta_voxels);
    EXPECT_EQ(
        narrow<std::int32_t>(read_meta(folder, meta(packed, test::deflated(data), "MET_LONG"))),
        meta_voxels);
  }
  EXPECT_EQ(narrow<std::int32_t>(read_meta(folder, meta("", wide(8, false), "MET_LONG_LONG"))),
            meta_voxels);
  EXPECT_EQ(narrow<std::uint32_t>(read_meta(folder, meta("", wide(8, false), "MET_ULONG_LONG"))),
            meta_voxels);
  EXPECT_BAD_INPUT(read_meta(folder, meta("", wide(8, false).substr(4), "MET_LONG")),
                   "longer than its header says");
}

TEST(MetaImage, SaysTheOrderOfItsBytesByEitherKey) {
  TemporaryFolder const folder;
  for (char const* key : {"BinaryDataByteOrderMSB", "ElementByteOrderMSB"}) {
    std::string const fields = std::string(key) + " = True\n";
    EXPECT_EQ(narrow<std::int16_t>(read_meta(folder, meta(fields, wide(2, true), "MET_SHORT"))),
              meta_voxels);
  }
  EXPECT_BAD_INPUT(
      read_meta(folder, meta("BinaryDataByteOrderMSB = True\nElementByteOrderMSB = False\n",
                             wide(2, true), "MET_SHORT")),
      "two orders of bytes");
}

TEST(MetaImage, OfAFileForEachPlaneHasAllOfThem) {
  TemporaryFolder const folder;
  for (std::size_t z = 0; z < 3; ++z)
    folder.write("p" + std::to_string(z + 8) + ".raw", meta_voxels.substr(20 * z, 20));
  EXPECT_BAD_INPUT(read_meta(folder, meta("", "p8.raw\np9.raw\n", "MET_UCHAR", "LIST")),
                   "2 files of voxels, but 3 planes");
  EXPECT_BAD_INPUT(read_meta(folder, meta("", "", "MET_UCHAR", "p%02d.raw 8 10 1")),
                   "p08.raw: no such");
  for (std::string const& content : {meta("", "p8.raw\np9.raw\np10.raw\n", "MET_UCHAR", "LIST"),
                                     meta("", "", "MET_UCHAR", "p%d.raw 8 10 1")}) {
    Image const image = read_meta(folder, content);
    EXPECT_EQ(narrow<std::uint8_t>(image), meta_voxels);
    EXPECT_EQ(image.files.size(), 4U);
  }
  folder.write("p9.raw", meta_voxels.substr(0, 21));
  EXPECT_BAD_INPUT(read_meta(folder, meta("", "", "MET_UCHAR", "p%d.raw 8 10 1")), "longer");
}

TEST(MetaImage, ThatIsNotUnderstoodIsRefused) {
  TemporaryFolder const folder;
  auto const refused = [&](std::string const& fields, std::string const& says) {
    EXPECT_BAD_INPUT(read_meta(folder, meta(fields, meta_voxels)), says);
  };
  refused("HeaderSize = x\n", "HeaderSize = x: expected numbers");
  refused("ElementNumberOfChannels = 3\n", "3 values a voxel");
  refused("DimSize = 5 4 6\n", "the line DimSize stands in it twice");
  refused("ElementToIntensityFunctionSlope = 2\n", "ElementToIntensityFunctionSlope");
  EXPECT_BAD_INPUT(read_meta(folder, meta("", meta_voxels, "MET_STRING")),
                   "ElementType = MET_STRING");
  std::string of_four_axes =
      "NDims = 4\nDimSize = 5 4 3 2\nElementType = MET_UCHAR\nElementDataFile = LOCAL\n";
  of_four_axes += meta_voxels;
  of_four_axes += meta_voxels;
  EXPECT_BAD_INPUT(read_meta(folder, of_four_axes), "4 axes");
  folder.write("v.raw", "head!" + meta_voxels);
  EXPECT_BAD_INPUT(read_meta(folder, meta("", "", "MET_UCHAR", "v.raw")), "longer");
  EXPECT_EQ(
      narrow<std::uint8_t>(read_meta(folder, meta("HeaderSize = 5\n", "", "MET_UCHAR", "v.raw"))),
      meta_voxels);
  EXPECT_NE(read_meta(folder, meta("ElementSpacing = 0 1 1\n", meta_voxels)).doubtful_edges, "");
}

}  // namespace
}  // namespace tessera

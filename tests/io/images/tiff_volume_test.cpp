// SPDX-License-Identifier: MIT
// Which volume the pages of a TIFF file are, and whether they are all there.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "io/images/image.hpp"
#include "tests/io/files.hpp"
#include "tests/io/images/packed_bytes.hpp"
#include "tests/io/images/tiff_bytes.hpp"

namespace tessera {
namespace {

using test::imagej_stack_bytes;
using test::TemporaryFolder;
using test::tiff_bytes;
using test::TiffPage;

constexpr std::uint16_t new_subfile_type = 254;
constexpr std::uint16_t compression_tag = 259;
constexpr std::uint16_t photometric_tag = 262;
constexpr std::uint16_t offsets = 273;
constexpr std::uint16_t byte_counts = 279;
constexpr std::uint16_t page_number = 297;

class TiffVolume : public testing::Test {
 protected:
  std::string voxels(std::string const& file) {
    auto const image = read_image(folder_.write("a.tif", file), {});
    auto const& values = std::get<std::vector<std::uint8_t>>(image.voxels);
    return {values.begin(), values.end()};
  }
  void refused(std::string const& file, std::string const& says) {
    EXPECT_BAD_INPUT(read_image(folder_.write("a.tif", file), {}), says);
  }

  TemporaryFolder folder_;
};

/// Pages of 2 x 1 voxels "aa", "bb" and so on, the first with a description.
std::vector<TiffPage> pages(std::string const& letters, std::string const& description = "") {
  std::vector<TiffPage> all;
  for (char const letter : letters) all.push_back({2, 1, std::string(2, letter), {}, ""});
  all.front().description = description;
  return all;
}

std::string ome(std::string const& size, std::string const& data, std::string const& more = "") {
  return fmt::format(
      R"(<?xml version="1.0"?><OME UUID="urn:uuid:a"><Image><Pixels SizeX="2" SizeY="1" )"
      R"(SizeC="1" SizeT="1" {}>{}</Pixels></Image>{}</OME>)",
      size, data, more);
}

TEST_F(TiffVolume, OfTifffileHasThePagesOfItsArray) {
  EXPECT_EQ(voxels(tiff_bytes(false, pages("abc", R"({"shape": [3, 1, 2]})"))), "aabbcc");
  EXPECT_EQ(voxels(tiff_bytes(false, pages("abc", "shape=(1, 3, 1, 2)"))), "aabbcc");
  refused(tiff_bytes(false, pages("abc", R"({"shape": [3, 1, 4]})")),
          "its header says an array of 3 x 1 x 4, but its pages are 2 x 1");
  std::vector<TiffPage> square(4, {2, 2, "abcd", {}, ""});
  square.front().description = R"({"shape": [2, 2, 2, 2]})";
  refused(tiff_bytes(false, square), "an array of 2 x 2 x 2 x 2 in it, one volume [z, y, x]");
  square.front().description = R"({"axes": "CYX", "shape": [4, 2, 2]})";
  refused(tiff_bytes(false, square), "4 channels");
  square.front().description = R"({"shape": [5, 2, 2]})";
  refused(tiff_bytes(false, square), "an array of 5 x 2 x 2, but it holds 4 pages");
  square.front().description = R"({"shape": [4, 2, 2})";
  refused(tiff_bytes(false, square), "its description is damaged");
}

TEST_F(TiffVolume, OfSeveralArraysIsRefusedAndOneOfSlicesWrittenOneByOneIsRead) {
  auto two = pages("abcd", R"({"shape": [2, 1, 2]})");
  two[2].description = two[0].description;
  refused(tiff_bytes(false, two),
          "2 arrays in it, the first of 2 x 1 x 2 and one of 2 x 1 x 2 from page 3 on");
  auto slices = pages("abc");
  for (TiffPage& page : slices) page.description = R"({"shape": [1, 2]})";
  EXPECT_EQ(voxels(tiff_bytes(false, slices)), "aabbcc");
}

TEST_F(TiffVolume, OfImageJHasAsManyPagesAsItSays) {
  EXPECT_EQ(voxels(tiff_bytes(false, pages("abc", "ImageJ=1.53t\nimages=3\nslices=3\n"))),
            "aabbcc");
  EXPECT_EQ(voxels(tiff_bytes(false, pages("abc", "ImageJ=1.53t\nunit=um\n"))), "aabbcc");
  for (char const* const other : {"5", "2"}) {
    refused(tiff_bytes(false,
                       pages("abc", fmt::format("ImageJ=1.53t\nimages={0}\nslices={0}\n", other))),
            fmt::format("its ImageJ header says {} images, but it holds 3 pages", other));
  }
  refused(tiff_bytes(false, pages("abc", "ImageJ=1.53t\nimages=3\nslices=2\n")),
          "says 3 images, but 2 slices");
  // Further slices in one page, of which the header says too little or nothing.
  refused(imagej_stack_bytes(false, 4, 4, "ImageJ=1.53t\nimages=2\nslices=2\n", 8,
                             std::string(64, 'a')),
          "its ImageJ header says 2 slices of 4 x 4, but the 32 bytes behind them would be 2 more");
  refused(imagej_stack_bytes(false, 4, 4, "image", 8, std::string(64, 'a')),
          "the 48 bytes behind it would be 3 more");
}

TEST_F(TiffVolume, OfOmeStandsInTheOrderThatItSays) {
  std::string const turned =
      R"(<TiffData FirstZ="2" IFD="0" PlaneCount="1"/><TiffData FirstZ="0" IFD="1" )"
      R"(PlaneCount="2"/>)";
  std::string const three = R"(SizeZ="3")";
  EXPECT_EQ(voxels(tiff_bytes(false, pages("abc", ome(three, turned)))), "bbccaa");
  EXPECT_EQ(voxels(tiff_bytes(false, pages("abc", ome(three, "")))), "aabbcc");
  EXPECT_EQ(voxels(tiff_bytes(false, pages("abc", ome(three, "<TiffData/>")))), "aabbcc");
  ReadOptions part;
  part.layers = [](std::int64_t) { return LayerRange{1, 3}; };
  auto const path = folder_.write("p.tif", tiff_bytes(false, pages("abc", ome(three, turned))));
  EXPECT_EQ(std::get<std::vector<std::uint8_t>>(read_image(path, part).voxels),
            (std::vector<std::uint8_t>{'c', 'c', 'a', 'a'}));
  refused(tiff_bytes(false, pages("abc", ome(R"(SizeZ="4")", "<TiffData/>"))),
          "its OME header says 4 slices, but it holds 3 pages");
  refused(
      tiff_bytes(
          false,
          pages("abc",
                ome(three, R"(<TiffData IFD="0" PlaneCount="2"/><TiffData IFD="1" FirstZ="2"/>)"))),
      "each page once");
  std::string wider = ome(three, "");
  wider.replace(wider.find(R"(SizeX="2")"), 9, R"(SizeX="3")");
  refused(tiff_bytes(false, pages("abc", wider)), "its OME header says slices of 3 x 1");
  refused(tiff_bytes(false, pages("abc", wider.substr(0, wider.size() - 3))),
          "its OME header is damaged");
}

TEST_F(TiffVolume, OfOmeInSeveralFilesOrImagesIsRefusedWithWhatIsElsewhere) {
  std::string const set =
      R"(<TiffData IFD="0" PlaneCount="2"><UUID FileName="x.tif">urn:uuid:a</UUID></TiffData>)"
      R"(<TiffData FirstZ="2" IFD="0" PlaneCount="1"><UUID FileName="b.tif">urn:uuid:b</UUID>)"
      "</TiffData>";
  refused(tiff_bytes(false, pages("ab", ome(R"(SizeZ="3")", set))),
          "1 of its 3 slices stand in other files (b.tif)");
  refused(tiff_bytes(false, pages("ab", ome(R"(SizeZ="2")", "", "<Image><Pixels/></Image>"))),
          "an OME-TIFF of 2 images");
  refused(
      tiff_bytes(false, pages("ab", R"(<OME><BinaryOnly MetadataFile="a.companion.ome"/></OME>)")),
      "its OME header stands in a.companion.ome");
}

TEST_F(TiffVolume, OfNumberedPagesIsWholeAndInOrder) {
  auto const numbered = [](std::vector<unsigned> const& numbers, unsigned of) {
    auto all = pages(std::string("abcdef").substr(0, numbers.size()));
    for (std::size_t i = 0; i < all.size(); ++i) all[i].tags[page_number] = numbers[i] | of << 16U;
    return tiff_bytes(false, all);
  };
  EXPECT_EQ(voxels(numbered({0, 1, 2}, 3)), "aabbcc");
  EXPECT_EQ(voxels(numbered({0, 1, 2}, 0)), "aabbcc");
  EXPECT_EQ(voxels(numbered({7, 7, 7}, 1)), "aabbcc");
  EXPECT_EQ(voxels(numbered({0}, 16)), "aa");  // taken out of a volume
  refused(numbered({0, 1, 2}, 5), "numbered as the first 3 of 5");
  refused(numbered({0, 2, 1}, 3), "numbered in another order: page 2 is number 3");
}

TEST_F(TiffVolume, HasNoSmallCopiesMasksOrOtherMeaningsOfZeroAmongItsPages) {
  auto all = pages("abc");
  all[2].tags[new_subfile_type] = 1;
  refused(tiff_bytes(false, all), "page 3 is 2 x 1 of 8 bits (uint8), a small copy or a mask");
  all[2].tags[new_subfile_type] = 2;
  EXPECT_EQ(voxels(tiff_bytes(false, all)), "aabbcc");
  all[1].tags[photometric_tag] = 0;
  refused(tiff_bytes(false, all), "page 2 is 2 x 1 of 8 bits (uint8, white is zero)");
}

TEST_F(TiffVolume, HasTheBytesOfEachPageByItself) {
  std::vector<TiffPage> all(3, {4, 4, std::string(16, 'a'), {}, ""});
  all[1].tags[byte_counts] = 12;
  refused(tiff_bytes(false, all), "damaged");
  all[1].tags[byte_counts] = 20;
  refused(tiff_bytes(false, all), "page 2: 20 bytes of voxels, but its header says 16");
  all[1].tags.clear();
  all[1].tags[offsets] = 8 + 4;
  refused(tiff_bytes(false, all), "pages 1 and 2 have the same bytes, from 12 on");
}

TEST_F(TiffVolume, PackedByZlibIsWhatItsChecksumSays) {
  std::string const slice = "abcdefghijklmnop";
  std::string const packed = test::zlib_packed(slice);
  auto const file = [](std::string const& pixels, std::uint32_t height) {
    return tiff_bytes(false, {{4, height, pixels, {{compression_tag, 8}}, ""}});
  };
  EXPECT_EQ(voxels(file(packed, 4)), slice);
  for (std::size_t byte = 0; byte < packed.size(); ++byte) {
    std::string damaged = packed;
    damaged[byte] = static_cast<char>(damaged[byte] ^ 4);
    try {
      EXPECT_EQ(voxels(file(damaged, 4)), slice) << byte;
    } catch (BadInput const& wrong) {
      EXPECT_NE(std::string(wrong.what()).find("a.tif"), std::string::npos);
    }
  }
  // More than its header has: of a height that is damaged.
  refused(file(packed, 3), "what zlib packed does not give its voxels");
  refused(file(packed.substr(0, packed.size() - 1), 4), "truncated or damaged");
}

}  // namespace
}  // namespace tessera

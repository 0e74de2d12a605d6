// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <tiffio.h>

#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include "io/images/image.hpp"
#include "tests/io/files.hpp"
#include "tests/io/images/tiff_bytes.hpp"

namespace tessera {
namespace {

using test::Bytes;
using test::imagej_stack_bytes;
using test::TemporaryFolder;
using test::tiff_bytes;
using test::TiffPage;

using Bytes8 = std::vector<std::uint8_t>;

constexpr std::uint16_t bits_per_sample = 258;
constexpr std::uint16_t photometric = 262;
constexpr std::uint16_t fill_order = 266;
constexpr std::uint16_t samples_per_pixel = 277;
constexpr std::uint16_t sample_format = 339;

TEST(TiffImage, ReadsPagesAsSlicesInEitherByteOrder) {
  TemporaryFolder const folder;
  for (bool const big : {false, true}) {
    Image const image = read_image(
        folder.write("a.tif",
                     tiff_bytes(big, {{3, 2, "abcdef", {}, ""}, {3, 2, "ghijkl", {}, ""}})),
        {});
    EXPECT_EQ(image.shape, (Int3{3, 2, 2}));
    auto const& voxels = std::get<Bytes8>(image.voxels);
    EXPECT_EQ(std::string(voxels.begin(), voxels.end()), "abcdefghijkl");
    EXPECT_EQ(image.format,
              big ? "TIFF, 2 slices, uint8, big-endian" : "TIFF, 2 slices, uint8, little-endian");
  }
}

TEST(TiffImage, KeepsStoredValuesInBothPhotometricConventions) {
  TemporaryFolder const folder;
  for (std::uint32_t const convention : {0U, 1U}) {
    Image const image = read_image(
        folder.write(
            "a.tif",
            tiff_bytes(false,
                       {{2, 1, std::string("\x00\xff", 2), {{photometric, convention}}, ""}})),
        {});
    EXPECT_EQ(std::get<Bytes8>(image.voxels), (Bytes8{0, 255}));
    EXPECT_EQ(image.format.find("white is zero") != std::string::npos, convention == 0);
  }
}

TEST(TiffImage, KeepsTheIndicesOfPaletteImages) {
  TemporaryFolder const folder;
  TIFF* const file = TIFFOpen((folder / "a.tif").c_str(), "w");
  TIFFSetField(file, TIFFTAG_IMAGEWIDTH, 3);
  TIFFSetField(file, TIFFTAG_IMAGELENGTH, 1);
  TIFFSetField(file, TIFFTAG_BITSPERSAMPLE, 8);
  TIFFSetField(file, TIFFTAG_SAMPLESPERPIXEL, 1);
  TIFFSetField(file, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_PALETTE);
  std::vector<std::uint16_t> colours(256, 1000);
  TIFFSetField(file, TIFFTAG_COLORMAP, colours.data(), colours.data(), colours.data());
  Bytes8 indices{7, 0, 9};
  ASSERT_EQ(TIFFWriteScanline(file, indices.data(), 0, 0), 1);
  TIFFClose(file);
  Image const image = read_image(folder / "a.tif", {});
  EXPECT_EQ(std::get<Bytes8>(image.voxels), indices);
  EXPECT_NE(image.format.find("palette"), std::string::npos) << image.format;
}

TEST(TiffImage, UnpacksSingleBitsInBothConventionsAndFillOrders) {
  TemporaryFolder const folder;
  Bytes8 const expected{1, 0, 1, 1, 0, 0, 0, 0, 0, 1, /**/ 0, 0, 0, 0, 0, 0, 0, 1, 1, 1};
  std::string const high_bit_first("\xb0\x40\x01\xc0", 4);
  std::string const low_bit_first("\x0d\x02\x80\x03", 4);
  for (std::uint32_t const convention : {0U, 1U}) {
    for (std::uint32_t const order : {1U, 2U}) {
      TiffPage const page{10,
                          2,
                          order == 1 ? high_bit_first : low_bit_first,
                          {{bits_per_sample, 1}, {photometric, convention}, {fill_order, order}},
                          ""};
      Image const image = read_image(folder.write("a.tif", tiff_bytes(true, {page})), {});
      EXPECT_EQ(std::get<Bytes8>(image.voxels), expected) << convention << ' ' << order;
    }
  }
}

TEST(TiffImage, ReadsWiderTypesInEitherByteOrder) {
  TemporaryFolder const folder;
  for (bool const big : {false, true}) {
    auto const read = [&](std::uint32_t format, int bytes, unsigned long long bits) {
      std::string const pixels = Bytes(big).number(7, bytes).number(bits, bytes).str();
      TiffPage const page{
          2,
          1,
          pixels,
          {{bits_per_sample, static_cast<unsigned>(8 * bytes)}, {sample_format, format}},
          ""};
      return read_image(folder.write("a.tif", tiff_bytes(big, {page})), {}).voxels;
    };
    EXPECT_EQ(std::get<std::vector<std::int8_t>>(read(2, 1, 0xfe))[1], -2);
    EXPECT_EQ(std::get<std::vector<std::uint16_t>>(read(1, 2, 0x1234))[1], 0x1234);
    EXPECT_EQ(std::get<std::vector<std::int16_t>>(read(2, 2, 0xfffe))[1], -2);
    EXPECT_EQ(std::get<std::vector<std::uint32_t>>(read(1, 4, 0x12345678))[1], 0x12345678U);
    EXPECT_EQ(std::get<std::vector<std::int32_t>>(read(2, 4, 0xfffffffe))[1], -2);
    EXPECT_EQ(std::get<std::vector<float>>(read(3, 4, 0x3fc00000))[1], 1.5F);
    EXPECT_EQ(std::get<std::vector<double>>(read(3, 8, 0x3ff8000000000000))[1], 1.5);
    EXPECT_EQ(std::get<std::vector<std::uint32_t>>(read(1, 8, 0xfedcba98))[1], 0xfedcba98U);
    EXPECT_EQ(std::get<std::vector<std::int32_t>>(read(2, 8, ~1ULL))[1], -2);
    EXPECT_BAD_INPUT(read(1, 8, 1ULL << 32), "the value 4294967296 does not fit in 32 bits");
  }
}

TEST(TiffImage, ReadsImageJStacksOfOneDirectory) {
  TemporaryFolder const folder;
  std::string const description = "ImageJ=1.49b\nimages=3\nslices=3\nloop=false\n";
  for (bool const big : {false, true}) {
    auto const path =
        folder.write("a.tif", imagej_stack_bytes(big, 2, 2, description, 8, "abcdefghijkl"));
    Image const image = read_image(path, {});
    EXPECT_EQ(image.shape, (Int3{2, 2, 3}));
    auto const& voxels = std::get<Bytes8>(image.voxels);
    EXPECT_EQ(std::string(voxels.begin(), voxels.end()), "abcdefghijkl");
    EXPECT_NE(image.format.find("3 slices in one page (ImageJ)"), std::string::npos)
        << image.format;

    std::string const wide = Bytes(big).number(1, 2).number(0x0203, 2).number(4, 2).str();
    auto const wide_path =
        folder.write("b.tif", imagej_stack_bytes(big, 1, 1, description, 16, wide));
    EXPECT_EQ(std::get<std::vector<std::uint16_t>>(read_image(wide_path, {}).voxels),
              (std::vector<std::uint16_t>{1, 0x0203, 4}));
  }
}

TEST(TiffImage, RefusesATruncatedImageJStackWithBothSizes) {
  TemporaryFolder const folder;
  std::string const file =
      imagej_stack_bytes(true, 2, 2, "ImageJ=1.49b\nimages=3\nslices=3\n", 8, "abcdefghijk");
  EXPECT_BAD_INPUT(read_image(folder.write("a.tif", file), {}),
                   "truncated: " + std::to_string(file.size()) +
                       " bytes, but its 3 slices of 2 x 2 end at byte " +
                       std::to_string(file.size() + 1));
}

TEST(TiffImage, RefusesHyperstacks) {
  TemporaryFolder const folder;
  auto const read = [&](std::string const& description) {
    return read_image(folder.write("a.tif", imagej_stack_bytes(true, 1, 1, description, 8, "abcd")),
                      {});
  };
  EXPECT_BAD_INPUT(read("ImageJ=1.49b\nimages=4\nchannels=2\nslices=2\n"), "2 channels");
  EXPECT_BAD_INPUT(read("ImageJ=1.49b\nimages=4\nslices=2\nframes=2\n"), "2 frames");
}

/// Writes a volume of 16-bit counting values with libtiff; `tile` 0 means strips of 3 rows.
void write_by_libtiff(std::filesystem::path const& path, char const* mode, Int3 shape,
                      int compression, int tile) {
  TIFF* const file = TIFFOpen(path.c_str(), mode);
  ASSERT_NE(file, nullptr);
  std::uint16_t value = 0;
  for (std::int64_t z = 0; z < shape.z; ++z) {
    TIFFSetField(file, TIFFTAG_IMAGEWIDTH, static_cast<unsigned>(shape.x));
    TIFFSetField(file, TIFFTAG_IMAGELENGTH, static_cast<unsigned>(shape.y));
    TIFFSetField(file, TIFFTAG_BITSPERSAMPLE, 16);
    TIFFSetField(file, TIFFTAG_SAMPLESPERPIXEL, 1);
    TIFFSetField(file, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
    TIFFSetField(file, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
    TIFFSetField(file, TIFFTAG_COMPRESSION, compression);
    std::vector<std::uint16_t> page(static_cast<std::size_t>(shape.x * shape.y));
    std::iota(page.begin(), page.end(), value);
    value = static_cast<std::uint16_t>(value + page.size());
    if (tile == 0) {
      TIFFSetField(file, TIFFTAG_ROWSPERSTRIP, 3);
      for (std::int64_t y = 0; y < shape.y; ++y) {
        ASSERT_EQ(TIFFWriteScanline(file, page.data() + y * shape.x, static_cast<unsigned>(y), 0),
                  1);
      }
    } else {
      TIFFSetField(file, TIFFTAG_TILEWIDTH, tile);
      TIFFSetField(file, TIFFTAG_TILELENGTH, tile);
      std::vector<std::uint16_t> pixels(static_cast<std::size_t>(tile * tile));
      for (std::int64_t y0 = 0; y0 < shape.y; y0 += tile) {
        for (std::int64_t x0 = 0; x0 < shape.x; x0 += tile) {
          for (std::int64_t y = y0; y < std::min(y0 + tile, shape.y); ++y) {
            for (std::int64_t x = x0; x < std::min(x0 + tile, shape.x); ++x) {
              pixels[static_cast<std::size_t>((y - y0) * tile + x - x0)] =
                  page[static_cast<std::size_t>(y * shape.x + x)];
            }
          }
          ASSERT_GT(TIFFWriteTile(file, pixels.data(), static_cast<unsigned>(x0),
                                  static_cast<unsigned>(y0), 0, 0),
                    0);
        }
      }
    }
    ASSERT_EQ(TIFFWriteDirectory(file), 1);
  }
  TIFFClose(file);
}

TEST(TiffImage, ReadsStripsAndTilesInAnyCompressionAlsoInBigTiff) {
  TemporaryFolder const folder;
  Int3 const shape{37, 21, 3};
  std::vector<std::uint16_t> expected(static_cast<std::size_t>(volume(shape)));
  std::iota(expected.begin(), expected.end(), std::uint16_t{0});
  for (char const* const mode : {"wl", "wb", "wl8", "wb8"}) {
    for (int const compression :
         {COMPRESSION_NONE, COMPRESSION_LZW, COMPRESSION_ADOBE_DEFLATE, COMPRESSION_PACKBITS}) {
      for (int const tile : {0, 16}) {
        write_by_libtiff(folder / "a.tif", mode, shape, compression, tile);
        Image const image = read_image(folder / "a.tif", {});
        EXPECT_EQ(image.shape, shape);
        EXPECT_EQ(std::get<std::vector<std::uint16_t>>(image.voxels), expected)
            << mode << compression << tile;
      }
    }
  }
}

TEST(TiffImage, RefusesATruncatedFileWhereverItEnds) {
  TemporaryFolder const folder;
  for (int const compression : {COMPRESSION_NONE, COMPRESSION_ADOBE_DEFLATE}) {
    write_by_libtiff(folder / "a.tif", "wl", {37, 21, 3}, compression, 0);
    std::string const whole = test::read_bytes(folder / "a.tif");
    // The last directory ends the file, hence each cut takes away something.
    for (std::size_t size = 4; size + 16 < whole.size(); size += 1 + size / 3) {
      auto const cut = folder.write("cut.tif", whole.substr(0, size));
      EXPECT_BAD_INPUT(read_image(cut, {}), "cut.tif: ");
    }
  }
}

TEST(TiffImage, RefusesPixelsBeyondTheEndOfTheFile) {
  TemporaryFolder const folder;
  auto const path = folder.write("a.tif", tiff_bytes(false, {{2, 2, "abcd", {{273, 5000}}, ""}}));
  EXPECT_BAD_INPUT(read_image(path, {}), "but voxels of page 1 stand at bytes 5000 to 5004");
  auto const huge = folder.write("b.tif", tiff_bytes(false, {{60000, 60000, "abcd", {}, ""}}));
  EXPECT_BAD_INPUT(read_image(huge, {}), "a page alone has 3600000000");
}

TEST(TiffImage, RefusesPagesThatDiffer) {
  TemporaryFolder const folder;
  auto const path =
      folder.write("a.tif", tiff_bytes(false, {{2, 2, "abcd", {}, ""}, {4, 1, "efgh", {}, ""}}));
  EXPECT_BAD_INPUT(read_image(path, {}),
                   "page 2 is 4 x 1 of 8 bits (uint8), but the first page is 2 x 2");
}

TEST(TiffImage, RefusesColourAndUnusualNumbersOfBits) {
  TemporaryFolder const folder;
  auto const colour =
      tiff_bytes(false, {{1, 1, "rgb", {{photometric, 2}, {samples_per_pixel, 3}}, ""}});
  EXPECT_BAD_INPUT(read_image(folder.write("a.tif", colour), {}),
                   "3 samples a pixel (a colour image?)");
  auto const nibbles = tiff_bytes(false, {{2, 1, "a", {{bits_per_sample, 4}}, ""}});
  EXPECT_BAD_INPUT(read_image(folder.write("a.tif", nibbles), {}), "4 bits");
}

TEST(TiffImage, ChecksAGivenShape) {
  TemporaryFolder const folder;
  auto const path = folder.write("a.tif", tiff_bytes(false, {{3, 2, "abcdef", {}, ""}}));
  ReadOptions options;
  options.shape = Int3{3, 2, 1};
  EXPECT_NO_THROW(read_image(path, options));
  options.shape = Int3{2, 3, 1};
  EXPECT_BAD_INPUT(read_image(path, options), "its shape is 3 x 2 x 1, but 2 x 3 x 1 was given");
}

}  // namespace
}  // namespace tessera

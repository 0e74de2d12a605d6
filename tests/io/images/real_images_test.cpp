// SPDX-License-Identifier: MIT
// Images as others publish them, with porosities known from elsewhere.
#include <gtest/gtest.h>
#include <zip.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "io/images/image.hpp"
#include "io/images/labels.hpp"
#include "tests/data.hpp"
#include "tests/io/files.hpp"

namespace tessera {
namespace {

using test::TemporaryFolder;

/// Unpacks the first file of a zip archive.
std::filesystem::path unzip(std::filesystem::path const& archive_path,
                            std::filesystem::path const& to) {
  int error = 0;
  zip_t* const archive = zip_open(archive_path.c_str(), ZIP_RDONLY, &error);
  EXPECT_NE(archive, nullptr);
  zip_file_t* const entry = zip_fopen_index(archive, 0, 0);
  EXPECT_NE(entry, nullptr);
  std::ofstream out(to, std::ios::binary);
  std::vector<char> block(1U << 20U);
  while (auto const got = zip_fread(entry, block.data(), block.size())) {
    if (got < 0) break;
    out.write(block.data(), got);
  }
  zip_fclose(entry);
  zip_discard(archive);
  return to;
}

ReadOptions cube(std::int64_t edge) {
  ReadOptions options;
  options.shape = Int3{edge, edge, edge};
  return options;
}

ReadOptions part(std::int64_t lower, std::int64_t upper) {
  ReadOptions options;
  options.crop = Crop{{lower, lower, lower}, {upper, upper, upper}};
  return options;
}

PoreRule pore_is(std::int64_t label) {
  PoreRule rule;
  rule.pore = LabelSet::of(label);
  return rule;
}

TEST(Berea, Of400IsBigEndianAndWhiteIsZero) {
  TESSERA_DATA_OR_SKIP(archive, "berea_400_tiff.zip");
  TemporaryFolder const folder;
  Image const image = read_image(unzip(archive, folder / "berea.tif"), cube(400));
  EXPECT_EQ(image.format, "TIFF, 400 slices, uint8, big-endian, white is zero");
  EXPECT_EQ(label_pores(image, {}).pore_voxels(), 12572994);
}

TEST(Berea, CutsAreTheSameInEveryFile) {
  TESSERA_DATA_OR_SKIP(archive, "berea_400_tiff.zip");
  TESSERA_DATA_OR_SKIP(npz, "berea_200.npz");
  TESSERA_DATA_OR_SKIP(raw_100, "berea_100_u8.raw.gz");
  TESSERA_DATA_OR_SKIP(raw_40, "berea_40_u8.raw.gz");
  TemporaryFolder const folder;
  auto const tiff = unzip(archive, folder / "berea.tif");

  Geometry const of_200 = label_pores(read_image(npz, {}), pore_is(1));
  EXPECT_NEAR(of_200.porosity(), 0.198715, 1e-6);
  EXPECT_EQ(label_pores(read_image(tiff, part(100, 300)), {}).pore, of_200.pore);

  Geometry const of_100 = label_pores(read_image(raw_100, cube(100)), {});
  EXPECT_NEAR(of_100.porosity(), 0.185004, 1e-6);
  EXPECT_EQ(label_pores(read_image(npz, part(0, 100)), pore_is(1)).pore, of_100.pore);

  Geometry const of_40 = label_pores(read_image(raw_40, cube(40)), {});
  EXPECT_EQ(of_40.porosity(), 0.15375);
  EXPECT_EQ(label_pores(read_image(tiff, part(100, 140)), {}).pore, of_40.pore);
}

TEST(Bentheimer, HasItsPorosity) {
  TESSERA_DATA_OR_SKIP(path, "bentheimer_120_u8.raw.gz");
  EXPECT_NEAR(label_pores(read_image(path, cube(120)), {}).porosity(), 0.218416, 1e-6);
}

TEST(RectangularChannel, HasAnOpeningOfTwentyByTenVoxels) {
  TESSERA_DATA_OR_SKIP(path, "rectangular_channel_24x14x50_u8.raw.gz");
  ReadOptions options;
  options.shape = Int3{24, 14, 50};
  EXPECT_EQ(label_pores(read_image(path, options), {}).pore_voxels(), 20 * 10 * 50);
}

}  // namespace
}  // namespace tessera

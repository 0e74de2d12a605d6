// SPDX-License-Identifier: MIT
// Layers of an image that processes read, or are handed: the same as those of the whole image, in
// every kind of file.
#include "run/spread/image.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/errors.hpp"
#include "base/ranks/ranks.hpp"
#include "io/fields/write_image.hpp"
#include "tests/io/files.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

constexpr Int3 shape{13, 10, 37};

/// Labels 0 to 4 without order; 4 is rare.
std::vector<std::uint8_t> labels() {
  std::vector<std::uint8_t> voxels(static_cast<std::size_t>(volume(shape)));
  std::uint32_t random = 1;
  for (std::uint8_t& voxel : voxels) {
    random = random * 1664525 + 1013904223;
    voxel = static_cast<std::uint8_t>((random >> 24) % 4);
  }
  voxels[voxels.size() / 3] = 4;
  return voxels;
}

std::string bytes_of(std::vector<std::uint8_t> const& voxels) {
  return {voxels.begin(), voxels.end()};
}

/// Each process writes files of its own, all with the same content.
class SpreadImage : public testing::TestWithParam<std::string> {
 protected:
  fs::path written(std::string const& kind) {
    ReadOptions& o = options;
    std::vector<std::uint8_t> const voxels = labels();
    if (kind == "raw" || kind == "raw16" || kind == "turned") o.shape = shape;
    if (kind == "turned") o.axes = "zyx";
    if (kind == "raw16") {
      o.dtype = "uint16-be";
      o.header_bytes = 5;
      std::string bytes = "12345";
      for (std::uint8_t const voxel : voxels) bytes += {'\0', static_cast<char>(voxel)};
      return folder.write("image.raw", bytes);
    }
    if (kind == "fortran") {
      std::string header = "{'descr': '|u1', 'fortran_order': True, 'shape': (37, 10, 13), }";
      header.resize(118, ' ');
      std::string const size{static_cast<char>(header.size()), '\0'};
      return folder.write("image.npy",
                          std::string("\x93NUMPY\x01\0", 8) + size + header + bytes_of(voxels));
    }
    if (kind == "slices") {
      auto const layer = static_cast<std::ptrdiff_t>(shape.x * shape.y);
      for (std::int64_t z = 0; z < shape.z; ++z) {
        auto const first = voxels.begin() + z * layer;
        write_image(folder / ("slice" + std::to_string(z) + ".tif"), {shape.x, shape.y, 1},
                    {first, first + layer});
      }
      return folder.path();
    }
    fs::path const file = folder / ("image." + (kind == "turned" ? "raw" : kind));
    write_image(file, shape, voxels);
    return file;
  }

  test::TemporaryFolder folder;
  ReadOptions options;
};

/// The layers of this process of an image that has been read as a whole.
Image own_layers(Image image) {
  std::int64_t const layer = image.shape.x * image.shape.y;
  LayerRange const own = layers_of_rank(Ranks::rank(), image.shape.z);
  std::visit(
      [&](auto& voxels) {
        voxels = {voxels.begin() + own.lower * layer, voxels.begin() + own.upper * layer};
      },
      image.voxels);
  image.layers = own;
  return image;
}

TEST_P(SpreadImage, HasTheLayersOfTheWholeOne) {
  fs::path const file = written(GetParam());
  for (bool const cropped : {false, true}) {
    if (cropped) options.crop = Crop{{1, 2, 3}, {9, 10, 10}};
    Image const expected = own_layers(read_image(file, options));
    Image const image = read_spread_image(file, options);
    EXPECT_EQ(image.shape, expected.shape);
    EXPECT_EQ(image.voxels, expected.voxels);
    EXPECT_EQ(image.sha256, expected.sha256);
    EXPECT_EQ(image.format, expected.format);
    if (!Ranks::alone()) {
      EXPECT_EQ(image.layers, expected.layers);
    }
    PoreRule rule;
    rule.threshold = Threshold::parse("<2");
    std::vector<std::uint8_t> const pore = label_spread_pores(image, rule).own.pore;
    bool const has_some = expected.layers->count() > 0;  // of seven layers one process has all
    EXPECT_EQ(pore, has_some ? label_pores(expected, rule).pore : pore);
    EXPECT_EQ(pore.empty(), !has_some);
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, SpreadImage,
                         testing::Values("raw", "raw16", "turned", "npy", "fortran", "tif",
                                         "slices", "vtkhdf", "npz"));

TEST_F(SpreadImage, IsRefusedByAllForALabelThatOneHas) {
  Image const image = read_spread_image(written("npy"), options);
  PoreRule rule;
  rule.solid = LabelSet::parse("1-3");
  EXPECT_THROW(label_spread_pores(image, rule), BadInput);
  rule.solid = LabelSet::parse("1-4");
  EXPECT_NO_THROW(label_spread_pores(image, rule));
  rule.pore = LabelSet::parse("4");  // one voxel of one process
  rule.solid = LabelSet::parse("0-3");
  EXPECT_EQ(pore_voxels(label_spread_pores(image, rule)), 1);
}

TEST_F(SpreadImage, IsRefusedByAllWhereThePartOfOneIsMissing) {
  std::vector<std::uint8_t> const voxels = labels();
  auto const layer = static_cast<std::ptrdiff_t>(shape.x * shape.y);
  for (std::int64_t z = 0; z < 20; ++z) {
    Int3 const slice{shape.x, shape.y + (z == 19 ? 1 : 0), 1};
    std::vector<std::uint8_t> const pixels(voxels.begin(),
                                           voxels.begin() + layer + (z == 19 ? shape.x : 0));
    write_image(folder / ("slice" + std::to_string(z) + ".tif"), slice, pixels);
  }
  EXPECT_THROW(read_spread_image(folder.path(), options), BadInput);
}

}  // namespace
}  // namespace tessera

// SPDX-License-Identifier: MIT
// Files that are cut anywhere, or of which a bit is another one: the same voxels or a refusal,
// never others. Where a format has no checksum, other values cannot be seen, but another shape can.
#include <gtest/gtest.h>
#include <zlib.h>

#include <filesystem>
#include <string>
#include <vector>

#include "io/fields/write_image.hpp"
#include "io/images/image.hpp"
#include "io/vtk_module.hpp"
#include "tests/io/files.hpp"
#include "tests/io/images/packed_bytes.hpp"
#include "tests/io/images/tiff_bytes.hpp"

namespace tessera {
namespace {

using test::TemporaryFolder;

enum class Sees : std::uint8_t { other_shapes, other_voxels };

class DamagedImage {
 public:
  DamagedImage(TemporaryFolder const& folder, std::string name, ReadOptions options = {})
      : path_(folder / name),
        options_(std::move(options)),
        whole_(test::read_bytes(path_)),
        good_(read_image(path_, options_)) {}

  void cut_anywhere() const {
    for (std::size_t size = 0; size < whole_.size(); ++size)
      expect_same_or_refused(whole_.substr(0, size), Sees::other_voxels, size);
  }

  /// One bit of so many, which is each of a byte in turn.
  void flip(Sees sees, std::size_t one_of = 5) const {
    for (std::size_t bit = 0; bit < 8 * whole_.size(); bit += one_of) {
      std::string damaged = whole_;
      damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
      expect_same_or_refused(damaged, sees, bit);
    }
  }

 private:
  void expect_same_or_refused(std::string const& bytes, Sees sees, std::size_t where) const {
    std::ofstream(path_, std::ios::binary | std::ios::trunc) << bytes;
    try {
      Image const found = read_image(path_, options_);
      EXPECT_EQ(found.shape, good_.shape) << path_ << " " << where;
      bool const same = found.voxels == good_.voxels;
      EXPECT_TRUE(same || sees == Sees::other_shapes) << path_ << " " << where;
    } catch (BadInput const& refusal) {
      EXPECT_EQ(std::string(refusal.what()).find('\n'), std::string::npos) << refusal.what();
    }
  }

  std::filesystem::path path_;
  ReadOptions options_;
  std::string whole_;
  Image good_;
};

Int3 const small_shape{5, 4, 3};

std::vector<std::uint8_t> small_values() {
  std::vector<std::uint8_t> all;
  all.reserve(60);
  for (int i = 0; i < 60; ++i) all.push_back(static_cast<std::uint8_t>(i * i % 7 % 2));
  return all;
}

std::string bytes_of_values() {
  auto const all = small_values();
  return {all.begin(), all.end()};
}

TEST(DamagedImages, OfNumPyAreTheSameOrRefused) {
  TemporaryFolder const folder;
  for (char const* const name : {"a.npy", "a.npz"}) {
    write_image(folder / name, small_shape, small_values(), 1e-6);
    DamagedImage const image(folder, name);
    image.cut_anywhere();
    image.flip(std::string(name) == "a.npz" ? Sees::other_voxels : Sees::other_shapes);
  }
}

TEST(DamagedImages, OfGzipAreTheSameOrRefused) {
  TemporaryFolder const folder;
  gzFile const file = gzopen((folder / "a.raw.gz").c_str(), "wb");
  ASSERT_EQ(gzwrite(file, small_values().data(), 60), 60);
  ASSERT_EQ(gzclose(file), Z_OK);
  ReadOptions options;
  options.shape = small_shape;
  DamagedImage const image(folder, "a.raw.gz", options);
  image.cut_anywhere();
  image.flip(Sees::other_voxels);
}

TEST(DamagedImages, OfTiffAreTheSameOrRefused) {
  TemporaryFolder const folder;
  write_image(folder / "a.tif", small_shape, small_values(), 1e-6);
  DamagedImage const plain(folder, "a.tif");
  plain.cut_anywhere();
  plain.flip(Sees::other_shapes);
  std::string const all = bytes_of_values();
  std::vector<test::TiffPage> pages;
  pages.reserve(3);
  for (std::size_t z = 0; z < 3; ++z)
    pages.push_back({5, 4, test::zlib_packed(all.substr(20 * z, 20)), {{259, 8}}, ""});
  pages.front().description = R"({"shape": [3, 4, 5]})";
  folder.write("b.tif", test::tiff_bytes(false, pages));
  DamagedImage const packed(folder, "b.tif");
  packed.cut_anywhere();
  packed.flip(Sees::other_shapes);
  folder.write("c.tif",
               test::imagej_stack_bytes(true, 5, 4, "ImageJ=1.53t\nimages=3\nslices=3\n", 8, all));
  DamagedImage const stack(folder, "c.tif");
  stack.cut_anywhere();
  stack.flip(Sees::other_shapes);
}

TEST(DamagedImages, OfPicturesAreTheSameOrRefused) {
  TemporaryFolder const folder;
  std::string const slice = bytes_of_values().substr(0, 20);
  folder.write("a.png", test::png_bytes({5, 4, 8, 0, slice, ""}));
  DamagedImage const png(folder, "a.png");
  png.cut_anywhere();
  png.flip(Sees::other_voxels);
  folder.write("a.bmp", test::bmp_bytes(20, 1, 8, test::grey_palette(4), slice));
  DamagedImage const bmp(folder, "a.bmp");
  bmp.cut_anywhere();
  bmp.flip(Sees::other_shapes);
}

TEST(DamagedImages, OfVtkAreTheSameOrRefused) {
  if (!has_vtk()) GTEST_SKIP() << "this build has no VTK";
  TemporaryFolder const folder;
  write_image(folder / "a.vti", small_shape, small_values(), 1e-6);
  DamagedImage const packed(folder, "a.vti");
  packed.cut_anywhere();
  packed.flip(Sees::other_shapes, 11);
}

}  // namespace
}  // namespace tessera

// SPDX-License-Identifier: MIT
#include "io/images/image.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/io/files.hpp"

namespace tessera {
namespace {

using test::TemporaryFolder;

std::string image_voxels(Image const& image) {
  auto const& voxels = std::get<std::vector<std::uint8_t>>(image.voxels);
  return {voxels.begin(), voxels.end()};
}

/// The 3 x 2 x 2 image of a file that holds "abc def ghi jkl".
Image read_letters(TemporaryFolder const& folder, ReadOptions options) {
  if (!options.shape) options.shape = Int3{3, 2, 2};
  return read_image(folder.write("a.raw", "abcdefghijkl"), options);
}

TEST(ReadImage, HashesTheFileAsStored) {
  TemporaryFolder const folder;
  ReadOptions options;
  options.shape = Int3{3, 1, 1};
  auto const path = folder.write("a.raw", "abc");
  Image const image = read_image(path, options);
  EXPECT_EQ(image.sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(image.path, path);
}

TEST(ReadImage, TakesTheAxesOfTheFileFastestFirst) {
  TemporaryFolder const folder;
  ReadOptions options;
  options.axes = "zyx";  // the file runs through z first
  options.shape = Int3{2, 2, 3};
  Image const image = read_letters(folder, options);
  EXPECT_EQ(image.shape, (Int3{2, 2, 3}));
  EXPECT_EQ(image_voxels(image), "agdjbhekcifl");
  options.axes = "yzx";
  options.shape = Int3{2, 3, 2};
  EXPECT_EQ(image_voxels(read_letters(folder, options)), "agbhcidjekfl");
}

TEST(ReadImage, RefusesAxesThatAreNoPermutation) {
  TemporaryFolder const folder;
  for (std::string const axes : {"xyy", "xy", "abc", "xyzx", ""}) {
    ReadOptions options;
    options.axes = axes;
    EXPECT_BAD_INPUT(read_letters(folder, options), "axes " + axes + ": expected x, y and z");
  }
}

TEST(ReadImage, CutsABoxOut) {
  TemporaryFolder const folder;
  ReadOptions options;
  options.crop = Crop{{1, 0, 1}, {3, 2, 2}};
  Image const image = read_letters(folder, options);
  EXPECT_EQ(image.shape, (Int3{2, 2, 1}));
  EXPECT_EQ(image_voxels(image), "hikl");
}

TEST(ReadImage, CutsAfterTurning) {
  TemporaryFolder const folder;
  ReadOptions options;
  options.axes = "zyx";
  options.shape = Int3{2, 2, 3};
  options.crop = Crop{{0, 0, 2}, {2, 2, 3}};
  EXPECT_EQ(image_voxels(read_letters(folder, options)), "cifl");
}

TEST(ReadImage, RefusesABoxThatIsEmptyOrLeavesTheImage) {
  TemporaryFolder const folder;
  for (Crop const crop :
       {Crop{{0, 0, 0}, {3, 3, 2}}, Crop{{0, 1, 0}, {3, 1, 2}}, Crop{{0, -1, 0}, {3, 2, 2}}}) {
    ReadOptions options;
    options.crop = crop;
    EXPECT_BAD_INPUT(read_letters(folder, options), "along y is not a part of its 2 voxels there");
  }
}

TEST(ReadImage, RefusesMissingAndEmptyFilesAndDevices) {
  TemporaryFolder const folder;
  EXPECT_BAD_INPUT(read_image(folder / "none.raw", {}), "none.raw: no such file");
  EXPECT_BAD_INPUT(read_image(folder.write("empty.raw", ""), {}), "empty.raw: the file is empty");
  EXPECT_BAD_INPUT(read_image("/dev/null", {}), "/dev/null: not a regular file");
  EXPECT_BAD_INPUT(read_image("/dev/zero", {}), "/dev/zero: not a regular file");
  ASSERT_EQ(::mkfifo((folder / "pipe.raw").c_str(), 0600), 0);
  EXPECT_BAD_INPUT(read_image(folder / "pipe.raw", {}), "pipe.raw: not a regular file");
}

TEST(ReadImage, NamesFormatsThatItDoesNotRead) {
  TemporaryFolder const folder;
  EXPECT_BAD_INPUT(read_image(folder.write("a", "\x89PNG\r\n"), {}),
                   "truncated or damaged PNG file (libpng: ");
  EXPECT_BAD_INPUT(read_image(folder.write("a.dat", "NRRD0004\n"), {}),
                   "a.dat: not a readable NRRD file (");
  EXPECT_BAD_INPUT(read_image(folder.write("a.tif", "abcdefgh"), {}), "not those of a .tif file");
  EXPECT_BAD_INPUT(read_image(folder.write("a.npz", "abcdefgh"), {}), "not those of a .npz file");

  // By the name or by the bytes, even where a shape is given that would fit.
  ReadOptions fits;
  fits.shape = {2, 2, 2};
  for (auto const& [name, format] : {std::pair{"a.am", "Amira"},
                                     {"a.nii", "NIfTI"},
                                     {"a.vtk", "legacy VTK"},
                                     {"a.JPG", "JPEG"},
                                     {"a.hdr", "Analyze"}}) {
    std::filesystem::path const file = folder.write(name, "abcdefgh");
    EXPECT_BAD_INPUT(read_image(file, fits), std::string(format) + " images are not read");
  }
  for (auto const& [start, format] :
       {std::pair{std::string("# AmiraMesh BINARY"), "Amira"},
        {"MATLAB 5.0 MAT-file", "MATLAB 5 (save with -v7.3)"},
        {R"(<?xml version="1.0"?><VTKFile type="PolyData">)", "VTK XML (but for ImageData)"},
        {"# vtk DataFile Version 3.0", "legacy VTK"}}) {
    std::filesystem::path const file = folder.write("a.dat", start);
    EXPECT_BAD_INPUT(read_image(file, fits), std::string(format) + " images are not read");
  }
  // The name promises a format that is read, the bytes are others.
  for (std::string const ending : {".dcm", ".mat", ".h5", ".vti", ".nrrd", ".bmp", ".png"}) {
    std::filesystem::path const file = folder.write("a" + ending, "abcdefgh");
    EXPECT_BAD_INPUT(read_image(file, fits), "its first bytes are not those of a " + ending);
  }
  // Who knows the length of the header may have the voxels behind it.
  fits.header_bytes = 10;
  EXPECT_EQ(volume(read_image(folder.write("b.mha", "ObjectType01234567"), fits).shape), 8);
}

}  // namespace
}  // namespace tessera

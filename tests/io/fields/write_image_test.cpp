// SPDX-License-Identifier: MIT
#include "io/fields/write_image.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <filesystem>
#include <numeric>
#include <string>
#include <vector>

#include "io/images/image.hpp"
#include "tests/io/files.hpp"

namespace tessera {
namespace {

using test::TemporaryFolder;
using Voxels8 = std::vector<std::uint8_t>;

constexpr Int3 written_shape{7, 5, 4};

Voxels8 counting(Int3 of_shape) {
  Voxels8 voxels(static_cast<std::size_t>(volume(of_shape)));
  std::iota(voxels.begin(), voxels.end(), std::uint8_t{0});
  return voxels;
}

TEST(WriteImage, IsReadBackAsItWas) {
  TemporaryFolder const folder;
  ReadOptions options;
  options.shape = written_shape;
  for (char const* const name : {"a.raw", "a.tif", "a.tiff", "a.npy", "a.npz", "a.vtkhdf"}) {
    write_image(folder / name, written_shape, counting(written_shape));
    Image const image = read_image(folder / name, options);
    EXPECT_EQ(std::get<Voxels8>(image.voxels), counting(written_shape)) << name;
  }
  EXPECT_EQ(std::filesystem::file_size(folder / "a.raw"),
            static_cast<std::uintmax_t>(volume(written_shape)));
  EXPECT_EQ(folder.names().size(), 6U);
}

TEST(WriteImage, ChoosesByTheExtensionAlone) {
  TemporaryFolder const folder;
  EXPECT_BAD_INPUT(write_image(folder / "a.png", written_shape, counting(written_shape)),
                   "the extension .raw, .npy, .npz, .tif, .tiff, .vti or .vtkhdf");
  EXPECT_TRUE(folder.names().empty());
}

TEST(WriteImage, RefusesVoxelsThatDoNotFillTheShape) {
  TemporaryFolder const folder;
  EXPECT_THROW(write_image(folder / "a.raw", {2, 2, 2}, Voxels8(7)), std::invalid_argument);
}

TEST(WriteImage, LeavesNothingWhenThereIsNoRoom) {
  TemporaryFolder const folder;
  Int3 const large{100, 100, 10};
  auto* const handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  rlimit const small{30000, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  std::string const raw = test::message_of<EnvironmentError>(
      [&] { write_image(folder / "a.raw", large, counting(large)); });
  std::string const tiff = test::message_of<EnvironmentError>(
      [&] { write_image(folder / "a.tif", large, counting(large)); });
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_NE(raw.find("cannot write "), std::string::npos) << raw;
  EXPECT_NE(tiff.find("cannot write "), std::string::npos) << tiff;
  EXPECT_TRUE(folder.names().empty());
}

TEST(WriteImage, RefusesAFolderThatIsNotThere) {
  TemporaryFolder const folder;
  EXPECT_THROW(write_image(folder / "no/a.raw", written_shape, counting(written_shape)),
               EnvironmentError);
  EXPECT_THROW(write_image(folder / "no/a.tif", written_shape, counting(written_shape)),
               EnvironmentError);
}

}  // namespace
}  // namespace tessera

// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <zlib.h>

#include <string>

#include "io/images/image.hpp"
#include "tests/io/damage.hpp"
#include "tests/io/files.hpp"
#include "tests/io/images/packed.hpp"

namespace tessera {
namespace {

using test::TemporaryFolder;

std::string const nrrd_voxels = test::voxels_of_60();

std::string nrrd(std::string const& fields, std::string const& data) {
  return "NRRD0005\ntype: uchar\ndimension: 3\nsizes: 5 4 3\n" + fields + "\n" + data;
}

Image read_nrrd(TemporaryFolder const& folder, std::string const& fields, std::string const& data) {
  return read_image(folder.write("a.nrrd", nrrd(fields, data)), {});
}

TEST(Nrrd, ThatIsDamagedIsReadWholeOrRefused) {
  std::string const packed = test::gzipped(nrrd_voxels);
  std::string const head = nrrd("encoding: gzip\n", "");
  test::expect_whole_or_refused("a.nrrd", head + packed,
                                {.has_checksum = true, .header = head.size()});
  test::expect_whole_or_refused("b.nrrd", nrrd("encoding: raw\n", nrrd_voxels), {});
  // bzip2 of 60 nrrd_voxels by Python: a stream of its own with a checksum for each block.
  std::string const bzip2 = test::bzipped(nrrd_voxels);
  std::string const head_of_it = nrrd("encoding: bzip2\n", "");
  test::expect_whole_or_refused("c.nrrd", head_of_it + bzip2,
                                {.has_checksum = true, .header = head_of_it.size()});
  std::string text;
  for (char const voxel : nrrd_voxels) text += std::to_string(100 + voxel) + " ";
  test::expect_whole_or_refused("d.nrrd", nrrd("encoding: ascii\n", text + "\n"), {});
  test::expect_whole_or_refused("e.nrrd", nrrd("encoding: hex\n", std::string(120, '1')), {});
}

TEST(Nrrd, TakesNumbersInTextThatFitItsTypeOnly) {
  TemporaryFolder const folder;
  auto const text = [](std::string const& last) {
    std::string all;
    for (int i = 0; i < 59; ++i) all += "7, ";
    return all + last + "\n";
  };
  EXPECT_EQ(std::get<0>(read_nrrd(folder, "encoding: ascii\n", text("255")).voxels).back(), 255);
  for (char const* last : {"256", "-1", "1.5", "x", "1e2"})
    EXPECT_BAD_INPUT(read_nrrd(folder, "encoding: ascii\n", text(last)),
                     "which is no number of type");
  EXPECT_BAD_INPUT(read_nrrd(folder, "encoding: ascii\n", text("1 1")),
                   "longer than its header says");
  // Without a blank behind it nobody knows whether that was all of it.
  std::string all = text("25");
  all.pop_back();
  EXPECT_BAD_INPUT(read_nrrd(folder, "encoding: ascii\n", all),
                   "No blank is behind its last number");
}

TEST(Nrrd, WhoseVoxelsStandBesideItSaysWhatIsToBeSkipped) {
  TemporaryFolder const folder;
  folder.write("v.raw", "head!" + nrrd_voxels);
  auto const beside = [&](std::string const& skip) {
    return folder.write("a.nhdr", nrrd("encoding: raw\n" + skip + "data file: v.raw\n", ""));
  };
  EXPECT_BAD_INPUT(read_image(beside(""), {}), "longer than its header says: 5 bytes behind");
  EXPECT_BAD_INPUT(read_image(beside("byte skip: 6\n"), {}), "truncated");
  for (char const* skip : {"byte skip: 5\n", "byte skip: -1\n"}) {
    Image const image = read_image(beside(skip), {});
    auto const& found = std::get<0>(image.voxels);
    EXPECT_EQ(std::string(found.begin(), found.end()), nrrd_voxels);
  }
}

TEST(Nrrd, OfSeveralVolumesIsRefused) {
  TemporaryFolder const folder;
  EXPECT_BAD_INPUT(read_nrrd(folder, "encoding: raw\nkinds: domain domain time\n", nrrd_voxels),
                   "axis 2 of 3 samples is of kind time");
  EXPECT_BAD_INPUT(
      read_nrrd(folder, "encoding: raw\nspace dimension: 2\nspace directions: (1,0) (0,1) none\n",
                nrrd_voxels),
      "axis 2 of 3 samples has no direction in space");
}

TEST(Nrrd, HasTheVoxelSizeThatTheEndsOfItsAxesMake) {
  TemporaryFolder const folder;
  std::string const ends = "encoding: raw\naxis mins: 0 0 0\nunits: \"um\" \"um\" \"um\"\n";
  Image const cells =
      read_nrrd(folder, ends + "axis maxs: 10 8 6\ncenters: cell cell cell\n", nrrd_voxels);
  ASSERT_TRUE(cells.edges);
  EXPECT_NEAR(cells.edges->metres[2], 2e-6, 1e-15);
  Image const nodes =
      read_nrrd(folder, ends + "axis maxs: 8 6 4\ncenters: node node node\n", nrrd_voxels);
  ASSERT_TRUE(nodes.edges);
  EXPECT_NEAR(nodes.edges->metres[0], 2e-6, 1e-15);
  EXPECT_NE(
      read_nrrd(folder, ends + "axis maxs: 8 6 4\n", nrrd_voxels).doubtful_edges.find("centerings"),
      std::string::npos);
  Image const negative = read_nrrd(
      folder, "encoding: raw\nspacings: -2 2 2\nunits: \"um\" \"um\" \"um\"\n", nrrd_voxels);
  EXPECT_FALSE(negative.edges);
  EXPECT_EQ(negative.doubtful_edges, "its spacing of -2 x 2 x 2 is no size of a voxel");
}

}  // namespace
}  // namespace tessera

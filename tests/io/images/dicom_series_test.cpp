// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "io/images/image.hpp"
#include "tests/io/damage.hpp"
#include "tests/io/files.hpp"
#include "tests/io/images/dicom_bytes.hpp"
#include "tests/io/images/packed.hpp"

namespace tessera {
namespace {

using Slice = test::DicomBytes;
using test::TemporaryFolder;

void write_series(TemporaryFolder const& folder, std::initializer_list<double> positions) {
  for (double const position : positions) {
    Slice slice;
    slice.position = position;
    folder.write("s" + std::to_string(static_cast<int>(position)) + ".dcm", slice.bytes());
  }
}

TEST(Dicom, ThatIsDamagedIsReadWholeOrRefused) {
  test::expect_whole_or_refused("a.dcm", Slice().bytes(), {});
}

TEST(Dicom, NamesTheNeighboursThatAreTooFarApart) {
  TemporaryFolder const folder;
  write_series(folder, {0, 2, 4, 8, 10, 12, 14});
  EXPECT_BAD_INPUT(read_image(folder.path(), {}),
                   "s4.dcm and s8.dcm are 4 mm apart, most slices 2 mm: one is missing between");
  write_series(folder, {6});
  EXPECT_EQ(read_image(folder.path(), {}).shape.z, 8);
  folder.write("s100.dcm", test::read_bytes(folder / "s6.dcm"));
  EXPECT_BAD_INPUT(read_image(folder.path(), {}), "0 mm apart, most slices 2 mm: one is too many");
}

TEST(Dicom, OfAFolderIsOneSeries) {
  TemporaryFolder const folder;
  write_series(folder, {0, 2, 4});
  folder.write("DICOMDIR", test::read_bytes(folder / "s0.dcm"));
  EXPECT_EQ(read_image(folder.path(), {}).shape.z, 3);
  Slice other{.position = 6, .series = "1.2.4"};
  folder.write("t.dcm", other.bytes());
  EXPECT_BAD_INPUT(read_image(folder.path(), {}), "t.dcm is of another series");
  other = {.position = 6,
           .series = "1.2.3 ",
           .more = "",
           .rescale = Slice::element(0x28, 0x1052, "DS", "5")};
  folder.write("t.dcm", other.bytes());
  EXPECT_BAD_INPUT(read_image(folder.path(), {}), "t.dcm is 5 x 4 (int32)");
  folder.write("t.dcm", Slice().bytes());
  EXPECT_BAD_INPUT(read_image(folder.path(), {}), "one only says its ImagePositionPatient");
  folder.write("t.tif", "II*");
  EXPECT_BAD_INPUT(read_image(folder.path(), {}), "TIFF and DICOM files beside each other");
}

TEST(Dicom, SaysHowFarItsSlicesAreApart) {
  TemporaryFolder const folder;
  for (int z = 0; z < 3; ++z) {
    Slice slice{.position = 2.0 * z};
    slice.more = "";
    slice.series = "1.2.3 ";
    std::string bytes = slice.bytes();
    bytes.insert(bytes.find(Slice::element(0x20, 0xe, "UI", slice.series)),
                 Slice::element(0x18, 0x88, "DS", "1"));
    folder.write("s" + std::to_string(z) + ".dcm", bytes);
  }
  EXPECT_BAD_INPUT(read_image(folder.path(), {}), "slices are 2 mm apart, but say 1 mm");
}

TEST(Dicom, OfOneFileIsOneFrameOfNumbers) {
  TemporaryFolder const folder;
  auto const refused = [&](Slice const& slice, std::string const& says) {
    EXPECT_BAD_INPUT(read_image(folder.write("a.dcm", slice.bytes()), {}), says);
  };
  Slice frames;
  frames.more = Slice::element(0x28, 8, "IS", "3 ");
  frames.pixels = test::voxels_of_60();
  refused(frames, "3 frames in one file");
  refused({.pixels = std::string(40, '\1')}, "40 bytes of pixels, but a slice of 5 x 4");
  refused({.bits = 12}, "pixels of 12 bits");
}

TEST(Dicom, HasTheValuesThatItsPixelsMean) {
  TemporaryFolder const folder;
  auto const first = [&](Slice const& slice) {
    Image const image = read_image(folder.write("a.dcm", slice.bytes()), {});
    return std::visit([](auto const& values) { return static_cast<double>(values.front()); },
                      image.voxels);
  };
  std::string const of_8(20, '\xf0');
  std::string const of_16(40, '\xf0');
  EXPECT_EQ(first({.pixels = of_8}), 240);
  EXPECT_EQ(first({.pixels = of_8, .is_signed = true}), -16);
  EXPECT_EQ(first({.pixels = of_16, .bits = 16}), 61680);
  EXPECT_EQ(first({.pixels = std::string(80, '\1'), .bits = 32}), 0x01010101);
  std::string const scaled =
      Slice::element(0x28, 0x1052, "DS", "-1024 ") + Slice::element(0x28, 0x1053, "DS", "2 ");
  EXPECT_EQ(first({.pixels = of_16, .bits = 16, .rescale = scaled}), 2 * 61680 - 1024);
  std::string const halved =
      Slice::element(0x28, 0x1052, "DS", "0.5 ") + Slice::element(0x28, 0x1053, "DS", "0.5 ");
  EXPECT_EQ(first({.pixels = of_16, .bits = 16, .is_signed = true, .rescale = halved}),
            -3856 * 0.5 + 0.5);
}

}  // namespace
}  // namespace tessera

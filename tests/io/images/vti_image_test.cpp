// SPDX-License-Identifier: MIT
// VTK's XML images: what VTK's reader would leave as it happens to be is refused.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "io/images/image.hpp"
#include "io/vtk_module.hpp"
#include "tests/io/files.hpp"

namespace tessera {
namespace {

using test::TemporaryFolder;

class VtiImage : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_vtk()) GTEST_SKIP() << "this build has no VTK";
  }
  std::string voxels(std::string const& file) {
    auto const image = read_image(folder_.write("a.vti", file), {});
    auto const& values = std::get<std::vector<std::uint8_t>>(image.voxels);
    std::string text;
    for (std::uint8_t const value : values) text += std::to_string(value);
    return text;
  }
  void refused(std::string const& file, std::string const& says) {
    EXPECT_BAD_INPUT(read_image(folder_.write("a.vti", file), {}), says);
  }

  TemporaryFolder folder_;
};

std::string array(std::string const& values, std::string const& type = "UInt8",
                  std::string const& more = R"(format="ascii")") {
  return fmt::format(R"(<DataArray type="{}" Name="im" {}>{}</DataArray>)", type, more, values);
}

std::string piece(std::string const& extent, std::string const& arrays) {
  return fmt::format(R"(<Piece Extent="{}"><PointData>{}</PointData><CellData/></Piece>)", extent,
                     arrays);
}

std::string vti(std::string const& extent, std::string const& pieces, std::string const& more = "",
                std::string const& appended = "") {
  return fmt::format(
      R"(<?xml version="1.0"?><VTKFile type="ImageData" version="1.0" )"
      R"(byte_order="LittleEndian" header_type="UInt32"><ImageData WholeExtent="{}" )"
      R"(Origin="0 0 0" Spacing="1 1 1" {}>{}</ImageData>{}</VTKFile>)",
      extent, more, pieces, appended);
}

TEST_F(VtiImage, OfSeveralPiecesHasAllOfThem) {
  std::string const first = piece("0 1 0 0 0 1", array("1 2 3 4"));
  std::string const second = piece("0 1 0 0 1 2", array("3 4 5 6"));
  std::string const behind = piece("0 1 0 0 2 2", array("5 6"));
  EXPECT_EQ(voxels(vti("0 1 0 0 0 2", first + second)), "123456");
  EXPECT_EQ(voxels(vti("0 1 0 0 0 2", first + behind)), "123456");
  refused(vti("0 1 0 0 0 2", first), "its 1 piece does not fill its whole extent");
  refused(vti("0 1 0 0 0 3", first + piece("0 1 0 0 3 3", array("7 8"))), "do not fill its whole");
  // VTK writes all of what it cannot cut for each of the pieces that it is asked for.
  std::string const all = piece("0 1 0 0 0 2", array("1 2 3 4 5 6"));
  EXPECT_EQ(voxels(vti("0 1 0 0 0 2", all + all)), "123456");
  refused(vti("0 1 0 0 0 1", first + second), "piece 2 reaches beyond the whole");
  refused(vti("0 1 0 0 0 2", first + piece("0 1 0 0 1 2", "")),
          "piece 2 has the arrays , but the first has PointData im (UInt8)");
}

TEST_F(VtiImage, InTextHasAsManyNumbersAsVoxelsAndEachFits) {
  auto const one = [](std::string const& values, std::string const& type = "UInt8") {
    return vti("0 1 0 0 0 1", piece("0 1 0 0 0 1", array(values, type)));
  };
  EXPECT_EQ(voxels(one(" 0\n1 255 3 ")), "012553");
  refused(one("0 1 2"), "array im of piece 1 holds 3 values, 4 were expected");
  refused(one("0 1 2 3 4"), "holds 5 values, 4 were expected");
  refused(one("0 1 256 3"), "holds '256', which is no UInt8");
  refused(one("0 1 -1 3"), "holds '-1', which is no UInt8");
  refused(one("0 1 1.5 3"), "holds '1.5', which is no UInt8");
  refused(one("0 1 -129 3", "Int8"), "no Int8");
  refused(one("0 1 x 3", "Float32"), "no Float32");
  auto const reals = read_image(folder_.write("f.vti", one("0 -1.5 nan 1e3", "Float32")), {});
  EXPECT_EQ(std::get<std::vector<float>>(reals.voxels)[1], -1.5F);
}

TEST_F(VtiImage, InBytesHasAsManyAsItsHeaderSaysAndTheyAreThere) {
  auto const file = [](unsigned length, std::string const& bytes) {
    std::string const appended = test::Bytes(false).number(length, 4).text(bytes).str();
    return vti("0 1 0 0 0 1",
               piece("0 1 0 0 0 1", array("", "UInt8", R"(format="appended" offset="0")")), "",
               R"(<AppendedData encoding="raw">_)" + appended + "</AppendedData>");
  };
  std::string const whole = file(4, std::string("\1\2\3\4", 4));
  EXPECT_EQ(voxels(whole), "1234");
  refused(whole.substr(0, whole.size() - 27), "truncated or damaged: its values have no end");
  refused(file(4, "\1\2"), "array im of piece 1 ends before its values");
  refused(file(3, "\1\2\3\4"), "holds 3 bytes, 4 were expected");
  auto const inlined = [](std::string const& base64) {
    return vti("0 1 0 0 0 1", piece("0 1 0 0 0 1", array(base64, "UInt8", R"(format="binary")")));
  };
  EXPECT_EQ(voxels(inlined("BAAAAAECAwQ=")), "1234");
  refused(inlined("BAAAAAEC"), "ends before its values");
  refused(inlined("BQAAAAECAwQ="), "holds 5 bytes, 4 were expected");
}

TEST_F(VtiImage, OfSeveralTimesIsRefused) {
  std::string const times = array("1 2", "UInt8", R"(TimeStep="0" format="ascii")") +
                            array("3 4", "UInt8", R"(TimeStep="1" format="ascii")");
  refused(vti("0 1 0 0 0 0", piece("0 1 0 0 0 0", times), R"(TimeValues="0 1")"),
          "2 times, one was expected");
  refused(vti("0 1 0 0 0 0", piece("0 1 0 0 0 0", times)), "several arrays PointData im (UInt8)");
}

TEST_F(VtiImage, MayHaveBits) {
  std::string const bits = array("AgAAAKWA", "Bit", R"(format="binary")");
  EXPECT_EQ(voxels(vti("0 2 0 2 0 0", piece("0 2 0 2 0 0", bits))), "101001011");
  refused(vti("0 2 0 2 0 1", piece("0 2 0 2 0 0", bits) + piece("0 2 0 2 1 1", bits)),
          "bits in several pieces");
}

}  // namespace
}  // namespace tessera

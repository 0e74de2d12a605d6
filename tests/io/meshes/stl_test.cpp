// SPDX-License-Identifier: MIT
#include "io/meshes/stl.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "base/errors.hpp"
#include "geometry/generate.hpp"
#include "geometry/solids.hpp"
#include "geometry/triangle_index.hpp"
#include "tests/geometry/meshes.hpp"

namespace tessera {
namespace {

using test::ascii_stl;
using test::binary_stl;

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

std::vector<Triangle> cube() { return test::box_triangles({-1, 0, 0.5}, {1, 2, 2.5}); }

TEST(Stl, IsReadAlikeFromBinaryAndAscii) {
  test::TemporaryFolder const folder;
  EXPECT_EQ(read_stl(folder.write("binary.stl", binary_stl(cube()))), cube());
  EXPECT_EQ(read_stl(folder.write("ascii.stl", ascii_stl(cube()))), cube());
}

TEST(Stl, OfBinaryFormMayBeginWithSolid) {
  test::TemporaryFolder const folder;
  EXPECT_EQ(
      read_stl(folder.write("a", binary_stl(cube(), "solid of a program that knew no better"))),
      cube());
}

TEST(Stl, OfAsciiFormMayHaveSeveralSolidsAndAnySpelling) {
  test::TemporaryFolder const folder;
  std::string const text =
      "SOLID\r\n FACET NORMAL nan nan nan OUTER LOOP VERTEX +1 2e0 .5\tVERTEX 0 0 0 VERTEX 1 0 0 "
      "ENDLOOP ENDFACET\r\nENDSOLID\r\nsolid facet of the second\nendsolid\n";
  std::vector<Triangle> const expected{{Vector3{1, 2, 0.5}, Vector3{0, 0, 0}, Vector3{1, 0, 0}}};
  EXPECT_EQ(read_stl(folder.write("a", text)), expected);
  EXPECT_EQ(read_stl(folder.write("b", ascii_stl(cube(), "one") + ascii_stl(cube(), ""))).size(),
            24U);
}

TEST(Stl, IsScaledAndMovedIntoTheVoxels) {
  if (!has_triangle_index()) GTEST_SKIP() << "this build has no Embree";
  test::TemporaryFolder const folder;
  auto const path = folder.write("cube.stl", binary_stl(cube()));
  SurfacePointer const solid = stl_surface(path, {3, {10, 4, 0}});
  EXPECT_EQ(solid->bounds().lower, (Vector3{7, 4, 1.5}));
  EXPECT_EQ(solid->bounds().upper, (Vector3{13, 10, 7.5}));
  EXPECT_EQ(solid->name(), path.string());
  EXPECT_NEAR(solid->crossing({5, 8, 5}, {8, 8, 5}).value(), 2.0 / 3, 1e-15);
}

TEST(Stl, ThatIsTruncatedIsRefusedWhereverItEnds) {
  test::TemporaryFolder const folder;
  std::string const text = ascii_stl(cube());
  std::size_t const last_word = text.rfind("endsolid") + 8;
  for (std::string const& bytes : {binary_stl(cube()), binary_stl(cube(), "solid"), text}) {
    for (std::size_t size = 0; size < bytes.size(); size += size < 100 ? 2 : 10) {
      if (bytes == text && size >= last_word) break;
      auto const path = folder.write("part.stl", bytes.substr(0, size));
      std::string const message = test::message_of<BadInput>([&] { read_stl(path); });
      EXPECT_EQ(message.find('\n'), std::string::npos) << message;
      EXPECT_EQ(message.find(path.string()), 0U) << message;
    }
  }
}

TEST(Stl, WithAnyByteChangedIsReadOrRefused) {
  if (!has_triangle_index()) GTEST_SKIP() << "this build has no Embree";
  test::TemporaryFolder const folder;
  for (std::string const& good : {binary_stl(cube()), ascii_stl(cube())}) {
    for (std::size_t at = 0; at < good.size(); at += 31) {
      for (char const byte : {'\0', '\x7f', '\xff', ' ', '9'}) {
        std::string bytes = good;
        bytes[at] = byte;
        auto const path = folder.write("changed.stl", bytes);
        try {
          SurfacePointer const solid = stl_surface(path, {});
          (void)solid->inside({0, 0, 0});
        } catch (BadInput const& error) {
          EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
        }
      }
    }
  }
}

TEST(Stl, IsRefusedWithOneLineThatSaysWhy) {
  test::TemporaryFolder const folder;
  auto const message = [&](std::string const& bytes) {
    auto const path = folder.write("a.stl", bytes);
    std::string const text = test::message_of<BadInput>([&] { stl_surface(path, {}); });
    EXPECT_EQ(text.find(path.string() + ": "), 0U) << text;
    return text.substr(std::min(text.size(), path.string().size() + 2));
  };
  EXPECT_EQ(test::message_of<BadInput>([] { read_stl("/nowhere.stl"); }),
            "/nowhere.stl: no such file");
  EXPECT_EQ(message(""), "the file is empty");
  EXPECT_EQ(
      message("GIF89a"),
      "not an STL file: it has 6 bytes and does not begin with \"solid\"; a binary STL has 84 "
      "or more");
  EXPECT_EQ(message(binary_stl(cube()).substr(0, 600)),
            "not an STL file, or one that is truncated: as a binary STL of 12 triangles it would "
            "have 684 bytes, but it has 600");
  EXPECT_EQ(message(binary_stl(cube()) + "more"),
            "not an STL file, or one that is oversized: as a binary STL of 12 triangles it would "
            "have 684 bytes, but it has 688");
  EXPECT_EQ(message(binary_stl({})), "no triangles; expected a closed surface");
  EXPECT_EQ(message("solid nothing\nendsolid nothing\n"),
            "no triangles; expected a closed surface");
  EXPECT_EQ(message("solid\n facet normal 0 0 1\n  outer loop\n   vertex 0 0"),
            "truncated ASCII STL: it ends in line 4, after 0 triangles; expected a number");
  EXPECT_EQ(message("solid\n facet normal 0 0 1\n  outer loop\n   vertex 0 0,5 1"),
            "line 4 of this ASCII STL has \"0,5\"; expected a number");
  EXPECT_EQ(message("solid of gold\nis what this is\n"),
            "line 2 of this ASCII STL has \"is\"; expected endsolid");
  std::vector<Triangle> triangles = cube();
  triangles[2][1].y = not_a_number;
  EXPECT_EQ(message(binary_stl(triangles)),
            "triangle 3 of 12 has a coordinate that is not finite; expected numbers");
  EXPECT_EQ(message(ascii_stl(triangles)),
            "triangle 3 of 12 has a coordinate that is not finite; expected numbers");
  triangles = cube();
  triangles.erase(triangles.begin() + 4);
  EXPECT_EQ(
      message(ascii_stl(triangles)),
      "not watertight: 3 of 18 edges do not have exactly two triangles, one of them from (-1, "
      "0, 0.5) to (1, 0, 0.5); expected a closed surface");
}

TEST(Stl, IsRefusedInPlacesThatMakeNoSense) {
  test::TemporaryFolder const folder;
  auto const path = folder.write("a.stl", binary_stl(cube()));
  std::string const name = path.string();
  for (double const scale : {0.0, -1.0, not_a_number})
    EXPECT_THROW(stl_surface(path, {scale, {}}), BadInput);
  EXPECT_EQ(test::message_of<BadInput>([&] {
              stl_surface(path, {-2, {}});
            }),
            name + ": the scale is -2; expected more than 0 voxels for a unit of the file");
  EXPECT_EQ(test::message_of<BadInput>([&] {
              stl_surface(path, {1, {0, not_a_number, 0}});
            }),
            name + ": the translation is (0, nan, 0); expected finite numbers");
  for (double const scale : {1e7, 1e300, 1e308}) {
    EXPECT_BAD_INPUT(stl_surface(path, {scale, {}}), "voxels along x; expected -1e6 to 1e6");
  }
  if (!has_triangle_index()) return;
  Geometry geometry = uniform_box({8, 8, 8}, 1);
  std::vector<std::uint8_t> labels;
  std::vector<SolidBody> const bodies{{stl_surface(path, {1, {0, 10, 0}}), 1}};
  EXPECT_EQ(
      test::message_of<BadInput>([&] { voxelise(bodies, geometry, labels); }),
      name + ": it reaches from 10 to 12 voxels along y; expected it to meet the box, 0 to 8");
}

}  // namespace
}  // namespace tessera

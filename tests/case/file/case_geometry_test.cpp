// SPDX-License-Identifier: MIT
// [geometry] and [[geometry.solid]] of case files.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "tests/case/file/case_files.hpp"

namespace tessera {
namespace {

using test::lines;
using test::refusal;
using test::refusal_with;
using test::rest;
using test::TemporaryFolder;

TEST(CaseGeometry, HasPeriodicAxes) {
  Case const c =
      test::read_text(lines("[geometry]\nshape = [16, 12, 8]\nperiodic = [\"z\", \"x\"]\n", rest));
  EXPECT_EQ(c.geometry.periodic, (std::array{true, false, true}));
  EXPECT_EQ(refusal(lines("[geometry]\nshape = [16, 12, 8]\nperiodic = [\"w\"]\n", rest)),
            "case.toml:3: periodic = \"w\": expected x, y or z");
  EXPECT_EQ(refusal(lines("[geometry]\nshape = [16, 12, 8]\nperiodic = \"x\"\n", rest)),
            "case.toml:3: periodic = \"x\": expected a list, each x, y or z, such as [\"z\"]");
}

TEST(CaseGeometry, OfOneLayerIsAPlaneFlow) {
  Case const c = test::read_text(lines("[geometry]\nshape = [16, 12, 1]\n", rest));
  EXPECT_TRUE(c.geometry.periodic[2]);
  EXPECT_EQ(c.model.lattice, LatticeKind::d2q9);
}

TEST(CaseGeometry, HasWholeNumbersOfVoxels) {
  EXPECT_EQ(refusal(lines("[geometry]\nshape = [16.5, 12, 8]\n", rest)),
            "case.toml:2: shape = [16.5, 12, 8]: expected whole numbers of voxels along x, y, z, "
            "not 16.5");
  EXPECT_EQ(refusal(lines("[geometry]\nshape = [16, 12, 0]\n", rest)),
            "case.toml:2: shape = 0: expected [x, y, z], each a positive length, such as [440, 82, "
            "1]");
}

TEST(CaseGeometry, AsksForWhatAnImageDoesNotSayInItsOwnWords) {
  TemporaryFolder const folder;
  folder.write("rock.raw", std::string(8, '\1'));
  EXPECT_NE(refusal(lines("[geometry]\nimage = \"rock.raw\"\n", rest), folder)
                .find("does not say its shape: give shape = [X,Y,Z]; 8 bytes"),
            std::string::npos);
  // A boolean array of 6 False and 2 True.
  std::string const header =
      "{'descr': '|b1', 'fortran_order': False, 'shape': (2, 2, 2), }              \n";
  folder.write("true.npy", std::string("\x93NUMPY\1\0", 8) + static_cast<char>(header.size()) +
                               '\0' + header + std::string(6, '\0') + "\1\1");
  EXPECT_NE(
      refusal(lines("[geometry]\nimage = \"true.npy\"\n", rest), folder).find("case.toml:2: "),
      std::string::npos);
  EXPECT_NE(refusal(lines("[geometry]\nimage = \"true.npy\"\n", rest), folder)
                .find("give pore = 1 for a porosity of 0.25"),
            std::string::npos);
  Case const c =
      test::read_text(lines("[geometry]\nimage = \"true.npy\"\npore = 1\n", rest), folder);
  EXPECT_EQ(label_pores(*c.geometry.image, c.geometry.pore).pore_voxels(), 2);
}

TEST(CaseGeometry, WarnsOfAnImageWithoutSolid) {
  TemporaryFolder const folder;
  folder.write("rock.raw", std::string(8, '\0'));
  Case const c =
      test::read_text(lines("[geometry]\nimage = \"rock.raw\"\nshape = [2, 2, 2]\n", rest), folder);
  ASSERT_EQ(c.warnings.size(), 1U);
  EXPECT_NE(c.warnings[0].find("rock.raw is pore: the flow meets no solid"), std::string::npos);
}

TEST(CaseGeometry, IsNoLargerThanAnyImage) {
  EXPECT_EQ(refusal(lines("[geometry]\nshape = [1e9, 1e9, 1e9]\n", rest)),
            "case.toml:2: shape = [1000000000, 1000000000, 1000000000]: expected a box of at most "
            "2^40 voxels");
}

TEST(CaseGeometry, HasSpheresCylindersBoxesAndStlFiles) {
  TemporaryFolder const folder;
  folder.write("wing.stl", "solid");
  Case const c = test::read_text(
      lines(test::box, rest,
            "[[geometry.solid]]\nshape = \"sphere\"\nlabel = \"ball\"\ncenter = [\"nx/2\", 6, 4]\n"
            "radius = 3\n"
            "[[geometry.solid]]\nshape = \"cylinder\"\naxis = \"x\"\ncenter = [0, 6, 4]\n"
            "radius = 3.5\noutside = true\nlength = 5\n"
            "[[geometry.solid]]\nshape = \"box\"\nlower = [1, 2, 3]\nupper = [4, 5, 6]\n"
            "[[geometry.solid]]\nshape = \"stl\"\nfile = \"wing.stl\"\nscale = 2\n"
            "translate = [1, 2, 3]\n"),
      folder);
  auto const& solids = c.geometry.solids;
  ASSERT_EQ(solids.size(), 4U);
  EXPECT_EQ(solids[0].shape, Case::SolidShape::sphere);
  EXPECT_EQ(solids[0].label, "ball");
  EXPECT_EQ(solids[0].center, (Case::Double3{8, 6, 4}));
  EXPECT_EQ(solids[0].radius, 3);
  EXPECT_EQ(solids[0].line, 7);
  EXPECT_FALSE(solids[0].outside);
  EXPECT_EQ(solids[1].shape, Case::SolidShape::cylinder);
  EXPECT_EQ(solids[1].axis, Axis::x);
  EXPECT_EQ(solids[1].length, 5);
  EXPECT_TRUE(solids[1].outside);
  EXPECT_EQ(solids[2].shape, Case::SolidShape::box);
  EXPECT_EQ(solids[2].lower, (Case::Double3{1, 2, 3}));
  EXPECT_EQ(solids[2].upper, (Case::Double3{4, 5, 6}));
  EXPECT_EQ(solids[3].shape, Case::SolidShape::stl);
  EXPECT_EQ(solids[3].stl, folder / "wing.stl");
  EXPECT_EQ(solids[3].scale, 2);
  EXPECT_EQ(solids[3].translate, (Case::Double3{1, 2, 3}));
}

std::string solid_refused(std::string_view text) {
  return refusal_with(lines("[[geometry.solid]]\n", text));
}

TEST(CaseGeometry, RefusesSolidsThatMakeNoSense) {
  EXPECT_EQ(solid_refused("shape = \"ball\"\n"),
            "case.toml:8: shape = \"ball\": expected sphere, cylinder, box or stl");
  EXPECT_EQ(solid_refused("shape = \"sphere\"\nradius = 3\n"),
            "case.toml:7: [[geometry.solid]] has no 'center': expected [x, y, z], each a length, "
            "such as [20, 20, 20]");
  EXPECT_EQ(solid_refused("shape = \"sphere\"\ncenter = [8, 6, 4]\nradius = 0\n"),
            "case.toml:10: radius = 0: expected a positive length, such as 10");
  EXPECT_EQ(
      solid_refused("shape = \"sphere\"\ncenter = [8, 6, 4]\nradius = 1\naxis = \"x\"\n"),
      "case.toml:11: 'axis' does not belong to shape = \"sphere\": expected no key but shape, "
      "label, outside, center, radius");
  EXPECT_EQ(solid_refused("shape = \"box\"\nlower = [1, 1, 1]\nupper = [2, 1, 2]\n"),
            "case.toml:10: upper = [2, 1, 2]: expected more than 'lower' along every axis");
  EXPECT_EQ(solid_refused("shape = \"stl\"\nfile = \"wing.stl\"\n"),
            "case.toml:9: file = \"wing.stl\": there is no such file: expected one, as seen from "
            "the folder of the case");
  EXPECT_EQ(solid_refused("shape = \"sphere\"\ncenter = [80, 6, 4]\nradius = 3\n"),
            "case.toml:8: the sphere lies outside of the box of 16 x 12 x 8 voxels: expected it to "
            "reach into the box");
}

TEST(CaseGeometry, RefusesLabelsThatAreAmbiguous) {
  std::string const ball = "shape = \"sphere\"\ncenter = [8, 6, 4]\nradius = 1\nlabel = ";
  EXPECT_EQ(solid_refused(ball + "\"x\"\n"),
            "case.toml:11: label = \"x\": expected a name that is not that of an axis or a face");
}

/// A folder with an image of 4 x 3 x 2 voxels: 0, 1, 7 and 9 along x.
class CaseWithImage : public testing::Test {
 protected:
  void SetUp() override {
    std::string bytes;
    for (int row = 0; row < 6; ++row) bytes += std::string{0, 1, 7, 9};
    folder.write("image.raw", bytes);
  }
  std::string text(std::string_view keys, std::string_view more = {}) const {
    return lines("[geometry]\nimage = \"image.raw\"\nshape = [4, 3, 2]\n", keys, rest) +
           std::string(more);
  }
  TemporaryFolder folder;
};

TEST_F(CaseWithImage, ReadsItBesideTheCaseWithTheOptionsOfTheCommand) {
  Case const c = test::read_text(
      text("crop = \"1:4,0:3,0:2\"\npore = \"1\"\nsolid-labels = \"7,9\"\n"), folder);
  ASSERT_TRUE(c.geometry.image);
  EXPECT_EQ(c.geometry.shape, (Int3{3, 3, 2}));
  EXPECT_EQ(label_pores(*c.geometry.image, c.geometry.pore).pore_voxels(), 6);
}

TEST_F(CaseWithImage, TakesLabelsWithAConditionForSolid) {
  Case const c = test::read_text(text("pore = \"0,1\"\n",
                                      "[[boundary]]\nlabel = 7\ntype = \"moving-wall\"\n"
                                      "velocity = [0, 0.01, 0]\n"),
                                 folder);
  ASSERT_EQ(c.boundaries.size(), 1U);
  EXPECT_EQ(c.boundaries[0].place.kind, Case::PlaceKind::image_label);
  EXPECT_EQ(c.boundaries[0].place.image_label, 7);
  ASSERT_TRUE(c.geometry.pore.solid);
  EXPECT_TRUE(c.geometry.pore.solid->contains(7));
  EXPECT_TRUE(c.geometry.pore.solid->contains(9));
  EXPECT_EQ(label_pores(*c.geometry.image, c.geometry.pore).pore_voxels(), 12);
}

TEST_F(CaseWithImage, RefusesLabelsThatAreNothingOrBoth) {
  EXPECT_EQ(refusal(text(""), folder),
            "case.toml:2: labels 1, 7, 9 of image.raw are neither pore nor solid: expected 'pore' "
            "or 'solid-labels' to name them, or a 'threshold'");
  EXPECT_EQ(
      refusal(text("pore = \"0,7,1\"\n", "[[boundary]]\nlabel = 7\ntype = \"wall\"\n"), folder),
      "case.toml:2: label 7 is both pore and solid: expected 'pore' without it, or no "
      "condition on it");
  EXPECT_EQ(refusal(text("pore = 3\nsolid-labels = \"0-9\"\n"), folder),
            "case.toml:2: no voxel of image.raw is pore: no label is in 3");
  EXPECT_EQ(refusal(text("", "[[boundary]]\nlabel = 5\ntype = \"wall\"\n"), folder),
            "case.toml:9: label = 5: no voxel of image.raw has it: expected one of 0, 1, 7, 9");
}

TEST_F(CaseWithImage, RefusesSolidsWithALabelOfTheImage) {
  std::string const cube =
      "[[geometry.solid]]\nshape = \"box\"\nlower = [0, 0, 0]\nupper = [2, 2, 2]\nlabel = ";
  EXPECT_EQ(
      refusal(text("pore = 0\nsolid-labels = \"1-9\"\n", cube + "\"7\"\n"), folder),
      "case.toml:14: label = \"7\": expected a name that is not that of a label of image.raw, "
      "on which conditions are with label = 7");
  // Voxels of an image with a threshold have no labels, so the name is free.
  EXPECT_NO_THROW(test::read_text(text("threshold = 5\n", cube + "\"7\"\n"), folder));
  EXPECT_NO_THROW(
      test::read_text(text("pore = 0\nsolid-labels = \"1-9\"\n", cube + "\"8\"\n"), folder));
}

TEST_F(CaseWithImage, TellsItsLabelsFromThoseOfSolids) {
  std::string const keys = "pore = 0\nsolid-labels = \"1-9\"\n";
  EXPECT_EQ(refusal(text(keys, "[[boundary]]\non = \"7\"\ntype = \"wall\"\n"), folder),
            "case.toml:11: on = \"7\": there is no such place: expected x-, x+, y-, y+, z-, z+ or "
            "the label of a solid; for a label of the image: label = 7");
  EXPECT_EQ(
      refusal(text(keys,
                   "[[geometry.solid]]\nshape = \"box\"\nlower = [0, 0, 0]\n"
                   "upper = [2, 2, 2]\nlabel = \"cube\"\n"
                   "[[boundary]]\nlabel = \"cube\"\ntype = \"wall\"\n"),
              folder),
      "case.toml:16: label = \"cube\": expected on = \"cube\", as it is the label of a solid");
}

TEST_F(CaseWithImage, MayHaveAThreshold) {
  Case const c = test::read_text(text("threshold = \">5\"\n"), folder);
  EXPECT_EQ(label_pores(*c.geometry.image, c.geometry.pore).pore_voxels(), 12);
  EXPECT_EQ(
      label_pores(*c.geometry.image, test::read_text(text("threshold = 1\n"), folder).geometry.pore)
          .pore_voxels(),
      6);
  EXPECT_EQ(refusal(text("threshold = 5\npore = 1\n"), folder),
            "case.toml:5: 'pore' and 'threshold' exclude each other: expected one of them");
}

TEST_F(CaseWithImage, RefusesWhatTheReaderOfImagesRefuses) {
  EXPECT_TRUE(refusal(text("dtype = \"uint7\"\n"), folder).starts_with("case.toml:2: "));
  EXPECT_EQ(refusal(text("crop = \"1:1,0:3,0:2\"\n"), folder),
            "case.toml:4: crop = \"1:1,0:3,0:2\": expected \"x0:x1,y0:y1,z0:z1\" with 0 <= x0 < x1 "
            "and so on");
  EXPECT_EQ(refusal("[geometry]\nimage = \"no.raw\"\n", folder),
            "case.toml:2: image = \"no.raw\": there is no such file: expected one, as seen from "
            "the folder of the case");
  EXPECT_EQ(refusal(lines(test::box, "pore = 0\n", rest)),
            "case.toml:3: 'pore' says how to read an image, and there is none: expected no key but "
            "shape, periodic");
}

}  // namespace
}  // namespace tessera

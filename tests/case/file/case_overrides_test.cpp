// SPDX-License-Identifier: MIT
// Values in place of those of a case file: `tessera run --set`.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/case/file/case_files.hpp"

namespace tessera {
namespace {

using Texts = std::vector<std::string>;

/// A case of 14 lines.
constexpr std::string_view channel =
    "[constants]\nN = 16\nM = \"N + 8\"\n[geometry]\nshape = [\"M\", \"N\", 8]\n"
    "[fluid]\nviscosity = \"1/N\"\n[model]\ncollision = \"bgk\"\n[stop]\nsteps = 100\n"
    "[[output.probe]]\nname = \"a\"\nat = [1, 1, 1]\n";

Case read_set(Texts const& overrides) {
  test::TemporaryFolder const folder;
  return read_case(folder.write("case.toml", channel), overrides);
}

std::string refusal_of(std::string const& override) {
  test::TemporaryFolder const folder;
  return test::refusal_of_reading(
      [&] { read_case(folder.write("case.toml", channel), {override}); }, folder);
}

TEST(CaseOverrides, StandInPlaceOfConstants) {
  Case const c = read_set({"N=20"});
  EXPECT_EQ(c.geometry.shape, (Int3{28, 20, 8}));
  EXPECT_DOUBLE_EQ(c.fluid.viscosity, 1.0 / 20);
  EXPECT_EQ(c.constants, (Constants{{"N", 20}, {"M", 28}}));
  EXPECT_EQ(c.overrides, Texts{"N=20"});
}

TEST(CaseOverrides, MayBeFormulasOfTheConstantsAboveThem) {
  EXPECT_EQ(read_set({"M=2*N"}).geometry.shape, (Int3{32, 16, 8}));
  EXPECT_EQ(read_set({"N = 3 * 4", "M=\"N^2\""}).geometry.shape, (Int3{144, 12, 8}));
  EXPECT_EQ(refusal_of("N=M"),
            "--set N=M: N = \"M\": unknown name 'M' at position 1: expected a number, or a formula "
            "of the constants above it");
}

TEST(CaseOverrides, OfOneNameTheLastCounts) {
  EXPECT_EQ(read_set({"N=20", "constants.N=12"}).geometry.shape, (Int3{20, 12, 8}));
}

TEST(CaseOverrides, StandInPlaceOfOtherKeys) {
  Case const c =
      read_set({"model.collision=mrt", "stop.steps=7", "fluid.viscosity=0.25", "title=A = b"});
  EXPECT_EQ(c.model.collision, CollisionOperator::mrt);
  EXPECT_EQ(c.stop.steps, 7);
  EXPECT_DOUBLE_EQ(c.fluid.viscosity, 0.25);
  EXPECT_EQ(c.title, "A = b");
}

TEST(CaseOverrides, MakeSectionsThatTheFileDoesNotHave) {
  Case const c = read_set({"run.gpus=0", "stop.steady.tolerance=1e-3", "stop.steady.every=50",
                           "force.body=[1e-6, 0, \"2e-6\"]", "output.fields.final=false"});
  EXPECT_EQ(c.run.gpus, 0);
  ASSERT_TRUE(c.stop.steady);
  EXPECT_DOUBLE_EQ(c.stop.steady->tolerance, 1e-3);
  EXPECT_EQ(c.stop.steady->every, 50);
  EXPECT_EQ(c.force.body, (Case::Double3{1e-6, 0, 2e-6}));
  EXPECT_FALSE(c.output.fields.last);
}

TEST(CaseOverrides, OfNothingLeaveKeysAndSectionsOut) {
  Case const c =
      read_set({"fluid.viscosity=", "fluid.relaxation-time=0.8", "model =", "output.probe="});
  EXPECT_DOUBLE_EQ(c.fluid.relaxation_time, 0.8);
  EXPECT_EQ(c.model.collision, CollisionOperator::trt);
  EXPECT_TRUE(c.output.probes.empty());
  EXPECT_EQ(refusal_of("N="), "--set N=: expected a value, as it is a constant");
  EXPECT_EQ(refusal_of("fluid.speed="),
            "--set fluid.speed=: the file does not have it: expected a value, or what can be left "
            "out");
  EXPECT_EQ(refusal_of("stop="),
            "case.toml:1: nothing says when to stop: expected [stop] with steps = 20000, or steady "
            "= { tolerance = 1e-6, every = 1000 }, or both");
}

TEST(CaseOverrides, OfUnknownConstantsAreRefusedWithThoseThereAre) {
  EXPECT_EQ(refusal_of("NN=3"),
            "--set NN=3: no constant of case.toml is called 'NN': expected one of N, M, or a key "
            "with its section, such as model.collision; did you mean 'N'?");
  EXPECT_EQ(refusal_of("constants.viscous=3"),
            "--set constants.viscous=3: no constant of case.toml is called 'viscous': expected one "
            "of N, M, or a key with its section, such as model.collision");
  EXPECT_EQ(refusal_of("collision=trt"),
            "--set collision=trt: no constant of case.toml is called 'collision': expected one of "
            "N, M, or a key with its section, such as model.collision; did you mean "
            "'model.collision'?");
  test::TemporaryFolder const folder;
  std::string const plain = test::lines(test::box, test::rest);
  EXPECT_EQ(test::refusal_of_reading([&] { read_case(folder.write("case.toml", plain), {"N=3"}); },
                                     folder),
            "--set N=3: no constant of case.toml is called 'N': expected a key with its section, "
            "such as model.collision");
}

TEST(CaseOverrides, OfUnknownKeysAreRefusedAsInTheFile) {
  EXPECT_EQ(refusal_of("model.colision=trt"),
            "--set model.colision=trt: unknown key 'colision' in [model]; did you mean "
            "'collision'?");
  EXPECT_EQ(refusal_of("fluids.viscosity=1"),
            "--set fluids.viscosity=1: unknown section 'fluids' in the file; did you mean "
            "'fluid'?");
  EXPECT_EQ(
      refusal_of("model.collision=mrts"),
      "--set model.collision=mrts: collision = \"mrts\": expected bgk, trt, mrt, mrt-weighted, "
      "regularised, central-moments or cumulants; did you mean 'mrt'?");
  EXPECT_EQ(refusal_of("run.tiles=0"),
            "--set run.tiles=0: tiles = 0: expected a positive whole number, such as 16");
}

TEST(CaseOverrides, AreOfOneKeyAlone) {
  EXPECT_EQ(refusal_of("output.probe.every=3"),
            "--set output.probe.every=3: there may be several [[output.probe]]: expected a "
            "constant that they use, or a key of a section that stands once");
  EXPECT_EQ(refusal_of("stop.steady={ tolerance = 1 }"),
            "--set stop.steady={ tolerance = 1 }: [stop.steady] is a section: expected a key in "
            "it, stop.steady.KEY=VALUE");
  EXPECT_EQ(refusal_of("fluid.viscosity.x=3"),
            "--set fluid.viscosity.x=3: 'fluid.viscosity' is a key, not a section: expected "
            "fluid.viscosity=VALUE");
  for (std::string const text : {"N", "=3", ".=3", "model.=3", ""}) {
    EXPECT_EQ(refusal_of(text),
              "--set " + text + ": expected NAME=VALUE, such as N=64 or model.collision=mrt");
  }
}

TEST(CaseOverrides, AreOneValueWhateverTheirText) {
  EXPECT_EQ(refusal_of("N=3\nM=4"),
            "--set N=3?M=4: N = \"3?M=4\": unexpected '=' at position 4; for equality: '==': "
            "expected a number, "
            "or a formula of the constants above it");
  // A value that looks like a date is a difference.
  EXPECT_DOUBLE_EQ(read_set({"N=2020-10-10"}).constants[0].second, 2000);
}

TEST(CaseOverrides, LeaveOtherMistakesToTheFile) {
  EXPECT_EQ(
      refusal_of("N=20.5"),
      "case.toml:5: shape = [\"M\", \"N\", 8]: expected whole numbers of voxels along x, y, z, "
      "not 28.5");
}

TEST(CaseOverrides, AreShownByCheck) {
  std::string const text = describe(read_set({"N=20", "model.collision=mrt"}));
  EXPECT_TRUE(
      text.starts_with("constants   N = 20, M = 28\n"
                       "set         N=20\n"
                       "set         model.collision=mrt\n"
                       "box         28 x 20 x 8 voxels\n"))
      << text;
}

}  // namespace
}  // namespace tessera

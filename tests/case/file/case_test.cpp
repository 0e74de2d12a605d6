// SPDX-License-Identifier: MIT
// Case files as a whole: what is needed, what is unknown, what --check shows.
#include "case/file/case.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <string>

#include "tests/case/file/case_files.hpp"

namespace tessera {
namespace {

using test::box;
using test::lines;
using test::refusal;
using test::refusal_with;
using test::rest;

TEST(CaseFile, NeedsOnlyABoxAFluidAndAnEnd) {
  Case const c = test::read_text(lines(box, rest));
  EXPECT_EQ(c.geometry.shape, (Int3{16, 12, 8}));
  EXPECT_EQ(c.model.lattice, LatticeKind::d3q19);
  EXPECT_EQ(c.model.collision, CollisionOperator::trt);
  EXPECT_EQ(c.model.equilibrium, EquilibriumForm::second_order);
  EXPECT_EQ(c.model.precision, Precision::single_precision);
  EXPECT_DOUBLE_EQ(c.model.magic, 0.1875);
  EXPECT_DOUBLE_EQ(c.fluid.viscosity, 0.1);
  EXPECT_DOUBLE_EQ(c.fluid.relaxation_time, 0.8);
  EXPECT_EQ(c.stop.steps, 100);
  EXPECT_FALSE(c.stop.steady);
  EXPECT_TRUE(c.boundaries.empty());
  EXPECT_TRUE(c.output.fields.last);
  EXPECT_EQ(c.mach, 0);
  EXPECT_TRUE(c.warnings.empty());
  EXPECT_FALSE(c.units.si);
  EXPECT_DOUBLE_EQ(c.initial.density.at(1, 2, 3), 1);
  EXPECT_EQ(c.insitu.every, 500);
  EXPECT_EQ(c.run.gpus, -1);
  EXPECT_EQ(c.run.cores, "auto");
  EXPECT_EQ(c.run.balance, Balance::dynamic);
}

TEST(CaseFile, MayHaveATitle) {
  EXPECT_EQ(test::read_text(lines("title = \"A\"\n", box, rest)).title, "A");
}

TEST(CaseFile, SaysWhatIsMissing) {
  EXPECT_EQ(refusal(rest),
            "case.toml:1: there is no [geometry]: expected one with shape, [x, y, z], each a "
            "positive length, such as [440, 82, 1]");
  EXPECT_EQ(refusal(lines(box, "[stop]\nsteps = 1\n")),
            "case.toml:1: [fluid] has no viscosity: expected one of viscosity, relaxation-time, "
            "and reynolds with length and speed");
  EXPECT_EQ(refusal(lines(box, "[fluid]\nviscosity = 1\n")),
            "case.toml:1: nothing says when to stop: expected [stop] with steps = 20000, or steady "
            "= { tolerance = 1e-6, every = 1000 }, or both");
}

TEST(CaseFile, RefusesUnknownKeysWithTheNearestOne) {
  EXPECT_EQ(refusal(lines(box, "[fluid]\nviscocity = 0.1\n")),
            "case.toml:4: unknown key 'viscocity' in [fluid]; did you mean 'viscosity'?");
  EXPECT_EQ(refusal_with("[[output.probe]]\nname = \"a\"\natt = [1, 1, 1]\n"),
            "case.toml:9: unknown key 'att' in [[output.probe]]; did you mean 'at'?");
  EXPECT_EQ(refusal_with("[model]\nxyzzy = 1\n"), "case.toml:8: unknown key 'xyzzy' in [model]");
}

TEST(CaseFile, RefusesUnknownSections) {
  EXPECT_EQ(refusal_with("[boundaries]\n"),
            "case.toml:7: unknown section 'boundaries' in the file; did you mean 'boundary'?");
  EXPECT_EQ(refusal_with("[output.probes]\n"),
            "case.toml:7: unknown section 'probes' in [output]; did you mean 'probe'?");
}

TEST(CaseFile, RefusesSectionsOfTheWrongKind) {
  EXPECT_EQ(
      refusal_with("[boundary]\non = \"x-\"\n"),
      "case.toml:7: 'boundary' is not a list: expected [[boundary]], as there may be several");
  EXPECT_EQ(refusal_with("[[force]]\n"),
            "case.toml:7: 'force' is a list: expected a table, [force]");
  EXPECT_EQ(refusal(lines("fluid = 3\n", box)),
            "case.toml:1: 'fluid' is a value: expected a table, [fluid]");
  EXPECT_EQ(refusal(lines("boundary = [1]\n", box)),
            "case.toml:1: 1 in 'boundary': expected tables, [[boundary]]");
}

TEST(CaseFile, RefusesWhatIsNotToml) {
  EXPECT_TRUE(refusal_with("x = [\n").starts_with("case.toml:7: not TOML: "));
  EXPECT_EQ(refusal_with("a = 2020-01-01\n"),
            "case.toml:7: a date or time: expected a number, text, true or false");
  EXPECT_EQ(refusal_with("[force]\nbody = [0, 0, 0]\nbody = [0, 0, 0]\n").substr(0, 22),
            "case.toml:9: not TOML:");
}

TEST(CaseFile, RefusesKeysOfVeryManyNames) {
  auto const names = [](std::string const& name, std::string const& dot, int count) {
    std::string key = name;
    for (int i = 1; i < count; ++i) key += dot + name;
    return key;
  };
  std::string const expected = ": a key of many names: expected at most 16 with dots between";
  for (std::string const& key : {names("a", ".", 20'000), names("a", " . ", 17),
                                 names("\"a\"", ".", 17), names("'='", ".", 17)}) {
    EXPECT_EQ(refusal_with(key + " = 1\n"), "case.toml:7" + expected);
    EXPECT_EQ(refusal_with(fmt::format("[{}]\n", key)), "case.toml:7" + expected);
    EXPECT_EQ(refusal_with(fmt::format("[constants]\na = {{ {} = 1 }}\n", key)),
              "case.toml:8" + expected);
  }
  // Fewer names are a key that is not known; in texts and comments dots mean nothing.
  EXPECT_TRUE(refusal_with(names("a", ".", 16) + " = 1\n").starts_with("case.toml:7: unknown "));
  std::string const dots = names("a", ".", 100);
  for (std::string const quotes : {R"(")", "'", R"(""")", "'''"}) {
    std::string const title = fmt::format("{0}{1}{0}", quotes, dots);
    EXPECT_EQ(
        test::read_text(lines(fmt::format("title = {} # {}\n", title, dots), box, rest)).title,
        dots);
  }
}

TEST(CaseFile, RefusesAFileThatIsNotThere) {
  EXPECT_EQ(test::message_of<BadInput>([] { read_case("/nowhere/case.toml"); }),
            "/nowhere/case.toml: cannot be read: expected a case file (TOML)");
}

TEST(CaseFile, IsARegularFileOfASensibleSize) {
  test::TemporaryFolder const folder;
  EXPECT_BAD_INPUT(read_case("/dev/zero"), "/dev/zero: not a regular file: expected a case file");
  EXPECT_BAD_INPUT(read_case(folder.path()), "not a regular file: expected a case file");
  ASSERT_EQ(::mkfifo((folder / "pipe.toml").c_str(), 0600), 0);
  EXPECT_BAD_INPUT(read_case(folder / "pipe.toml"), "pipe.toml: not a regular file");
  std::filesystem::resize_file(folder.write("huge.toml", "a"), std::uintmax_t{1} << 40);
  EXPECT_BAD_INPUT(
      read_case(folder / "huge.toml"),
      "huge.toml: 1099511627776 bytes: expected a case file (TOML) of at most 16777216");
}

TEST(CaseFile, RefusesValuesOfTheWrongTypeOrRange) {
  EXPECT_EQ(refusal_with("[run]\ntiles = true\n"),
            "case.toml:8: tiles = true: expected a positive whole number, such as 16");
  EXPECT_EQ(refusal_with("[run]\ntiles = 1.5\n"),
            "case.toml:8: tiles = 1.5: expected a positive whole number, such as 16");
  EXPECT_EQ(refusal_with("[run]\ngpus = -1\n"),
            "case.toml:8: gpus = -1: expected a non-negative whole number, such as 2");
  EXPECT_EQ(refusal_with("[run]\nbalance = \"dynamo\"\n"),
            "case.toml:8: balance = \"dynamo\": expected static, dynamic or free; did you mean "
            "'dynamic'?");
  EXPECT_EQ(refusal_with("[model]\nmagic = nan\n"),
            "case.toml:8: magic = nan: expected a positive number, such as 0.25");
  EXPECT_EQ(refusal_with("[force]\nbody = [0, 0]\n"),
            "case.toml:8: body = [0, 0]: expected [x, y, z], each an acceleration, such as [1e-6, "
            "0, 0]");
  EXPECT_EQ(refusal_with("title = 3\n"),
            "case.toml:7: unknown key 'title' in [stop]");  // below a section: TOML's way
  EXPECT_EQ(refusal(lines("title = 3\n", box, rest)),
            "case.toml:1: title = 3: expected text, such as \"Lid-driven cavity\"");
  EXPECT_EQ(refusal_with("[output.fields]\nfinal = \"yes\"\n"),
            "case.toml:8: final = \"yes\": expected true or false");
}

TEST(CaseFile, EvaluatesConstantsAnywhere) {
  Case const c = test::read_text(
      "[constants]\nD = 4\nL = \"3*D\"\n[geometry]\nshape = [\"2*L\", \"L\", 8]\n"
      "[fluid]\nreynolds = \"5*D\"\nlength = \"D\"\nspeed = \"0.2/D\"\n[stop]\nsteps = \"D^3\"\n");
  EXPECT_EQ(c.geometry.shape, (Int3{24, 12, 8}));
  EXPECT_DOUBLE_EQ(c.fluid.viscosity, 0.05 * 4 / 20);
  EXPECT_EQ(c.stop.steps, 64);
}

TEST(CaseFile, KnowsVoxelAndStepBeforeTheBox) {
  Case const c = test::read_text(
      "[units]\nvoxel-size = \"1 mm\"\ntime-step = \"2 ms\"\n[constants]\nL = \"8 mm\"\n"
      "U = \"0.05*dx/dt\"\n[geometry]\nshape = [\"L + dx\", \"L\", 1]\n"
      "[fluid]\nreynolds = 10\nlength = \"L\"\nspeed = \"U\"\n[stop]\nsteps = 1\n");
  EXPECT_EQ(c.geometry.shape, (Int3{9, 8, 1}));
  EXPECT_DOUBLE_EQ(c.fluid.viscosity, 0.05 * 8 / 10);
}

TEST(CaseFile, RefusesConstantsThatMakeNoSense) {
  EXPECT_EQ(refusal(lines("[constants]\nx = 3\n", box, rest)),
            "case.toml:2: 'x' cannot be the name of a constant: expected a letter, then letters, "
            "digits and '_', and not x y z t nx ny nz lx ly lz dx dt pi or a function");
  EXPECT_EQ(refusal(lines("[constants]\na = \"b\"\nb = 1\n", box, rest)),
            "case.toml:2: a = \"b\": unknown name 'b' at position 1: expected a number, or a "
            "formula of the constants above it");
  EXPECT_EQ(refusal(lines("[constants]\na = true\n", box, rest)),
            "case.toml:2: a = true: expected a number, or a formula of the constants above it");
  EXPECT_EQ(refusal(lines("[constants]\na = \"1/0\"\n", box, rest)),
            "case.toml:2: a = \"1/0\" is inf: expected a finite number");
  EXPECT_EQ(refusal(lines("[constants]\na = \"1 mm\"\n", box, rest)),
            "case.toml:2: a = \"1 mm\" has a unit, but there is no [units]: expected a number in "
            "lattice units");
}

TEST(CaseFile, RefusesAWrongFormulaWithItsPosition) {
  EXPECT_EQ(refusal_with("[initial]\nvelocity = [\"0.1*sin(yy)\", 0, 0]\n"),
            "case.toml:8: velocity = \"0.1*sin(yy)\": unknown name 'yy' at position 9 (did you "
            "mean 'y'?): expected [x, y, z], each a speed, perhaps a formula of x, y, z, such as "
            "[\"0.05*sin(2*pi*y/ny)\", 0, 0]");
}

TEST(Description, TellsWhatHasBeenUnderstood) {
  std::string const text = describe(test::read_text(
      "title = \"T\"\n[geometry]\nshape = [40, 20, 1]\n[[geometry.solid]]\nlabel = \"ball\"\n"
      "shape = \"cylinder\"\ncenter = [10, 10, 0]\nradius = 4\n[fluid]\nreynolds = 20\nlength = 8\n"
      "speed = 0.05\n[[boundary]]\non = \"x-\"\ntype = \"velocity\"\nvelocity = [\"0.06*y/ny\", 0, "
      "0]\n[[boundary]]\non = \"x+\"\ntype = \"outflow\"\n[stop]\nsteps = 100\n"
      "[[output.force]]\nname = \"drag\"\non = \"ball\"\n"));
  EXPECT_EQ(text,
            "case        T\n"
            "box         40 x 20 x 1 voxels, periodic along z\n"
            "ball        cylinder of radius 4 along z at (10, 10, 0)\n"
            "model       D2Q9, trt, navier-stokes, single precision\n"
            "fluid       relaxation time 0.56, viscosity 0.02, Reynolds number 20, Mach number "
            "0.101\n"
            "on x-       velocity (regularised), velocity (0.06*y/ny, 0, 0)\n"
            "on x+       outflow (convective)\n"
            "ends        after 100 steps\n"
            "fields      the last step\n"
            "force on    ball: drag, every 1 steps\n"
            "warning     the velocity on x- is Mach 0.101: errors grow with its square, and above "
            "0.1 cannot be neglected\n");
}

}  // namespace
}  // namespace tessera

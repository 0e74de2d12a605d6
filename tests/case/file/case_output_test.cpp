// SPDX-License-Identifier: MIT
// [stop], [output], [insitu] and [run] of case files.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/case/file/case_files.hpp"

namespace tessera {
namespace {

using test::box;
using test::lines;
using test::read_with;
using test::refusal;
using test::refusal_with;

TEST(CaseStop, MayBeTheSteadyState) {
  Case const c = test::read_text(
      lines(box, "[fluid]\nviscosity = 0.1\n[stop]\nsteady = { tolerance = 1e-5, every = 50 }\n"));
  EXPECT_FALSE(c.stop.steps);
  EXPECT_DOUBLE_EQ(c.stop.steady->tolerance, 1e-5);
  EXPECT_EQ(c.stop.steady->every, 50);
  Case const usual = test::read_text(lines(box, "[fluid]\nviscosity = 0.1\n[stop.steady]\n"));
  EXPECT_DOUBLE_EQ(usual.stop.steady->tolerance, 1e-6);
  EXPECT_EQ(usual.stop.steady->every, 1000);
}

TEST(CaseStop, IsAWholeNumberOfSteps) {
  auto const stop = [](std::string const& steps) {
    return lines(box, "[fluid]\nviscosity = 0.1\n[stop]\nsteps = ", steps + "\n");
  };
  EXPECT_EQ(test::read_text(stop("1e5")).stop.steps, 100'000);
  EXPECT_EQ(test::read_text(stop("\"10*nx\"")).stop.steps, 160);
  EXPECT_EQ(refusal(stop("1.5")),
            "case.toml:6: steps = 1.5: expected a positive number of steps or time, such as 20000");
  EXPECT_EQ(refusal(stop("0")),
            "case.toml:6: steps = 0: expected a positive number of steps or time, such as 20000");
  EXPECT_EQ(refusal(stop("\"2 s\"")),
            "case.toml:6: steps = \"2 s\" has a unit, but there is no [units]: expected a number "
            "in lattice units, or [units] with voxel-size and time-step");
}

TEST(CaseOutput, OfFieldsHasASchedule) {
  Case::Schedule const every = read_with("[output.fields]\nevery = 20\n").output.fields;
  EXPECT_EQ(every.every, 20);
  EXPECT_TRUE(every.last);
  Case::Schedule const at =
      read_with("[output]\nfields = { at = [50, 0, 50, 10], final = false }\n").output.fields;
  EXPECT_EQ(at.at, (std::vector<std::int64_t>{0, 10, 50}));
  EXPECT_FALSE(at.last);
  EXPECT_EQ(refusal_with("[output.fields]\nevery = 20\nat = [3]\n"),
            "case.toml:9: 'every' and 'at' exclude each other: expected one of them");
}

TEST(CaseOutput, WarnsOfWhatComesAfterTheLastStep) {
  Case const c = read_with("[output.fields]\nat = [101]\n");
  ASSERT_EQ(c.warnings.size(), 1U);
  EXPECT_EQ(c.warnings[0], "[output.fields] is due at step 101, after the last step, 100");
}

TEST(CaseOutput, HasProbesLinesForcesAveragesAndStrouhalNumbers) {
  Case const c = read_with(
      "[[output.probe]]\nname = \"wake\"\nat = [8, \"ny/2\", 4]\nevery = 5\n"
      "[[output.line]]\nname = \"axis\"\nfrom = [0, 6, 4]\nto = [16, 6, 4]\n"
      "[[output.line]]\nname = \"short\"\nfrom = [0, 6, 4]\nto = [1.5, 6, 4]\npoints = 5\n"
      "every = 10\nfinal = false\n"
      "[[output.force]]\nname = \"lid\"\non = \"y+\"\nevery = 2\nspeed = 0.1\narea = \"nx*nz\"\n"
      "[[output.force]]\nname = \"side\"\non = \"x-\"\nspeed = 0.1\nlength = 12\n"
      "[output.averages]\nfrom = 50\nevery = 2\n"
      "quantities = [\"velocity\", \"reynolds-stresses\"]\n"
      "[[output.strouhal]]\nname = \"st\"\nof = \"lid\"\nsignal = \"x\"\nfrom = 10\nlength = 4\n"
      "speed = 0.1\n");
  ASSERT_EQ(c.output.probes.size(), 1U);
  EXPECT_EQ(c.output.probes[0].name, "wake");
  EXPECT_EQ(c.output.probes[0].at, (Case::Double3{8, 6, 4}));
  EXPECT_EQ(c.output.probes[0].every, 5);
  ASSERT_EQ(c.output.lines.size(), 2U);
  EXPECT_EQ(c.output.lines[0].to, (Case::Double3{16, 6, 4}));
  EXPECT_EQ(c.output.lines[0].points, 17);
  EXPECT_TRUE(c.output.lines[0].schedule.last);
  EXPECT_EQ(c.output.lines[1].points, 5);
  EXPECT_EQ(c.output.lines[1].schedule.every, 10);
  EXPECT_FALSE(c.output.lines[1].schedule.last);
  ASSERT_EQ(c.output.forces.size(), 2U);
  EXPECT_EQ(c.output.forces[0].on.face, Case::Face::y_upper);
  EXPECT_EQ(c.output.forces[0].every, 2);
  EXPECT_DOUBLE_EQ(*c.output.forces[0].speed, 0.1);
  EXPECT_DOUBLE_EQ(*c.output.forces[0].area, 128);
  EXPECT_DOUBLE_EQ(*c.output.forces[1].area, 96);  // 12 times nz
  ASSERT_TRUE(c.output.averages);
  EXPECT_EQ(c.output.averages->from, 50);
  EXPECT_EQ(c.output.averages->every, 2);
  EXPECT_TRUE(c.output.averages->velocity);
  EXPECT_FALSE(c.output.averages->density);
  EXPECT_TRUE(c.output.averages->reynolds_stresses);
  ASSERT_EQ(c.output.strouhal.size(), 1U);
  EXPECT_EQ(c.output.strouhal[0].of, "lid");
  EXPECT_EQ(c.output.strouhal[0].signal, Case::Signal::x);
  EXPECT_EQ(c.output.strouhal[0].from, 10);
  EXPECT_DOUBLE_EQ(c.output.strouhal[0].length, 4);
  EXPECT_DOUBLE_EQ(c.output.strouhal[0].speed, 0.1);
}

TEST(CaseOutput, RefusesWhatCannotBeWritten) {
  EXPECT_EQ(refusal_with("[[output.probe]]\nname = \"a/b\"\nat = [1, 1, 1]\n"),
            "case.toml:8: name = \"a/b\": expected letters, digits, '-' and '_', as it names a "
            "file");
  EXPECT_EQ(refusal_with("[[output.probe]]\nname = \"a\"\nat = [17, 1, 1]\n"),
            "case.toml:9: at = [17, 1, 1]: expected a point in the box of 16 x 12 x 8 voxels");
  EXPECT_EQ(refusal_with("[[output.probe]]\nname = \"a\"\nat = [1, 1, 1]\n[[output.line]]\n"
                         "name = \"a\"\nfrom = [1, 1, 1]\nto = [2, 2, 2]\n"),
            "case.toml:11: name = \"a\" stands twice: expected another one for each output");
  EXPECT_EQ(refusal_with("[[output.line]]\nname = \"a\"\nfrom = [1, 1, 1]\nto = [1, 1, 1]\n"),
            "case.toml:10: to = [1, 1, 1]: expected another point than 'from'");
  EXPECT_EQ(refusal_with("[[output.line]]\nname = \"a\"\nfrom = [1, 1, 1]\nto = [1, 1, 2]\n"
                         "points = 1\n"),
            "case.toml:11: points = 1: expected 2 points or more");
  EXPECT_EQ(refusal_with("[[output.line]]\nname = \"a\"\nfrom = [0, 6, 4]\nto = [16, 6, 4]\n"
                         "points = 1000000000000\n"),
            "case.toml:11: 1000000000000 points on a line: expected at most 10000000");
  EXPECT_EQ(refusal_with("[[output.force]]\nname = \"a\"\non = \"x-\"\nspeed = 0.1\n"),
            "case.toml:8: coefficients need a reference speed and area: expected both 'speed' and "
            "one of 'area' and 'length', or none of them");
  EXPECT_EQ(refusal_with("[[output.force]]\nname = \"a\"\non = \"ball\"\n"),
            "case.toml:9: on = \"ball\": there is no such place: expected x-, x+, y-, y+, z-, z+ "
            "or the label of a solid");
  EXPECT_EQ(refusal_with("[[output.strouhal]]\nname = \"a\"\nof = \"b\"\n"),
            "case.toml:9: of = \"b\": there is no such probe or force: expected the name of an "
            "[[output.probe]] or [[output.force]]");
  EXPECT_EQ(refusal_with("[output.averages]\nquantities = [\"vorticity\"]\n"),
            "case.toml:8: quantities = \"vorticity\": expected velocity, density or "
            "reynolds-stresses");
}

TEST(CaseInSitu, HasTheWordsOfTheOptions) {
  test::TemporaryFolder const folder;
  folder.write("mine.py", "");
  Case const c = test::read_text(
      lines(box, test::rest,
            "[insitu]\nscript = [\"slice\", \"mine.py:--colour speed\"]\nevery = 100\n"
            "pressure = \"drop\"\nerrors = \"stop\"\nfolder = \"pictures\"\n"),
      folder);
  EXPECT_EQ(c.insitu.scripts,
            (std::vector<std::string>{"slice", (folder / "mine.py").string() + ":--colour speed"}));
  EXPECT_EQ(c.insitu.every, 100);
  EXPECT_EQ(c.insitu.pressure, "drop");
  EXPECT_EQ(c.insitu.errors, "stop");
  EXPECT_EQ(c.insitu.folder, "pictures");
  EXPECT_EQ(refusal_with("[insitu]\nscript = \"slice\"\npressure = \"wat\"\n"),
            "case.toml:9: pressure = \"wat\": expected wait or drop; did you mean 'wait'?");
  EXPECT_EQ(refusal_with("[insitu]\nevery = 3\n"),
            "case.toml:7: [insitu] has no 'script': expected text or a list, such as [\"slice\", "
            "\"mine.py:--colour speed\"]");
}

TEST(CaseRun, HasTheWordsOfTheOptions) {
  Case const c = read_with(
      "[run]\ntiles = 16\ngpus = 0\ncores = 8\nbalance = \"static\"\nscheduler = \"lws\"\n"
      "steps-per-sweep = 4\n");
  EXPECT_EQ(c.run.tiles, 16);
  EXPECT_EQ(c.run.gpus, 0);
  EXPECT_EQ(c.run.cores, "8");
  EXPECT_EQ(c.run.balance, Balance::fixed);
  EXPECT_EQ(c.run.scheduler, "lws");
  EXPECT_EQ(c.run.steps_per_sweep, 4);
  EXPECT_EQ(refusal_with("[run]\ncores = \"many\"\n"),
            "case.toml:8: cores = \"many\": expected a number of cores, or auto");
}

}  // namespace
}  // namespace tessera

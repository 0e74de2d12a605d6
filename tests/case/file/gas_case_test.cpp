// SPDX-License-Identifier: MIT
// Case files of spectral differences: what they say, and what is wrong with them.
#include "case/file/gas_case.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "tests/case/file/case_files.hpp"

namespace tessera {
namespace {

/// 7 lines that complete a case whose other lines are about the gas.
constexpr std::string_view gas_box =
    "method = \"spectral\"\n[mesh]\nbox = [10, 4]\ncells = [5, 2]\nperiodic = [\"x\", \"y\"]\n"
    "[stop]\ntime = 2\n";
constexpr std::string_view gas_at_rest = "[initial]\ndensity = 1\npressure = 1\n";

GasCase read(std::string_view text) {
  test::TemporaryFolder const folder;
  return read_gas_case(folder.write("case.toml", text));
}

std::string gas_refusal(std::string_view text) {
  test::TemporaryFolder const folder;
  return test::refusal_of_reading([&] { read_gas_case(folder.write("case.toml", text)); }, folder);
}
/// The one line that a case is refused with, with the text in line 11 and below.
std::string gas_refusal_with(std::string_view text) {
  return gas_refusal(test::lines(gas_box, gas_at_rest, text));
}

TEST(GasCase, IsWhatTheFileSays) {
  GasCase const c = read(
      "title = \"All of it\"\nmethod = \"spectral\"\n[constants]\nU = 0.5\n"
      "[mesh]\nbox = [2, 3, \"2*U\"]\norigin = [-1, 0, 0]\ncells = [4, 6, 2]\n"
      "bend = [\"x + y/10\", \"y\", \"z\"]\nmap-degree = 2\ndegree = \"3 + (x > 0)\"\n"
      "periodic = [\"z\"]\n"
      "[gas]\ngamma = 1.3\nR = 287\n[model]\nriemann = \"hllc\"\nprecision = \"single\"\n"
      "[initial]\ndensity = \"1 + x/lx\"\nvelocity = [\"U\", 0, \"-U\"]\npressure = 2\n"
      "[[boundary]]\non = [\"y-\", \"y+\"]\ntype = \"slip-wall\"\n"
      "[[boundary]]\non = \"x-\"\ntype = \"inflow\"\ndensity = 1\nvelocity = [\"y\", 0, 0]\n"
      "pressure = 1\n[[boundary]]\non = \"x+\"\ntype = \"outflow\"\npressure = 0.9\n"
      "[time]\nintegrator = \"ssp-rk3\"\ncfl = 0.8\nexact = true\n[stop]\ntime = 10\nsteps = 99\n"
      "[output]\nrecords-every = 3\nfields = { every = 50, final = false }\n"
      "checkpoint = { every = 7 }\n"
      "[output.exact]\ndensity = \"1 + x*t\"\nvelocity = [1, 0, \"z\"]\npressure = 1\n"
      "[[output.probe]]\nname = \"a\"\nat = [0, 1, 0.5]\nevery = 2\n[run]\ntiles = 3\n");
  EXPECT_EQ(c.title, "All of it");
  EXPECT_EQ(c.mesh.dimension, 3);
  EXPECT_EQ(c.mesh.size, (std::array<double, 3>{2, 3, 1}));
  EXPECT_EQ(c.mesh.origin, (std::array<double, 3>{-1, 0, 0}));
  EXPECT_EQ(c.mesh.cells, (std::array<std::int32_t, 3>{4, 6, 2}));
  EXPECT_EQ(c.mesh.periodic, (std::array<bool, 3>{false, false, true}));
  EXPECT_EQ((*c.mesh.bend)[0].at(1, 2, 0), 1.2);
  EXPECT_EQ(c.mesh.map_degree, 2);
  EXPECT_EQ(c.mesh.degree.at(1, 0, 0), 4);
  EXPECT_EQ(c.gas.gamma, 1.3);
  EXPECT_EQ(c.gas.r, 287);
  EXPECT_EQ(c.model.riemann, spectral::RiemannSolver::hllc);
  EXPECT_EQ(c.model.precision, Precision::single_precision);
  EXPECT_EQ(c.initial.density.at(1, 0, 0), 1.5);
  EXPECT_EQ(c.initial.velocity[2].at(0, 0, 0), -0.5);
  ASSERT_EQ(c.boundaries.size(), 3U);
  EXPECT_EQ(c.boundaries[0].on, (std::vector<std::string>{"y-", "y+"}));
  EXPECT_EQ(c.boundaries[1].kind, spectral::BoundaryKind::inlet);
  EXPECT_EQ(c.boundaries[1].state.velocity[0].at(0, 3, 0), 3);
  EXPECT_EQ(c.boundaries[2].kind, spectral::BoundaryKind::outlet);
  EXPECT_EQ(c.boundaries[2].state.pressure.at(0, 0, 0), 0.9);
  EXPECT_EQ(c.time.integrator, spectral::Integrator::ssp3);
  EXPECT_EQ(c.time.cfl, 0.8);
  EXPECT_TRUE(c.time.exact);
  EXPECT_EQ(c.stop.time, 10);
  EXPECT_EQ(c.stop.steps, 99);
  EXPECT_EQ(c.output.records_every, 3);
  EXPECT_EQ(c.output.fields.every, 50);
  EXPECT_FALSE(c.output.fields.last);
  EXPECT_EQ(c.output.exact->density.at({2, 0, 0}, 3), 7);
  EXPECT_EQ(c.output.exact->velocity[2].at({0, 0, 4}, 0), 4);
  EXPECT_EQ(c.output.probes.at(0).at, (std::array<double, 3>{0, 1, 0.5}));
  EXPECT_EQ(c.output.checkpoint.every, 7);
  EXPECT_EQ(c.run.tiles, 3);
}

TEST(GasCase, HasDefaultsForWhatIsNotSaid) {
  GasCase const c = read(test::lines(gas_box, gas_at_rest));
  EXPECT_EQ(c.mesh.dimension, 2);
  EXPECT_EQ(c.mesh.degree.at(0, 0, 0), 3);
  EXPECT_EQ(c.mesh.map_degree, 1);
  EXPECT_EQ(c.gas.gamma, 1.4);
  EXPECT_EQ(c.initial.velocity[0].at(1, 1, 1), 0);
  EXPECT_EQ(c.model.riemann, spectral::RiemannSolver::roe);
  EXPECT_EQ(c.model.precision, Precision::double_precision);
  EXPECT_EQ(c.time.integrator, spectral::Integrator::carpenter_kennedy);
  EXPECT_FALSE(c.time.dt);
  EXPECT_TRUE(c.output.fields.last);
}

TEST(GasCase, MayNameFormulasOfPlaceAndTime) {
  GasCase const c =
      read(test::lines(gas_box,
                       "[constants]\nU = 2\n[formulas]\nX = \"x - U*t\"\nX2 = \"X^2\"\n"
                       "[initial]\ndensity = \"1 + X2\"\npressure = 1\n",
                       "[output.exact]\ndensity = \"1 + X2\"\npressure = 1\n"));
  EXPECT_EQ(c.initial.density.at(3, 0, 0), 10);
  EXPECT_EQ(c.output.exact->density.at({3, 0, 0}, 1), 2);
  EXPECT_TRUE(gas_refusal_with("[output.exact]\ndensity = \"1/0\"\npressure = 1\n")
                  .starts_with("case.toml:12: density = \"1/0\": expected "));
  EXPECT_EQ(gas_refusal_with("[formulas]\na = \"b + 1\"\n"),
            "case.toml:12: a = \"b + 1\": unknown name 'b' at position 1: expected a formula of x, "
            "y, z, t, constants and formulas above it");
  EXPECT_EQ(gas_refusal_with("[formulas]\nt = \"x\"\n"),
            "case.toml:12: 't' cannot be the name of a formula: expected a letter, then letters, "
            "digits and '_', and not x y z t nx ny nz lx ly lz dx dt pi or a function");
}

TEST(GasCase, MayBeOverridden) {
  test::TemporaryFolder const folder;
  auto const path = folder.write("case.toml", test::lines(gas_box, gas_at_rest));
  EXPECT_EQ(read_gas_case(path, {"mesh.degree=5", "time.dt=0.01"}).time.dt, 0.01);
  EXPECT_EQ(test::refusal_of_reading([&] { read_gas_case(path, {"method=lattice"}); }, folder),
            "--set method=lattice: method = \"lattice\": expected spectral");
}

TEST(GasCase, IsToldFromOneOfTheLatticeByItsMethod) {
  test::TemporaryFolder const folder;
  auto const gas = folder.write("gas.toml", test::lines(gas_box, gas_at_rest));
  auto const flow = folder.write("flow.toml", test::lines(test::box, test::rest));
  EXPECT_TRUE(std::holds_alternative<GasCase>(read_any_case(gas)));
  EXPECT_TRUE(std::holds_alternative<Case>(read_any_case(flow)));
  auto const other = folder.write("other.toml", "method = \"spektral\"\n");
  EXPECT_EQ(test::refusal_of_reading([&] { read_any_case(other); }, folder),
            "other.toml:1: method = \"spektral\": expected lattice or spectral; did you mean "
            "'spectral'?");
}

TEST(GasCase, SaysWhatIsWrongWithIt) {
  EXPECT_EQ(gas_refusal_with("[fluid]\nviscosity = 1\n"),
            "case.toml:11: unknown section 'fluid' in the file");
  EXPECT_EQ(
      gas_refusal("method = \"spectral\"\n[mesh]\ndegree = 2\n"),
      "case.toml:2: [mesh] with neither file nor box: expected either file, or box and cells");
  EXPECT_EQ(gas_refusal("method = \"spectral\"\n[mesh]\nbox = [1, 1]\ncells = [4, 4, 4]\n"),
            "case.toml:4: cells = [4, 4, 4]: expected 2 values, as the case has 2 axes");
  EXPECT_EQ(gas_refusal("method = \"spectral\"\n[mesh]\nbox = [1]\n"),
            "case.toml:3: box = [1]: expected [x, y] or [x, y, z], each a positive number, such as "
            "[10, 10]");
  EXPECT_EQ(gas_refusal("method = \"spectral\"\n[mesh]\nfile = \"none.msh\"\n"),
            "case.toml:3: file = \"none.msh\": there is no such file: expected one, as seen from "
            "the folder of the case");
  EXPECT_EQ(
      gas_refusal("method = \"spectral\"\n[mesh]\nbox = [1, 1]\ncells = [4, 4]\ndegree = 9\n"),
      "case.toml:5: degree = 9: expected a whole number from 0 to 8, or a formula");
  EXPECT_EQ(gas_refusal_with("[gas]\ngamma = 1\n"),
            "case.toml:12: gamma = 1: expected more than 1");
  EXPECT_EQ(gas_refusal_with("[gas]\nR = \"287 m\"\n"),
            "case.toml:12: R = \"287 m\" has a unit: expected a number, all of them in units of "
            "one system");
  EXPECT_EQ(gas_refusal_with("[[boundary]]\non = \"x-\"\ntype = \"slip-wall\"\ndensity = 1\n"),
            "case.toml:14: 'density' does not belong to type = slip-wall: expected no key but on, "
            "type");
  EXPECT_EQ(gas_refusal_with("[[boundary]]\non = \"x-\"\ntype = \"outflow\"\n"),
            "case.toml:11: [[boundary]] has no 'pressure': expected a positive number, perhaps a "
            "formula of x, y, z, such as 1");
  EXPECT_EQ(gas_refusal_with("[[boundary]]\non = [\"a\", \"a\"]\ntype = \"slip-wall\"\n"),
            "case.toml:12: 'a' has a condition already: expected one");
  EXPECT_EQ(gas_refusal_with("[time]\ndt = 0.1\ncfl = 0.5\n"),
            "case.toml:13: a fixed dt has no cfl and is exact: expected either of them");
  EXPECT_EQ(gas_refusal_with("[time]\nintegrator = \"rk4\"\n"),
            "case.toml:12: integrator = \"rk4\": expected carpenter-kennedy, ssp-rk3, bogey-bailly "
            "or alpha");
  EXPECT_EQ(gas_refusal("method = \"spectral\"\n[mesh]\nbox = [1, 1]\ncells = [4, 4]\n"
                        "[initial]\ndensity = 1\npressure = 1\n"),
            "case.toml:1: nothing says when to stop: expected [stop] with time = 10, or steps = "
            "480, or both");
}

TEST(GasCase, DescribesItself) {
  EXPECT_EQ(describe(read(test::lines(gas_box, gas_at_rest, "[time]\ndt = 0.5\n"))),
            "mesh        5 x 2 cells in a box of 10 x 4, periodic along x, y\n"
            "degree      3\n"
            "gas         gamma 1.4\n"
            "model       roe, double precision\n"
            "initial     density 1, velocity (0, 0, 0), pressure 1\n"
            "time        carpenter-kennedy, steps of 0.5\n"
            "ends        at time 2\n"
            "fields      the last step\n"
            "records     every 100 steps\n");
}

}  // namespace
}  // namespace tessera

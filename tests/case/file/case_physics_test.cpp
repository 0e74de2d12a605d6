// SPDX-License-Identifier: MIT
// [units], [fluid], [model], [force] and [initial] of case files.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
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

constexpr std::string_view stop = "[stop]\nsteps = 100\n";

Case with_fluid(std::string_view fluid, std::string_view more = {}) {
  return test::read_text(lines(lines(box, "[fluid]\n", fluid), stop, more));
}
std::string fluid_refused(std::string_view fluid, std::string_view more = {}) {
  return refusal(lines(lines(box, "[fluid]\n", fluid), stop, more));
}

TEST(CaseFluid, HasItsViscosityInOneOfThreeWays) {
  EXPECT_DOUBLE_EQ(with_fluid("viscosity = 0.05\n").fluid.relaxation_time, 0.65);
  EXPECT_DOUBLE_EQ(with_fluid("relaxation-time = 0.8\n").fluid.viscosity, 0.1);
  Case const c = with_fluid("reynolds = 50\nlength = 10\nspeed = 0.05\n");
  EXPECT_DOUBLE_EQ(c.fluid.viscosity, 0.01);
  EXPECT_DOUBLE_EQ(*c.fluid.reynolds, 50);
  EXPECT_DOUBLE_EQ(*with_fluid("viscosity = 0.05\nlength = 10\nspeed = 0.05\n").fluid.reynolds, 10);
}

TEST(CaseFluid, OfD3Q13HasAnotherRelaxationTime) {
  // nu = (tau - 1/2) / 2: models/lattice/d3q13.hpp, after d'Humieres, Bouzidi, Lallemand 2001.
  Case const c =
      with_fluid("viscosity = 0.1\n", "[model]\nlattice = \"D3Q13\"\ncollision = \"mrt\"\n");
  EXPECT_DOUBLE_EQ(c.fluid.relaxation_time, 0.7);
}

TEST(CaseFluid, RefusesTwoViscosities) {
  EXPECT_EQ(fluid_refused("viscosity = 0.1\nrelaxation-time = 1\n"),
            "case.toml:3: [fluid] sets the viscosity twice: expected one of viscosity, "
            "relaxation-time, and reynolds with length and speed");
}

TEST(CaseFluid, RefusesAReynoldsNumberWithoutItsLength) {
  EXPECT_EQ(fluid_refused("reynolds = 10\nspeed = 0.1\n"),
            "case.toml:3: [fluid] has no 'length': expected a positive length, such as 20");
}

TEST(CaseFluid, RefusesARelaxationTimeOfHalfAStepOrLess) {
  EXPECT_EQ(
      fluid_refused("relaxation-time = 0.5\n"),
      "case.toml:4: the relaxation time is 0.5: expected more than 1/2, as the viscosity grows "
      "with tau - 1/2");
}

TEST(CaseFluid, WarnsOfARelaxationTimeNearHalfAStep) {
  Case const c = with_fluid("relaxation-time = 0.501\n");
  ASSERT_EQ(c.warnings.size(), 1U);
  EXPECT_EQ(c.warnings[0], "the relaxation time is 0.501: below 0.505 flows often become unstable");
}

TEST(CaseFluid, RefusesAndWarnsOfSpeedsNearThatOfSound) {
  EXPECT_EQ(fluid_refused("viscosity = 0.1\nspeed = 0.2\n"),
            "case.toml:5: the speed in [fluid] is 0.2 voxels a step, Mach 0.346: expected at most "
            "Mach 0.3 (0.173 voxels a step); a smaller time step slows it down");
  Case const c = with_fluid("viscosity = 0.1\nspeed = 0.1\n");
  EXPECT_NEAR(c.mach, 0.1 * std::sqrt(3.0), 1e-12);
  EXPECT_EQ(c.warnings.size(), 1U);
  EXPECT_TRUE(with_fluid("viscosity = 0.1\nspeed = 0.05\n").warnings.empty());
}

// Voxels of 1 mm, steps of 0.5 ms, 800 kg/m3: a lattice speed is 2 m/s, a viscosity 2e-3 m2/s, an
// acceleration 4000 m/s2, a pressure 800 * 4 = 3200 Pa.
constexpr std::string_view si =
    "[units]\nvoxel-size = \"1 mm\"\ntime-step = \"0.5 ms\"\ndensity = \"0.8 g/cm3\"\n";

TEST(CaseUnit, ConvertsAllQuantities) {
  Case const c = test::read_text(
      lines(si,
            "[constants]\nH = \"12 mm\"\n[geometry]\nshape = [\"16 mm\", \"H\", 8]\n"
            "[[geometry.solid]]\nshape = \"sphere\"\ncenter = [\"8e-3\", \"ly/2\", 4]\nradius = "
            "\"0.2 cm\"\n"
            "[fluid]\nviscosity = \"2e-4 m2/s\"\nlength = \"H\"\nspeed = \"10 cm/s\"\n"
            "[[boundary]]\non = \"x-\"\ntype = \"pressure\"\npressure = \"32 Pa\"\n"
            "[[boundary]]\non = \"x+\"\ntype = \"pressure\"\ndensity = \"792 kg/m3\"\n"
            "[[boundary]]\non = \"y+\"\ntype = \"moving-wall\"\nvelocity = [\"0.2*x/16e-3\", 0.01, "
            "\"20 mm/s\"]\n"
            "factor = \"t/0.05\"\n"
            "[force]\nbody = [\"9.81 m/s2\", 1e-6, 0]\n[stop]\nsteps = \"50 ms\"\n"));
  EXPECT_TRUE(c.units.si);
  EXPECT_DOUBLE_EQ(c.units.voxel_m, 1e-3);
  EXPECT_DOUBLE_EQ(c.units.step_s, 5e-4);
  EXPECT_DOUBLE_EQ(c.units.density_kg_m3, 800);
  EXPECT_EQ(c.geometry.shape, (Int3{16, 12, 8}));
  EXPECT_DOUBLE_EQ(c.geometry.solids[0].center[0], 8);
  EXPECT_DOUBLE_EQ(c.geometry.solids[0].center[1], 6);
  EXPECT_DOUBLE_EQ(c.geometry.solids[0].center[2], 4);
  EXPECT_DOUBLE_EQ(c.geometry.solids[0].radius, 2);
  EXPECT_DOUBLE_EQ(c.fluid.viscosity, 0.1);
  EXPECT_DOUBLE_EQ(*c.fluid.length, 12);
  EXPECT_DOUBLE_EQ(*c.fluid.speed, 0.05);
  EXPECT_DOUBLE_EQ(*c.fluid.reynolds, 6);
  EXPECT_DOUBLE_EQ(c.boundaries[0].density.at(0, 0, 0), 1 + 3 * 0.01);
  EXPECT_DOUBLE_EQ(c.boundaries[1].density.at(0, 0, 0), 0.99);
  Case::Velocity const& u = c.boundaries[2].velocity;
  EXPECT_DOUBLE_EQ(u[0].at(8, 0, 0), 0.05);  // half of 0.2 m/s
  EXPECT_DOUBLE_EQ(u[1].at(8, 0, 0), 0.01);
  EXPECT_DOUBLE_EQ(u[2].at(8, 0, 0), 0.01);
  EXPECT_DOUBLE_EQ(c.boundaries[2].factor.at(50), 0.5);  // 25 ms
  EXPECT_DOUBLE_EQ(c.force.body[0], 9.81 / 4000);
  EXPECT_DOUBLE_EQ(c.force.body[1], 1e-6);
  EXPECT_EQ(c.stop.steps, 100);
}

TEST(CaseUnit, OfTimeFollowsFromASpeed) {
  Case const c = test::read_text(
      lines("[units]\nvoxel-size = \"1 mm\"\nspeed = \"0.1 m/s\"\nlattice-speed = 0.02\n", box,
            test::rest));
  EXPECT_DOUBLE_EQ(c.units.step_s, 2e-4);
  EXPECT_DOUBLE_EQ(c.units.density_kg_m3, 1000);
}

std::string units_refused(std::string_view units) {
  return refusal(lines("[units]\n", units, lines(box, test::rest)));
}

TEST(CaseUnit, RefusesUnitsThatAreNone) {
  EXPECT_EQ(units_refused("voxel-size = 1e-3\ntime-step = \"1 s\"\n"),
            "case.toml:2: voxel-size = 0.001: expected a value with its unit, such as \"10um\"");
  EXPECT_EQ(units_refused("voxel-size = \"1 s\"\ntime-step = \"1 s\"\n"),
            "case.toml:2: voxel-size = \"1 s\" is a time: expected a positive length, such as "
            "\"10um\"");
  EXPECT_EQ(units_refused("voxel-size = \"1 mm\"\n"),
            "case.toml:1: [units] does not set the time step: expected either time-step, or speed "
            "and lattice-speed");
  EXPECT_EQ(units_refused("voxel-size = \"1 mm\"\ntime-step = \"1 s\"\nspeed = \"1 m/s\"\n"),
            "case.toml:3: [units] sets the time step twice: expected either time-step, or speed "
            "and lattice-speed");
  EXPECT_EQ(units_refused("time-step = \"1 s\"\n"),
            "case.toml:1: [units] has no 'voxel-size': expected a positive length, such as "
            "\"10um\"");
}

TEST(CaseUnit, RefusesAWrongDimension) {
  EXPECT_EQ(refusal(lines(si, box, "[fluid]\nviscosity = \"2 Pa\"\n")),
            "case.toml:8: viscosity = \"2 Pa\" is a pressure: expected a positive kinematic "
            "viscosity, such as \"1e-6 m2/s\"");
  EXPECT_EQ(refusal(lines(si, box, "[fluid]\nreynolds = \"2 Pa\"\n")),
            "case.toml:8: reynolds = \"2 Pa\" is a pressure: expected a positive number, such as "
            "100");
  EXPECT_EQ(refusal(lines(si, box, "[fluid]\nviscosity = 0.1\nlength = \"2 m/s\"\n")),
            "case.toml:9: length = \"2 m/s\" is a speed: expected a positive length, such as \"0.1 "
            "m\"");
}

TEST(CaseUnit, RefusesUnitsInACaseInLatticeUnits) {
  EXPECT_EQ(fluid_refused("viscosity = \"1e-6 m2/s\"\n"),
            "case.toml:4: viscosity = \"1e-6 m2/s\" has a unit, but there is no [units]: expected "
            "a number in lattice units, or [units] with voxel-size and time-step");
}

TEST(CaseUnit, RefusesLengthsOfTheBoxThatAreNoWholeVoxels) {
  EXPECT_EQ(refusal(lines(si, "[geometry]\nshape = [\"1.65 cm\", 12, 8]\n")),
            "case.toml:6: shape = [\"1.65 cm\", 12, 8]: expected whole numbers of voxels along x, "
            "y, z, not 16.5");
}

TEST(CaseUnit, RefusesSizesThatMeanNothing) {
  auto const refusal_of = [](std::string const& size, std::string const& more) {
    return refusal("[units]\nvoxel-size = \"" + size + "\"\n" + more);
  };
  EXPECT_EQ(refusal_of("1e300 m", "time-step = \"1 us\"\n"),
            "case.toml:2: voxel-size = \"1e300 m\": expected 1e-12 to 1000 m");
  EXPECT_EQ(refusal_of("1 um", "time-step = \"1e-300 s\"\n"),
            "case.toml:3: time-step = \"1e-300 s\": expected 1e-21 to 1e+09 s");
  EXPECT_EQ(refusal_of("1 um", "time-step = \"1 us\"\ndensity = \"1e99 kg/m3\"\n"),
            "case.toml:4: density = \"1e99 kg/m3\": expected 1e-06 to 1e+06 kg/m3");
}

TEST(CaseModel, ReadsAllItsKeys) {
  Case const c = read_with(
      "[model]\nlattice = \"D3Q27\"\ncollision = \"central-moments\"\nprecision = \"half\"\n"
      "[model.rates]\nbulk = 1.1\nthird = 1.2\nhigher = 1.3\n");
  EXPECT_EQ(c.model.lattice, LatticeKind::d3q27);
  EXPECT_EQ(c.model.collision, CollisionOperator::central_moments);
  EXPECT_EQ(c.model.equilibrium, EquilibriumForm::product);
  EXPECT_EQ(c.model.precision, Precision::half_storage);
  EXPECT_FALSE(c.model.smagorinsky);
  EXPECT_DOUBLE_EQ(c.model.rates.at("bulk"), 1.1);
  EXPECT_DOUBLE_EQ(c.model.rates.at("third"), 1.2);
  EXPECT_DOUBLE_EQ(c.model.rates.at("higher"), 1.3);
  EXPECT_FALSE(c.model.rates.contains("odd"));
  Case const mrt = read_with(
      "[model]\ncollision = \"mrt\"\nlattice = \"D3Q13\"\nequilibrium = \"stokes\"\n"
      "precision = \"double\"\n[model.rates]\nenergy-squared = 1.1\nenergy-flux = 1.2\n"
      "fourth-stress = 1.3\nnormal = 1.4\n");
  EXPECT_EQ(mrt.model.equilibrium, EquilibriumForm::linear);
  EXPECT_DOUBLE_EQ(mrt.model.rates.at("energy-squared"), 1.1);
  EXPECT_DOUBLE_EQ(mrt.model.rates.at("energy-flux"), 1.2);
  EXPECT_DOUBLE_EQ(mrt.model.rates.at("fourth-stress"), 1.3);
  EXPECT_DOUBLE_EQ(mrt.model.rates.at("normal"), 1.4);
  EXPECT_DOUBLE_EQ(read_with("[model]\nmagic = 0.25\n").model.magic, 0.25);
  EXPECT_DOUBLE_EQ(*read_with("[model]\nsmagorinsky = 0.1\n").model.smagorinsky, 0.1);
  EXPECT_DOUBLE_EQ(read_with("[model]\n[model.rates]\nodd = 1.5\n").model.rates.at("odd"), 1.5);
}

TEST(CaseModel, ChoosesTheLatticeThatTheCollisionNeeds) {
  EXPECT_EQ(read_with("[model]\ncollision = \"cumulants\"\n").model.lattice, LatticeKind::d3q27);
  EXPECT_EQ(read_with("[model]\ncollision = \"mrt\"\n").model.lattice, LatticeKind::d3q19);
}

/// A row of the table in docs/case-files.md, "What goes together".
struct Row {
  std::string collision;
  std::vector<std::string> lattices;
  std::vector<std::string> equilibria;
  std::vector<std::string> with_eddies;  ///< lattices that take smagorinsky with one of these
};

std::vector<Row> documented() {
  return {
      {"bgk", {"D2Q9", "D3Q15", "D3Q19", "D3Q27"}, {"stokes", "navier-stokes"}, {"D3Q19"}},
      {"trt", {"D2Q9", "D3Q15", "D3Q19", "D3Q27"}, {"stokes", "navier-stokes"}, {"D3Q19"}},
      {"mrt", {"D2Q9", "D3Q13", "D3Q15", "D3Q19"}, {"stokes", "navier-stokes"}, {"D2Q9", "D3Q19"}},
      {"mrt-weighted", {"D2Q9", "D3Q15", "D3Q19", "D3Q27"}, {"navier-stokes"}, {}},
      {"regularised", {"D2Q9", "D3Q15", "D3Q19", "D3Q27"}, {"navier-stokes"}, {}},
      {"central-moments", {"D2Q9", "D3Q27"}, {"product"}, {}},
      {"cumulants", {"D3Q27"}, {"product"}, {"D3Q27"}}};
}

bool has(std::vector<std::string> const& words, std::string const& word) {
  return std::ranges::find(words, word) != words.end();
}

TEST(CaseModel, GoesTogetherAsDocumented) {
  for (Row const& row : documented()) {
    for (std::string const lattice : {"D2Q9", "D3Q13", "D3Q15", "D3Q19", "D3Q27"}) {
      for (std::string const equilibrium : {"stokes", "navier-stokes", "product"}) {
        std::string text = lines(lattice == "D2Q9" ? "[geometry]\nshape = [16, 12, 1]\n" : box,
                                 test::rest, "[model]\ncollision = \"");
        text.append(row.collision).append("\"\nlattice = \"").append(lattice);
        text.append("\"\nequilibrium = \"").append(equilibrium).append("\"\n");
        bool const listed = has(row.lattices, lattice) && has(row.equilibria, equilibrium);
        std::string const eddies = text + "smagorinsky = 0.1\n";
        if (listed) {
          EXPECT_NO_THROW(test::read_text(text)) << text;
        } else {
          EXPECT_THROW(test::read_text(text), BadInput) << text;
        }
        if (listed && has(row.with_eddies, lattice) && equilibrium != "stokes") {
          EXPECT_NO_THROW(test::read_text(eddies)) << eddies;
        } else {
          EXPECT_THROW(test::read_text(eddies), BadInput) << eddies;
        }
      }
    }
  }
}

TEST(CaseModel, RefusesWhatDoesNotGoTogetherAndSaysWhatWould) {
  EXPECT_EQ(refusal_with("[model]\nlattice = \"D3Q19\"\ncollision = \"cumulants\"\n"),
            "case.toml:9: collision = \"cumulants\" does not go with D3Q19: expected lattice = "
            "D3Q27; or, with D3Q19, collision = bgk, trt, mrt, mrt-weighted or regularised");
  EXPECT_EQ(refusal_with("[model]\nequilibrium = \"product\"\n"),
            "case.toml:8: equilibrium = \"product\" does not go with trt on D3Q19: expected stokes "
            "or navier-stokes");
  EXPECT_EQ(refusal_with("[model]\nlattice = \"D2Q9\"\n"),
            "case.toml:8: lattice = \"D2Q9\" is for plane flows, but nz = 8: expected shape = [nx, "
            "ny, 1], or lattice = D3Q13, D3Q15, D3Q19 or D3Q27");
  EXPECT_EQ(refusal_with("[model]\nequilibrium = \"stokes\"\nsmagorinsky = 0.1\n"),
            "case.toml:9: smagorinsky does not go with D3Q19, trt, stokes, as creeping flow has no "
            "eddies: expected one of D3Q19 bgk navier-stokes, D3Q19 trt navier-stokes, D3Q19 mrt "
            "navier-stokes, D3Q27 cumulants product");
  EXPECT_EQ(refusal_with("[model]\nlattice = \"D3Q13\"\ncollision = \"mrt\"\nsmagorinsky = 0.1\n"),
            "case.toml:10: smagorinsky does not go with D3Q13, mrt, navier-stokes: expected one of "
            "D3Q19 bgk navier-stokes, D3Q19 trt navier-stokes, D3Q19 mrt navier-stokes, D3Q27 "
            "cumulants product");
  EXPECT_EQ(refusal(lines("[geometry]\nshape = [16, 12, 1]\n", test::rest,
                          "[model]\nlattice = \"D2Q9\"\nequilibrium = \"product\"\n")),
            "case.toml:9: equilibrium = \"product\" does not go with trt on D2Q9: expected stokes "
            "or navier-stokes");
  EXPECT_EQ(refusal_with("[model]\ncollision = \"bgk\"\nmagic = 0.2\n"),
            "case.toml:9: magic does not go with bgk: expected collision = \"trt\", "
            "\"mrt\" or \"mrt-weighted\"");
  EXPECT_EQ(refusal_with("[model]\nmagic = 0.2\n[model.rates]\nodd = 1\n"),
            "case.toml:8: magic and the rate 'odd' set the same: expected one of them");
  EXPECT_EQ(refusal_with("[model]\ncollision = \"mrt\"\n[model.rates]\nnormal = 1\n"),
            "case.toml:10: 'normal' is no rate of mrt on D3Q19: expected no key but bulk, "
            "energy-squared, energy-flux, fourth-stress, third");
  EXPECT_EQ(refusal_with("[model]\ncollision = \"mrt\"\n[model.rates]\nbulk = 2\n"),
            "case.toml:10: bulk = 2: expected a rate between 0 and 2");
}

TEST(CaseForce, HasAFactorOfTime) {
  Case const c = read_with("[force]\nbody = [1e-6, \"2e-6\", 0]\nfactor = \"cos(2*pi*t/100)\"\n");
  EXPECT_EQ(c.force.body, (Case::Double3{1e-6, 2e-6, 0}));
  EXPECT_TRUE(c.force.factor.varies());
  EXPECT_DOUBLE_EQ(c.force.factor.at(50), -1);
  EXPECT_EQ(refusal_with("[force]\nfactor = \"x\"\n"),
            "case.toml:8: factor = \"x\": unknown name 'x' at position 1 (did you mean 'dx'?): "
            "expected a number or a formula of t, such as \"cos(t/500)\"");
}

TEST(CaseForce, HasAFactorThatIsFiniteAtEveryStep) {
  std::string const expected = ": expected a number or a formula of t, such as \"cos(t/500)\"";
  for (std::string const factor : {"\"1/0\"", "\"0/0\"", "\"ln(0)\"", "\"1e300*1e300\""})
    EXPECT_EQ(refusal_with(fmt::format("[force]\nfactor = {}\n", factor)),
              fmt::format("case.toml:8: factor = {}{}", factor, expected));
  EXPECT_EQ(refusal_with("[force]\nfactor = inf\n"), "case.toml:8: factor = inf" + expected);
  EXPECT_EQ(refusal_with("[force]\nfactor = \"1/(t-50)\"\n"),
            "case.toml:8: the factor of [force] is inf at step 50: expected a formula that is a "
            "finite number at every step");
  EXPECT_TRUE(
      refusal_with("[[boundary]]\non = \"x-\"\ntype = \"velocity\"\nvelocity = [0.01, 0, 0]\n"
                   "factor = \"ln(50-t)\"\n")
          .starts_with("case.toml:7: the factor of x- is -inf at step 50: "));
  // The middle of a step is none at whose end a force is asked for.
  EXPECT_DOUBLE_EQ(read_with("[force]\nfactor = \"1/(t-0.5)\"\n").force.factor.at(1), 2);
}

TEST(CaseStart, IsAFormulaOfThePlace) {
  Case const c = read_with(
      "[initial]\ndensity = \"1 + 0.01*x/nx\"\nvelocity = [\"0.01*sin(2*pi*y/ny)\", 0, "
      "\"z*1e-3\"]\n");
  EXPECT_DOUBLE_EQ(c.initial.density.at(8, 0, 0), 1.005);
  EXPECT_DOUBLE_EQ(c.initial.velocity[0].at(0, 3, 0), 0.01);
  EXPECT_DOUBLE_EQ(c.initial.velocity[2].at(0, 0, 0.5), 0.5e-3);
}

TEST(CaseStart, IsFiniteSomewhereAndNearTheDensityAtRest) {
  EXPECT_EQ(refusal_with("[initial]\nvelocity = [\"sqrt(-x)\", 0, 0]\n"),
            "case.toml:8: the velocity in [initial] is nowhere a finite number: expected a formula "
            "that is one where there is fluid");
  EXPECT_EQ(refusal_with("[initial]\ndensity = 1000\n"),
            "case.toml:8: the density in [initial] is 1000 in lattice units: expected a value near "
            "1, the density at rest");
}

}  // namespace
}  // namespace tessera

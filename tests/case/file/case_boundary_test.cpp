// SPDX-License-Identifier: MIT
// [[boundary]] of case files.
#include <gtest/gtest.h>

#include <string>

#include "tests/case/file/case_files.hpp"

namespace tessera {
namespace {

using test::lines;
using test::read_with;
using test::refusal;
using test::refusal_with;
using test::rest;

using Type = Case::BoundaryType;
using Scheme = Case::Scheme;

/// A ball in line 7 to 11.
constexpr std::string_view ball_in_a_box =
    "[[geometry.solid]]\nshape = \"sphere\"\nlabel = \"ball\"\ncenter = [8, 6, 4]\nradius = 2\n";

Case::Boundary first(std::string_view text) { return read_with(text).boundaries.at(0); }

/// What stands in line 8 and below, behind [[boundary]].
std::string boundary_refused(std::string_view text) {
  return refusal_with(lines("[[boundary]]\n", text));
}

TEST(CaseBoundary, HoldsOnFacesAndSolids) {
  Case const c = read_with(lines(ball_in_a_box,
                                 "[[boundary]]\non = [\"y-\", \"z+\", \"ball\"]\n"
                                 "type = \"wall\"\n"));
  ASSERT_EQ(c.boundaries.size(), 3U);
  EXPECT_EQ(c.boundaries[0].place.face, Case::Face::y_lower);
  EXPECT_EQ(c.boundaries[1].place.face, Case::Face::z_upper);
  EXPECT_EQ(c.boundaries[2].place.kind, Case::PlaceKind::solid);
  EXPECT_EQ(c.boundaries[2].place.solid, 0U);
  EXPECT_EQ(c.boundaries[2].type, Type::wall);
  EXPECT_EQ(c.boundaries[2].line, 12);
}

TEST(CaseBoundary, HoldsOnAllSolidsThatShareALabel) {
  Case const c = read_with(lines(ball_in_a_box, ball_in_a_box,
                                 "[[boundary]]\non = \"ball\"\ntype = \"interpolated-wall\"\n"
                                 "[[output.force]]\nname = \"drag\"\non = \"ball\"\n"));
  EXPECT_EQ(c.geometry.solids.size(), 2U);
  ASSERT_EQ(c.boundaries.size(), 1U);
  EXPECT_EQ(c.boundaries[0].place.solid, 0U);
  EXPECT_EQ(c.output.forces.at(0).on.solid, 0U);
  EXPECT_EQ(refusal_with(lines(ball_in_a_box, ball_in_a_box,
                               "[[boundary]]\non = \"bal\"\ntype = \"wall\"\n")),
            "case.toml:18: on = \"bal\": there is no such place: expected x-, x+, y-, y+, z-, z+ "
            "or the label of a solid (ball); did you mean 'ball'?");
}

TEST(CaseBoundary, FacesHaveAnAxisAndASide) {
  EXPECT_EQ(axis_of(Case::Face::z_upper), Axis::z);
  EXPECT_TRUE(is_upper(Case::Face::x_upper));
  EXPECT_FALSE(is_upper(Case::Face::y_lower));
  EXPECT_EQ(name_of(Case::Face::y_lower), "y-");
}

TEST(CaseBoundary, OfVelocityHasFormulasAndAFactor) {
  Case::Boundary const b = first(
      "[constants]\nU = 0.05\n[[boundary]]\non = \"x-\"\ntype = \"velocity\"\n"
      "velocity = [\"4*U*y*(ny-y)/ny^2\", 0, 0]\nfactor = \"min(1, t/100)\"\n");
  EXPECT_EQ(b.type, Type::velocity);
  EXPECT_EQ(b.scheme, Scheme::regularised);
  EXPECT_DOUBLE_EQ(b.velocity[0].at(0.5, 6, 1), 0.05);
  EXPECT_DOUBLE_EQ(b.velocity[0].at(0.5, 3, 1), 0.0375);
  EXPECT_DOUBLE_EQ(b.factor.at(50), 0.5);
}

TEST(CaseBoundary, OfPressureIsADensity) {
  Case::Boundary const by_density =
      first("[[boundary]]\non = \"x-\"\ntype = \"pressure\"\ndensity = 1.01\n");
  EXPECT_DOUBLE_EQ(by_density.density.at(0, 0, 0), 1.01);
  // p = c_s^2 (rho - 1)
  Case::Boundary const by_pressure =
      first("[[boundary]]\non = \"x-\"\ntype = \"pressure\"\npressure = \"0.01*y/ny\"\n");
  EXPECT_DOUBLE_EQ(by_pressure.density.at(0, 6, 0), 1.015);
}

TEST(CaseBoundary, HasAllTypesAndSchemes) {
  auto const scheme = [](std::string const& type, std::string const& more) {
    return first("[[boundary]]\non = \"x-\"\ntype = \"" + type + "\"\n" + more).scheme;
  };
  std::string const u = "velocity = [0.01, 0, 0]\n", rho = "density = 1\n";
  EXPECT_EQ(scheme("velocity", u + "scheme = \"zou-he\"\n"), Scheme::zou_he);
  EXPECT_EQ(scheme("velocity", u + "scheme = \"bounce-back\"\n"), Scheme::bounce_back);
  EXPECT_EQ(scheme("pressure", rho), Scheme::regularised);
  EXPECT_EQ(scheme("pressure", rho + "scheme = \"zou-he\"\n"), Scheme::zou_he);
  EXPECT_EQ(scheme("pressure", rho + "scheme = \"anti-bounce-back\"\n"), Scheme::anti_bounce_back);
  EXPECT_EQ(scheme("outflow", ""), Scheme::convective);
  EXPECT_EQ(scheme("outflow", "scheme = \"extrapolate\"\n"), Scheme::extrapolate);
  EXPECT_EQ(scheme("slip", ""), Scheme::none);
  EXPECT_EQ(scheme("on-node-wall", ""), Scheme::bounce_back);
  EXPECT_EQ(scheme("on-node-wall", "scheme = \"full-way\"\n"), Scheme::full_way);
  EXPECT_EQ(first("[[boundary]]\non = \"x-\"\ntype = \"moving-wall\"\n" + u).type,
            Type::moving_wall);
  auto const on_ball = [](std::string const& text) {
    return first(lines(ball_in_a_box, "[[boundary]]\non = \"ball\"\n", text));
  };
  EXPECT_EQ(on_ball("type = \"interpolated-wall\"\n" + u).type, Type::interpolated_wall);
  EXPECT_EQ(on_ball("type = \"velocity\"\n" + u).scheme, Scheme::bounce_back);
  EXPECT_EQ(on_ball("type = \"pressure\"\n" + rho).scheme, Scheme::anti_bounce_back);
}

TEST(CaseBoundary, PeriodicAxesMayHaveADrop) {
  Case const c = read_with("[[boundary]]\non = \"x\"\ntype = \"periodic\"\ndensity-drop = 0.003\n");
  EXPECT_TRUE(c.geometry.periodic[0]);
  EXPECT_DOUBLE_EQ(c.density_drop[0], 0.003);
  EXPECT_TRUE(c.boundaries.empty());
  EXPECT_DOUBLE_EQ(
      read_with("[[boundary]]\non = \"y\"\ntype = \"periodic\"\npressure-drop = 0.001\n")
          .density_drop[1],
      0.003);
}

TEST(CaseBoundary, RefusesADropBesideAnOutlet) {
  EXPECT_EQ(refusal_with("[[boundary]]\non = \"x\"\ntype = \"periodic\"\ndensity-drop = 0.003\n"
                         "[[boundary]]\non = \"y+\"\ntype = \"outflow\"\n"),
            "case.toml:11: type = \"outflow\" beside a periodic axis with a drop of the density: "
            "expected one or the other");
}

TEST(CaseBoundary, RefusesPeriodicAxesThatAreNone) {
  EXPECT_EQ(boundary_refused("on = \"x-\"\ntype = \"periodic\"\ndensity-drop = 0.1\n"),
            "case.toml:8: on = \"x-\": expected an axis, x, y or z, for type = \"periodic\"");
  EXPECT_EQ(boundary_refused("on = \"x\"\ntype = \"periodic\"\n"),
            "case.toml:9: type = \"periodic\" with neither density-drop nor pressure-drop: "
            "expected one of them");
  std::string const drop = "on = \"x\"\ntype = \"periodic\"\ndensity-drop = 0.1\n";
  EXPECT_EQ(boundary_refused(drop + "[[boundary]]\n" + drop),
            "case.toml:12: axis x has a drop already: expected one");
}

TEST(CaseBoundary, RefusesPlacesThatAreNotThere) {
  EXPECT_EQ(boundary_refused("on = \"w-\"\ntype = \"wall\"\n"),
            "case.toml:8: on = \"w-\": there is no such place: expected x-, x+, y-, y+, z-, z+ or "
            "the label of a solid; did you mean 'x-'?");
  EXPECT_EQ(refusal_with(lines(ball_in_a_box, "[[boundary]]\non = \"bal\"\ntype = \"wall\"\n")),
            "case.toml:13: on = \"bal\": there is no such place: expected x-, x+, y-, y+, z-, z+ "
            "or the label of a solid (ball); did you mean 'ball'?");
  EXPECT_EQ(boundary_refused("label = 7\ntype = \"wall\"\n"),
            "case.toml:8: label = 7, but there is no image with labels: expected on = a face or "
            "the label of a solid");
  EXPECT_EQ(boundary_refused("label = 7\non = \"x-\"\ntype = \"wall\"\n"),
            "case.toml:8: 'on' and 'label' exclude each other: expected one of them");
  EXPECT_EQ(boundary_refused("type = \"wall\"\n"),
            "case.toml:7: [[boundary]] has no 'on': expected text or a list, such as \"x-\"");
}

TEST(CaseBoundary, RefusesTwoConditionsOnOnePlace) {
  EXPECT_EQ(boundary_refused("on = \"x-\"\ntype = \"slip\"\n[[boundary]]\non = [\"x+\", \"x-\"]\n"
                             "type = \"outflow\"\n"),
            "case.toml:10: a second condition on face x-, after that in line 7: expected one");
}

TEST(CaseBoundary, RefusesAConditionOnAPeriodicFace) {
  EXPECT_EQ(refusal(lines("[geometry]\nshape = [16, 12, 8]\nperiodic = [\"x\"]\n", rest,
                          "[[boundary]]\non = \"x+\"\ntype = \"slip\"\n")),
            "case.toml:8: a condition on x+, but axis x is periodic: expected one or the other");
  EXPECT_EQ(boundary_refused("on = \"x-\"\ntype = \"slip\"\n[[boundary]]\non = \"x\"\n"
                             "type = \"periodic\"\ndensity-drop = 0.1\n"),
            "case.toml:7: a condition on x-, but axis x is periodic: expected one or the other");
}

TEST(CaseBoundary, RefusesAConditionOnTheFacesOfAPlaneFlow) {
  EXPECT_EQ(refusal(lines("[geometry]\nshape = [16, 12, 1]\n", rest,
                          "[[boundary]]\non = \"z-\"\ntype = \"slip\"\n")),
            "case.toml:7: a condition on z-, but nz = 1: expected none, as a plane flow has no "
            "faces along z");
}

TEST(CaseBoundary, RefusesPressureAndVelocityOnOneFace) {
  EXPECT_EQ(boundary_refused("on = \"x-\"\ntype = \"velocity\"\nvelocity = [0, 0, 0]\n"
                             "pressure = 0\n"),
            "case.toml:11: 'pressure' does not belong to type = \"velocity\": expected no key but "
            "on, label, type, velocity, factor, scheme");
  EXPECT_EQ(boundary_refused("on = \"x-\"\ntype = \"pressure\"\npressure = 0\ndensity = 1\n"),
            "case.toml:10: type = \"pressure\" with both density and pressure: expected one of "
            "them");
}

TEST(CaseBoundary, RefusesSchemesAndPlacesThatDoNotFitTheType) {
  EXPECT_EQ(boundary_refused("on = \"x-\"\ntype = \"velocity\"\nvelocity = [0, 0, 0]\n"
                             "scheme = \"convective\"\n"),
            "case.toml:11: scheme = \"convective\" does not go with type = \"velocity\" on face "
            "x-: expected regularised, zou-he or bounce-back");
  EXPECT_EQ(boundary_refused("on = \"x-\"\ntype = \"interpolated-wall\"\n"),
            "case.toml:9: type = \"interpolated-wall\" on face x-: expected the label of a "
            "[[geometry.solid]], whose surface is known");
  EXPECT_EQ(refusal_with(lines(ball_in_a_box, "[[boundary]]\non = \"ball\"\ntype = \"slip\"\n")),
            "case.toml:14: type = \"slip\" on solid 'ball': expected a face of the box");
}

TEST(CaseBoundary, RefusesSpeedsNearThatOfSoundWhereAllIsFluid) {
  std::string const inlet =
      "[[boundary]]\non = \"x-\"\ntype = \"velocity\"\nvelocity = [\"0.03*y\", 0, 0]\n";
  EXPECT_EQ(refusal_with(inlet),
            "case.toml:7: the velocity on x- is 0.345 voxels a step, Mach 0.598: expected at most "
            "Mach 0.3 (0.173 voxels a step); a smaller time step slows it down");
  // With a solid the formula may hold elsewhere only.
  EXPECT_NO_THROW(read_with(lines(ball_in_a_box, inlet)));
  EXPECT_THROW(read_with(inlet + "factor = 2\n"), BadInput);
  EXPECT_NO_THROW(read_with(inlet + "factor = \"0.2*sin(t)\"\n"));
}

TEST(CaseBoundary, WarnsOfAnInletWithoutAnOutlet) {
  std::string const inlet =
      "[[boundary]]\non = \"x-\"\ntype = \"velocity\"\nvelocity = [0.01, 0, 0]\n";
  ASSERT_EQ(read_with(inlet).warnings.size(), 1U);
  EXPECT_EQ(read_with(inlet).warnings[0],
            "there is a velocity on one boundary and no other opening: the mass in the box will "
            "change");
  EXPECT_TRUE(
      read_with(inlet + "[[boundary]]\non = \"x+\"\ntype = \"outflow\"\n").warnings.empty());
}

}  // namespace
}  // namespace tessera

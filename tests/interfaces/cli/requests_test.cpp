// SPDX-License-Identifier: MIT
// Options become what the rooms below are asked for, or one line that names the option.
#include "interfaces/cli/requests.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/errors.hpp"
#include "base/settings.hpp"

namespace tessera {
namespace {

template <class Options>
std::string refusal(Options const& options) {
  try {
    request_of(options);
  } catch (BadInput const& error) {
    return error.what();
  }
  return "";
}

TEST(Requests, OfNothingAreACreepingFlowAlongX) {
  PermeabilityRequest const request = request_of(PermeabilityOptions{});
  EXPECT_EQ(request.axes, std::vector{Axis::x});
  EXPECT_EQ(request.flow.model, FlowModel{});
  EXPECT_EQ(request.flow.model.equilibrium, EquilibriumForm::linear);
  EXPECT_EQ(request.flow.setup, FlowSetup::sealed);
  EXPECT_EQ(request.flow.precision, Precision::single_precision);
  EXPECT_TRUE(request.flow.for_fields);
  EXPECT_FALSE(request.solver);
  EXPECT_TRUE(request.workers.cores_if_they_help);
  EXPECT_FALSE(request.why_steps_are_meant());
}

TEST(Requests, HaveWhatTheOptionsSay) {
  PermeabilityOptions options;
  options.flow = {.labels = {.pore = "0,3-4", .solid = "1-1", .threshold = {}},
                  .voxel_size = "2um",
                  .axis = "all",
                  .mirror = true,
                  .precision = "double",
                  .tolerance = 1e-5,
                  .gpus = 0,
                  .cores = "3"};
  options.collision = "mrt";
  options.solver = "steps";
  options.balance = "free";
  options.tiles = 7;
  options.refine = 3;
  options.viscosity = 2e-6;
  options.fields = false;
  PermeabilityRequest const request = request_of(options);
  EXPECT_TRUE(request.image.rule.pore->contains(4));
  EXPECT_EQ(request.image.solid, "1-1");  // as it was written
  EXPECT_DOUBLE_EQ(*request.voxel_size_m, 2e-6);
  EXPECT_EQ(text_of(request.axes), "all");
  EXPECT_EQ(request.flow.setup, FlowSetup::mirrored);
  EXPECT_EQ(request.flow.precision, Precision::double_precision);
  EXPECT_EQ(request.flow.model.collision, CollisionOperator::mrt);
  EXPECT_EQ(request.flow.balance, Balance::free);
  EXPECT_EQ(request.flow.tiles, 7);
  EXPECT_EQ(request.workers.cores, 3);
  EXPECT_FALSE(request.wants_gpus());
  EXPECT_EQ(request.solver, Solver::steps);
  EXPECT_EQ(request.refine, 3);
  EXPECT_FALSE(request.flow.for_fields);
  EXPECT_EQ(request.fluid.kinematic_viscosity, 2e-6);
}

/// Each with the beginning of its line.
TEST(Requests, AreRefusedByTheNameOfTheOption) {
  using Change = std::function<void(PermeabilityOptions&)>;
  std::vector<std::pair<std::string, Change>> const wrong{
      {"--tolerance 3: expected", [](auto& o) { o.flow.tolerance = 3; }},
      {"--axis w: expected x, y, z or all", [](auto& o) { o.flow.axis = "w"; }},
      {"--periodic and --mirror", [](auto& o) { o.flow.periodic = o.flow.mirror = true; }},
      {"--precision quad: expected half, single or double",
       [](auto& o) { o.flow.precision = "quad"; }},
      {"--voxel-size 5: expected", [](auto& o) { o.flow.voxel_size = "5"; }},
      {"--voxel-size 2e+06 m: expected", [](auto& o) { o.flow.voxel_size = "2000000m"; }},
      {"--buffer-layers -1: expected", [](auto& o) { o.flow.buffer_layers = -1; }},
      {"--cores -2: expected", [](auto& o) { o.flow.cores = "-2"; }},
      {"--lattice D1Q3: expected", [](auto& o) { o.lattice = "D1Q3"; }},
      {"--lattice D2Q9 --collision cumulants",
       [](auto& o) {
         o.lattice = "D2Q9";
         o.collision = "cumulants";
       }},
      {"--solver cg: expected auto, minres or steps", [](auto& o) { o.solver = "cg"; }},
      {"--max-steps 0: expected", [](auto& o) { o.max_steps = 0; }},
      {"--tiles 0: expected", [](auto& o) { o.tiles = 0; }},
      {"--steps-per-sweep 0: expected", [](auto& o) { o.steps_per_sweep = 0; }},
      {"--refine 4: expected 2 or 3", [](auto& o) { o.refine = 4; }},
      {"--relaxation-time 0.5: expected", [](auto& o) { o.relaxation_time = 0.5; }},
      {"--body-force -1: expected", [](auto& o) { o.body_force = -1; }},
      {"--magic 0: expected", [](auto& o) { o.magic = 0; }},
      {"--balance fair: expected", [](auto& o) { o.balance = "fair"; }},
      {"--density 0 kg/m^3: expected", [](auto& o) { o.density = 0; }},
  };
  for (auto const& [line, change] : wrong) {
    PermeabilityOptions options;
    change(options);
    EXPECT_TRUE(refusal(options).starts_with(line)) << line << "\n" << refusal(options);
    // A program reads its own names.
    UseNames const names({.as_keywords = true});
    EXPECT_EQ(refusal(options).find("--"), std::string::npos) << refusal(options);
  }
}

TEST(Requests, OfMinresSayWhatItCannotDo) {
  PermeabilityOptions options;
  options.tiles = 3;
  EXPECT_EQ(request_of(options).why_steps(), "it computes on no tiles (--tiles)");
  options.tiles.reset();
  options.collision = "bgk";
  EXPECT_TRUE(request_of(options).why_steps());
  options.collision = "trt";
  options.max_steps = 10;  // minres counts iterations by it, so it only means steps
  EXPECT_FALSE(request_of(options).why_steps());
  EXPECT_EQ(request_of(options).why_steps_are_meant(), "steps are counted (--max-steps)");
}

TEST(Requests, OfStudiesAreCheckedToo) {
  EXPECT_EQ(refusal(RevOptions{.edges = {20}, .samples = 0}), "--samples 0: expected 1 to 100000");
  EXPECT_EQ(refusal(RevOptions{.edges = {1}}), "--edges 1: expected 2 or more");
  RevOptions half{.edges = {20}};
  half.flow.precision = "half";
  EXPECT_EQ(refusal(half), "--precision half: it computes in single or double precision");
  EXPECT_EQ(refusal(ForchheimerOptions{.reynolds = {1, 1}}), "--reynolds 1 stands there twice");
  ForchheimerOptions all{.reynolds = {1}};
  all.flow.axis = "all";
  EXPECT_EQ(refusal(all), "--axis all: expected x, y or z");
  EXPECT_EQ(refusal(PhasesOptions{.phase = {"water=0"}}),
            "--solid: expected the labels of the solid");
  // What these commands do not offer is not left out in silence.
  RevOptions wrapped{.edges = {20}};
  wrapped.flow.periodic = true;
  EXPECT_TRUE(refusal(wrapped).starts_with("--periodic: expected sealed or mirrored cubes"));
  PhasesOptions pores{.phase = {"water=0"}};
  pores.flow.labels = {.pore = "0", .solid = "1", .threshold = {}};
  EXPECT_EQ(refusal(pores), "--pore: expected the labels of each phase, by --phase");
}

TEST(Requests, OfFlowsWithInertiaTakeStepsAndChooseThePrecision) {
  ForchheimerRequest const request = request_of(ForchheimerOptions{.reynolds = {3, 1}});
  EXPECT_FALSE(request.precision_is_asked);
  EXPECT_EQ(request.flow.flow.precision, Precision::single_precision);
  EXPECT_EQ(request.flow.solver, Solver::steps);
  EXPECT_EQ(request.flow.flow.model.equilibrium, EquilibriumForm::second_order);
}

}  // namespace
}  // namespace tessera

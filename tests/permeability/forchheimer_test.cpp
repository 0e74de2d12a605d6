// SPDX-License-Identifier: MIT
#include "permeability/studies/forchheimer.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "io/json.hpp"

namespace tessera {
namespace {

/// A flow with this resistance at the velocity over the viscosity `over`.
InertialFlow flow(double over, double resistance) {
  InertialFlow flow;
  flow.velocity_over_viscosity = over;
  flow.k_lattice = 1 / resistance;
  return flow;
}

TEST(ForchheimerLaw, OfTwoFlowsFitsThemWhateverTheyAreSoItSaysNoMisfit) {
  double const k_darcy = 0.5;
  std::vector<InertialFlow> flows{flow(1, 3), flow(2, 5)};
  auto const of_two = forchheimer_law(flows, k_darcy);
  ASSERT_TRUE(of_two);
  EXPECT_NEAR(of_two->beta, 2, 1e-12);
  EXPECT_NEAR(of_two->k_lattice, 1, 1e-12);
  EXPECT_FALSE(of_two->misfit);
  EXPECT_TRUE(to_json(*of_two, std::nullopt)["misfit"].is_null());
  flows.push_back(flow(3, 7.35));
  auto const of_three = forchheimer_law(flows, k_darcy);
  ASSERT_TRUE(of_three && of_three->misfit);
  EXPECT_GT(*of_three->misfit, 0.01);
  EXPECT_LT(*of_three->misfit, 0.05);
}

}  // namespace
}  // namespace tessera

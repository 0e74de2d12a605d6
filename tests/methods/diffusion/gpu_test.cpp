// SPDX-License-Identifier: MIT
// The solver on a GPU against the same on cores, bit by bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "base/errors.hpp"
#include "conductors.hpp"

namespace tessera {
namespace {

SteadyOptions on_gpu() {
  SteadyOptions options;
  options.device = SteadyDevice::gpu;
  return options;
}

class DiffusionGpu : public testing::Test {
 protected:
  void SetUp() override {
    try {
      make_diffusion_space(test::conductor_of({4, 4, 4}, false, [](Int3) { return 1; }), Axis::x,
                           on_gpu());
    } catch (EnvironmentError const&) {
      GTEST_SKIP() << "no GPU";
    }
  }
};

struct Found {
  std::vector<double> numbers;
  std::vector<DiffusionState> fields;
};

Found found(Conductor const& conductor, SteadyOptions const& options) {
  std::optional<Axis> open;
  if (!conductor.geometry.periodic[0]) open = Axis::y;
  auto const space = make_diffusion_space(conductor, open, options);
  auto const solver = space->solver(Axis::y);
  Found all;
  for (int round = 0; round < 2; ++round) {
    for (DiffusionEstimate const& e : {solver->iterate(5), solver->confirm()}) {
      for (double const number : {e.conductivity, e.error_estimate, e.residual})
        all.numbers.push_back(number);
    }
  }
  auto const fields = solver->fields();
  all.fields.assign(fields.begin(), fields.end());
  return all;
}

TEST_F(DiffusionGpu, HasTheBitsOfTheCores) {
  unsigned seed = 1;
  for (std::vector<double> const& values :
       {std::vector<double>{1, 0}, {1, 0.1, 0}, {1, 1e-5, 30}, {0.3}}) {
    for (bool const periodic : {false, true}) {
      Conductor const conductor = test::random_conductor({61, 50, 47}, periodic, values, ++seed);
      Found const cores = found(conductor, {});
      Found const gpu = found(conductor, on_gpu());
      EXPECT_EQ(gpu.numbers, cores.numbers);
      EXPECT_EQ(gpu.fields, cores.fields);
    }
  }
}

TEST_F(DiffusionGpu, SeveralDoAsOneDoes) {
  Conductor const conductor = test::random_conductor({61, 50, 47}, false, {1, 0.1, 0}, 3);
  SteadyOptions parts = on_gpu();
  parts.spread_above = 1000;
  parts.small_level = 500;
  Found const one = found(conductor, parts);
  parts.gpus.assign(3, 0);  // parts of one GPU: its number stands for each
  Found const several = found(conductor, parts);
  EXPECT_EQ(several.numbers, one.numbers);
  EXPECT_EQ(several.fields, one.fields);
}

/// Memory of one GPU that another one still reads must not be given back.
TEST_F(DiffusionGpu, SeveralRealOnesDoAsOneDoes) {
  SteadyOptions on_two = on_gpu();
  on_two.gpus = {0, 1};
  Conductor const conductor = test::random_conductor({128, 128, 128}, false, {1, 0.1, 0}, 5);
  Found const one = found(conductor, on_gpu());
  on_two.spread_above = 1000;
  try {
    for (int k = 0; k < 3; ++k) {
      Found const several = found(conductor, on_two);
      EXPECT_EQ(several.numbers, one.numbers);
      EXPECT_EQ(several.fields, one.fields);
    }
  } catch (EnvironmentError const&) {
    GTEST_SKIP() << "one GPU";
  }
}

}  // namespace
}  // namespace tessera

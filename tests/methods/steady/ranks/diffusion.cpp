// SPDX-License-Identifier: MIT
// Several processes compute a diffusion together: what each finds is, bit by bit, its part of what
// it finds by itself.
#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "base/ranks/ranks.hpp"
#include "tests/methods/diffusion/conductors.hpp"
#include "tests/methods/steady/ranks/own_part.hpp"

namespace tessera {
namespace {

struct Found {
  std::vector<std::int64_t> voxels;
  std::vector<DiffusionState> fields;
  std::vector<double> numbers;
};

Found solved(Conductor const& conductor, Axis axis, SteadyOptions const& options) {
  std::optional<Axis> open;
  if (!conductor.geometry.periodic[0]) open = axis;
  auto const space = make_diffusion_space(conductor, open, options);
  auto const solver = space->solver(axis);
  Found found;
  for (int round = 0; round < 2; ++round) {
    for (DiffusionEstimate const& e : {solver->iterate(4), solver->confirm()}) {
      for (double const number : {e.conductivity, e.error_estimate, e.residual})
        found.numbers.push_back(number);
    }
  }
  auto const voxels = space->voxels();
  auto const fields = solver->fields();
  found.voxels.assign(voxels.begin(), voxels.end());
  found.fields.assign(fields.begin(), fields.end());
  return found;
}

TEST(DiffusionOfSeveralRanks, IsThatOfOne) {
  for (bool const periodic : {false, true}) {
    Conductor const conductor =
        test::random_conductor({37, 30, 41}, periodic, {1, 0.3, 0, 7}, periodic ? 4 : 3);
    for (std::int64_t const small_level : {std::int64_t{300}, std::int64_t{1} << 17}) {
      SteadyOptions options;
      options.small_level = small_level;
      Found const alone = [&] {
        Ranks::ByItself const by_itself;
        return solved(conductor, Axis::z, options);
      }();
      Found const together = solved(conductor, Axis::z, options);
      test::expect_own_part(together, alone);
    }
  }
}

}  // namespace
}  // namespace tessera

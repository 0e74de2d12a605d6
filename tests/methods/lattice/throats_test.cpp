// SPDX-License-Identifier: MIT
// "Converged" in single precision means it, also where wide still chambers hang on narrow throats:
// k of default runs against that of the solver of methods/stokes/ in double precision.
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>

#include "graph/runtime/runtime.hpp"
#include "permeability/flows/image_answer.hpp"
#include "permeability/flows/stokes_run.hpp"
#include "tests/methods/lattice/flow.hpp"

namespace tessera {
namespace {

/// Chambers with a wall across the flow from layer `from` to `to`, and in it a hole of `wide`
/// voxels across at (y, z).
Geometry chambers(Int3 shape, std::int64_t from, std::int64_t to, std::int64_t y, std::int64_t z,
                  std::int64_t wide = 1) {
  Geometry image{shape, std::vector<std::uint8_t>(static_cast<std::size_t>(volume(shape)), 1), {}};
  for (Int3 at{from, 0, 0}; at.x < to; ++at.x) {
    for (at.y = 0; at.y < shape.y; ++at.y) {
      for (at.z = 0; at.z < shape.z; ++at.z) {
        bool const open = at.y >= y && at.y < y + wide && at.z >= z && at.z < z + wide;
        image.pore[linear_index(shape, at)] = open ? 1 : 0;
      }
    }
  }
  return image;
}

void expect_honest(char const* what, Geometry const& image) {
  SCOPED_TRACE(what);
  PermeabilityCase for_k;
  for_k.precision = Precision::double_precision;
  for_k.tolerance = 1e-6;
  for_k.for_fields = false;
  std::atomic<bool> const never = false;
  PermeabilityCase const asked = solved_for(for_k);
  auto const solved = flow_for_k(Axis::x, asked);
  solved->prepare(image);
  solved->solve({.cores = 1}, never);
  ImageAnswer const& exact = solved->answer();
  PermeabilityOutcome const found = test::flow(image, Axis::x, {});
  ASSERT_TRUE(exact.answered()) << exact.failure;
  ASSERT_EQ(found.end, RunEnd::settled);
  double const error = std::abs(found.last.k_lattice / exact.value - 1);
  EXPECT_LE(error, PermeabilityCase{}.tolerance) << "estimate " << found.last.error_estimate;
}

TEST(Throats, SinglePrecisionKeepsTheTolerance) {
  Runtime const runtime;
  expect_honest("middle", chambers({48, 16, 16}, 22, 26, 8, 8));
  expect_honest("corner", chambers({48, 16, 16}, 22, 26, 0, 0));
  expect_honest("near the inlet", chambers({48, 16, 16}, 6, 10, 8, 8));
  expect_honest("near the outlet", chambers({48, 16, 16}, 38, 42, 8, 8));
  expect_honest("long", chambers({48, 16, 16}, 16, 32, 8, 8));
  expect_honest("short", chambers({48, 16, 16}, 23, 25, 8, 8));
  expect_honest("two voxels wide", chambers({48, 16, 16}, 22, 26, 8, 8, 2));
  expect_honest("slender", chambers({80, 10, 10}, 38, 42, 5, 5));
  expect_honest("small", chambers({24, 10, 10}, 10, 13, 5, 5));
  expect_honest("wide", chambers({30, 22, 22}, 14, 18, 11, 11));
}

}  // namespace
}  // namespace tessera

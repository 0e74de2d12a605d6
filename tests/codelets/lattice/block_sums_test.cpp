// SPDX-License-Identifier: MIT
// Sums over blocks against those over all voxels, and what a step makes of them.
#include "codelets/lattice/block_sums.hpp"

#include <gtest/gtest.h>

#include "codelets/lattice/cpu_kernels.hpp"
#include "tests/codelets/lattice/tiles.hpp"

namespace tessera {
namespace {

using namespace test;

TEST(BlockSums, AddUpMassMomentumAndTheDragOnTheWalls) {
  Geometry const box = random_box({50, 20, 20}, 0.6, wrapped);
  Lattice const f = random_state(box);
  BlockSums expected;
  for_each_pore(box, [&](Int3 at) {
    for (int q = 0; q < 19; ++q) {
      double const value = f[linear_index(box.shape, at)][static_cast<std::size_t>(q)];
      double const c[3] = {double(D3Q19::x(q)), double(D3Q19::y(q)), double(D3Q19::z(q))};
      bool const wall = !neighbour(box, at, {D3Q19::x(q), D3Q19::y(q), D3Q19::z(q)});
      expected.density_shift += value;
      for (int a = 0; a < 3; ++a) {
        expected.momentum[a] += c[a] * value;
        if (wall) expected.drag[a] += 2 * c[a] * value;
      }
    }
  });
  for (std::int32_t count : {1, 6}) {
    Tiles<double> tiles(box, count);
    tiles.set(f);
    BlockSums const sums = tiles.sums();
    EXPECT_NEAR(sums.density_shift, expected.density_shift, 1e-13);
    for (int a = 0; a < 3; ++a) {
      EXPECT_NEAR(sums.momentum[a], expected.momentum[a], 1e-13);
      EXPECT_NEAR(sums.drag[a], expected.drag[a], 1e-13);
    }
  }
}

TEST(CollideStream, ChangesTheMomentumByForceLessDrag) {
  Geometry const box = random_box({40, 24, 24}, 0.6, wrapped);
  auto const p = skew_parameters();
  Tiles<double> tiles(box, 3);
  tiles.set(random_state(box));
  auto const kernel = best_cpu_kernels().kernel({}, Precision::double_precision);
  BlockSums const before = tiles.sums();
  tiles.step(kernel, p);
  BlockSums const after = tiles.sums();
  EXPECT_NEAR(after.density_shift, before.density_shift, 1e-13);
  for (int a = 0; a < 3; ++a) {
    double const change = p.force[a] * static_cast<double>(box.pore_voxels()) - before.drag[a];
    EXPECT_NEAR(after.momentum[a] - before.momentum[a], change, 1e-12);
  }
}

}  // namespace
}  // namespace tessera

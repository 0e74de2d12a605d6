// SPDX-License-Identifier: MIT
// The stage on a GPU does what it does on a core; in the preset `exact`, bit by bit. Skipped where
// there is no GPU.
#include "codelets/spectral/gpu/gpu_kernels.hpp"

#ifdef TESSERA_HAS_CUDA

#include <gtest/gtest.h>

#include "codelets/spectral/gpu/gpu_loop.hpp"
#include "tests/codelets/spectral/flows.hpp"

namespace tessera::spectral {
namespace {

using namespace test;

bool has_gpu() {
  int count = 0;
  bool const found = cudaGetDeviceCount(&count) == cudaSuccess && count > 0;
  cudaGetLastError();
  return found;
}

/// The first packs in one tile, the next ones in another and so on.
TileOfPack in_tiles(MeshOfGas const& of, std::int32_t tiles) {
  TileOfPack tile_of_pack;
  auto const packs = static_cast<std::int32_t>(of.packs.packs.size());
  for (std::int32_t p = 0; p < packs; ++p) tile_of_pack.push_back(p * tiles / packs);
  return tile_of_pack;
}

/// The largest difference of a number of the states, and of speeds relative to them, after three
/// steps.
template <class N>
double largest_difference(MeshOfGas const& of, std::int32_t tiles, Exact const& initial,
                          GasParameters const& parameters = {}) {
  // Without fused multiply-add, as a build for comparing bits has it on the GPU.
  BareLoop<N> on_core(of, parameters, initial, generic_core_kernels);
  GpuLoop<N> on_gpu(of, in_tiles(of, tiles), parameters, initial);
  double const dt = on_core.stable_step(0.5);
  for (int step = 0; step < 3; ++step) on_core.step(dt);
  on_gpu.run(3, dt);
  double difference = 0;
  double longest = std::numeric_limits<double>::infinity();
  for (std::size_t p = 0; p < of.packs.packs.size(); ++p) {
    auto const number = static_cast<std::int32_t>(p);
    PackShape const shape{of.mesh.dimension, of.packs.packs[p].degree};
    std::vector<N> const found = on_gpu.state_of_pack(number);
    N const* const expected = on_core.state_of_pack(number);
    for (int i = 0; i < shape.state_size(); ++i) {
      if (i % lanes >= of.packs.packs[p].elements) continue;
      auto const apart = static_cast<double>(found[static_cast<std::size_t>(i)] - expected[i]);
      difference = std::abs(apart) <= difference ? difference : std::abs(apart);
    }
    longest = std::min(
        longest, stable_step(parameters.integrator, shape.degree) / on_gpu.speed_of_pack(number));
  }
  double const expected = on_core.stable_step(1);
  return std::max(difference, std::abs(longest - expected) / expected);
}

template <class N>
void expect_same(MeshOfGas const& of, std::int32_t tiles, Exact const& initial,
                 GasParameters const& parameters = {}) {
#ifdef TESSERA_NO_FMA
  constexpr double near = 0;
#else
  constexpr double near = sizeof(N) == 8 ? 1e-12 : 2e-5;
#endif
  EXPECT_LE(largest_difference<N>(of, tiles, initial, parameters), near);
}

BoxMesh plane(int p, int other) {
  return {.dimension = 2,
          .cells = {7, 5, 1},
          .size = {10, 10, 1},
          .map_degree = 2,
          .bend = wavy,
          .degree = in_turn(p, other, 10.0 / 7),
          .turn = turned(2)};
}
BoxMesh space(int p, int other, bool curved) {
  BoxMesh box{
      .dimension = 3, .cells = {3, 4, 3}, .degree = in_turn(p, other, 1.0 / 3), .turn = turned(3)};
  if (curved) {
    box.map_degree = 2;
    box.bend = bent_cube;
  }
  return box;
}

class GpuStageOfDegree : public testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    if (!has_gpu()) GTEST_SKIP() << "no GPU";
  }
};
INSTANTIATE_TEST_SUITE_P(Every, GpuStageOfDegree, testing::Range(0, most_degree + 1));

TEST_P(GpuStageOfDegree, IsThatOfACore) {
  int const p = GetParam();
  MeshOfGas const in_plane = gas_in(plane(p, p));
  MeshOfGas const in_space = gas_in(space(p, p, false));
  MeshOfGas const in_curved_space = gas_in(space(p, p, true));
  expect_same<double>(in_plane, 3, vortex(0));
  expect_same<double>(in_space, 3, density_wave(0));
  expect_same<double>(in_curved_space, 1, density_wave(0));
  expect_same<float>(in_plane, 1, vortex(0));
  expect_same<float>(in_space, 3, density_wave(0));
}

TEST_P(GpuStageOfDegree, IsThatOfACoreBesideOtherDegrees) {
  int const p = GetParam();
  for (int const other : {p - 1, p + 1, (p + 4) % (most_degree + 1)}) {
    if (other < 0 || other > most_degree) continue;
    SCOPED_TRACE(other);
    expect_same<double>(gas_in(plane(p, other)), 3, vortex(0));
    expect_same<double>(gas_in(space(p, other, true)), 2, density_wave(0));
  }
  int const other = p == 0 ? 1 : p - 1;
  expect_same<float>(gas_in(space(p, other, false)), 2, density_wave(0));
}

/// Elements whose axes agree, in turn of two degrees.
MeshOfGas in_turn_and_aligned(int p, int other, bool curved) {
  BoxMesh box = space(p, other, curved);
  box.cells = {4, 4, 4};
  box.degree = in_turn(p, other, 1.0 / 4);
  box.turn = {};
  return gas_in(box);
}

/// The states of all packs after three steps, in so many tiles.
template <class N>
std::vector<N> states_in_tiles(MeshOfGas const& of, std::int32_t tiles) {
  GpuLoop<N> loop(of, in_tiles(of, tiles), {}, density_wave(0));
  loop.run(3, 1e-3);
  std::vector<N> all;
  for (std::size_t p = 0; p < of.packs.packs.size(); ++p) {
    auto const of_pack = loop.state_of_pack(static_cast<std::int32_t>(p));
    all.insert(all.end(), of_pack.begin(), of_pack.end());
  }
  return all;
}

// In a tile one element finds the fluxes of both, between tiles each its own.
TEST_P(GpuStageOfDegree, HasTheSameBitsBesideOtherDegreesInAnyTiles) {
  int const p = GetParam();
  int const other = p == 0 ? 2 : p - 1;
  for (bool const curved : {false, true}) {
    MeshOfGas const of = in_turn_and_aligned(p, other, curved);
    expect_same<double>(of, 1, density_wave(0));
    EXPECT_EQ(states_in_tiles<double>(of, 1), states_in_tiles<double>(of, 5));
    EXPECT_EQ(states_in_tiles<float>(of, 1), states_in_tiles<float>(of, 5));
  }
}

class GpuStage : public GpuStageOfDegree {};
INSTANTIATE_TEST_SUITE_P(At, GpuStage, testing::Values(3));

TEST_P(GpuStage, IsThatOfACoreByAllSolversAndIntegrators) {
  MeshOfGas const of = gas_in(space(3, 2, true));
  for (auto const solver : {RiemannSolver::roe, RiemannSolver::hllc, RiemannSolver::rusanov}) {
    for (auto const integrator : {Integrator::bogey_bailly, Integrator::jameson, Integrator::ssp3})
      expect_same<double>(of, 2, density_wave(0),
                          {.riemann = solver, .entropy_fix = 0.1, .integrator = integrator});
  }
}

TEST_P(GpuStage, IsThatOfACoreAtAllBoundaries) {
  auto const flow = [](Point const& at) {
    return Primitive<double>{1 + 0.1 * at[1], {0.3, 0.1, -0.1}, 1 - 0.05 * at[0]};
  };
  BoxMesh box = space(3, 3, true);
  box.periodic = {false, false, true};
  std::vector<BoundaryCondition> const conditions{{BoundaryKind::inlet, flow},
                                                  {BoundaryKind::outlet, flow},
                                                  {BoundaryKind::slip_wall, {}},
                                                  {BoundaryKind::far_field, flow}};
  expect_same<double>(gas_in(box, conditions), 2, flow);
  box = plane(3, 4);
  box.periodic = {false, false, true};
  expect_same<double>(gas_in(box, conditions), 2, flow);
}

}  // namespace
}  // namespace tessera::spectral

#endif

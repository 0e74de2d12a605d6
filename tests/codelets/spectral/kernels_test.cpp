// SPDX-License-Identifier: MIT
// The kernels of all instruction sets, degrees and precisions do the same.
#include <gtest/gtest.h>

#include "tests/codelets/spectral/flows.hpp"

namespace tessera::spectral {
namespace {

using namespace test;

std::vector<CoreKernels const*> kernels_here() {
  std::vector<CoreKernels const*> found{&generic_core_kernels};
#if TESSERA_FOR_AVX512
  if (&best_core_kernels() == &avx512_core_kernels) found.push_back(&avx2_core_kernels);
#endif
  if (&best_core_kernels() != &generic_core_kernels) found.push_back(&best_core_kernels());
  return found;
}

template <class N>
std::vector<State<double>> after_two_steps(MeshOfGas const& of, Exact const& initial,
                                           CoreKernels const& kernels) {
  BareLoop<N> loop(of, {.entropy_fix = 0.1}, initial, kernels);
  for (int step = 0; step < 2; ++step) loop.step(loop.stable_step(0.5));
  std::vector<State<double>> all;
  for (std::size_t e = 0; e < of.mesh.elements(); ++e) {
    for (State<double> const& q : loop.state(static_cast<std::int32_t>(e))) all.push_back(q);
  }
  return all;
}

void expect_near(std::vector<State<double>> const& found,
                 std::vector<State<double>> const& expected, double near) {
  ASSERT_EQ(found.size(), expected.size());
  double apart = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    for (int v = 0; v < variables; ++v)
      apart = std::max(apart, std::abs(found[i][v] - expected[i][v]));
  }
  EXPECT_LT(apart, near);
}

TEST(Kernels, OfAllInstructionSetsAgree) {
  for (int p = 0; p <= most_degree; ++p) {
    SCOPED_TRACE(p);
    int const other = p == 0 ? 1 : p - 1;
    BoxMesh const plane{.dimension = 2,
                        .cells = {4, 3, 1},
                        .size = {10, 10, 1},
                        .map_degree = 2,
                        .bend = wavy,
                        .degree = in_turn(p, other, 2.5)};
    BoxMesh const space{.dimension = 3, .cells = {2, 2, 3}, .degree = everywhere(p)};
    MeshOfGas const in_plane = gas_in(plane);
    MeshOfGas const in_space = gas_in(space);
    auto const flat = after_two_steps<double>(in_plane, vortex(0), generic_core_kernels);
    auto const deep = after_two_steps<double>(in_space, density_wave(0), generic_core_kernels);
    for (CoreKernels const* const kernels : kernels_here()) {
      SCOPED_TRACE(kernels->instruction_set);
      expect_near(after_two_steps<double>(in_plane, vortex(0), *kernels), flat, 1e-13);
      expect_near(after_two_steps<double>(in_space, density_wave(0), *kernels), deep, 1e-13);
      expect_near(after_two_steps<float>(in_plane, vortex(0), *kernels), flat, 1e-5);
      expect_near(after_two_steps<float>(in_space, density_wave(0), *kernels), deep, 1e-5);
    }
  }
}

}  // namespace
}  // namespace tessera::spectral

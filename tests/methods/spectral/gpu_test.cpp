// SPDX-License-Identifier: MIT
// Spectral differences on GPUs, and on cores and GPUs together: the same as on cores; in the preset
// `exact`, bit by bit. Skipped where there is no GPU.
#include <gtest/gtest.h>

#include <cmath>

#include "graph/runtime/runtime.hpp"
#include "graph/tile_graph.hpp"
#include "methods/spectral/spectral_method.hpp"
#include "tests/codelets/spectral/flows.hpp"

namespace tessera::spectral {
namespace {

using namespace test;

struct Workers {
  int cores = 2;
  int gpus = 0;
};

Primitive<double> gpu_initial(Point const& at) {
  return {1 + 0.2 * std::sin(5 * at[0]), {0.3 * std::cos(4 * at[1]), 0.2, 0}, 1 + 0.1 * at[1]};
}

MeshOfGas const& mesh() {
  static MeshOfGas const of =
      gas_in({.dimension = 3,
              .cells = {6, 5, 6},
              .periodic = {true, false, true},
              .map_degree = 2,
              .bend = bent_cube,
              .degree = in_turn(3, 4, 1.0 / 2),
              .turn = turned(3)},
             {{BoundaryKind::slip_wall, {}}, {BoundaryKind::slip_wall, {}}});
  return of;
}

/// All numbers of all packs but those of padding, after ten steps.
std::vector<double> states_after(Workers const& workers, int tiles, Balance balance) {
  MeshOfGas const& of = mesh();
  Runtime const runtime("lws", workers.cores, workers.gpus);
  GasOptions options;
  options.initial = gpu_initial;
  // Without fused multiply-add, as a build for comparing bits has it on the GPU.
  options.kernels = &generic_core_kernels;
  std::vector<Domain> domains = Runtime::domains(workers.cores > 1 || workers.gpus == 0);
  std::vector<Part> const parts(domains.size(), {1, tiles});
  SpectralMethod method(of, cut_packs(of, parts), options);
  TileGraph graph(method, {.domains = domains, .balance = balance});
  graph.submit_steps(10);
  std::vector<std::vector<double>> of_pack(of.packs.packs.size());
  graph.save([&](std::size_t, UnitStore& store) {
    auto const& packs = dynamic_cast<PackStore const&>(store);
    for (std::size_t p = 0; p < packs.packs(); ++p) {
      auto const state = packs.state(p);
      auto const* const numbers = reinterpret_cast<double const*>(state.data());
      for (std::size_t i = 0; i < state.size() / sizeof(double); ++i) {
        if (static_cast<std::int32_t>(i % lanes) < of.packs.packs[p].elements)
          of_pack[p].push_back(numbers[i]);
      }
    }
  });
  std::vector<double> all;
  for (auto const& numbers : of_pack) all.insert(all.end(), numbers.begin(), numbers.end());
  return all;
}

void expect_same(std::vector<double> const& found) {
  static std::vector<double> const expected = states_after({2, 0}, 3, Balance::fixed);
  ASSERT_EQ(found.size(), expected.size());
  double apart = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    double const difference = std::abs(found[i] - expected[i]);
    apart = difference <= apart ? apart : difference;
  }
#ifdef TESSERA_NO_FMA
  EXPECT_EQ(apart, 0);
#else
  EXPECT_LE(apart, 1e-12);
#endif
}

class GpuSpectralMethod : public testing::Test {
 protected:
  void SetUp() override {
    if (Runtime::gpus_present() == 0) GTEST_SKIP() << "no GPU";
  }
};

TEST_F(GpuSpectralMethod, IsThatOfCores) {
  for (int const tiles : {1, 4}) expect_same(states_after({1, 1}, tiles, Balance::fixed));
}

TEST_F(GpuSpectralMethod, IsThatOfCoresWithCoresAndGpusTogether) {
  for (Balance const balance : {Balance::fixed, Balance::dynamic, Balance::free})
    expect_same(states_after({3, 1}, 5, balance));
}

GasMeasurement measured_after_a_step(Workers const& workers) {
  MeshOfGas const& of = mesh();
  Runtime const runtime("lws", workers.cores, workers.gpus);
  GasOptions options;
  options.initial = gpu_initial;
  options.kernels = &generic_core_kernels;
  std::vector<Domain> domains = Runtime::domains(workers.gpus == 0);
  SpectralMethod method(of, cut_packs(of, {{1, 4}}), options);
  TileGraph graph(method, {.domains = domains, .balance = Balance::fixed});
  graph.submit_steps(1);
  graph.submit_measurement();
  return method.take_measurement(1);
}

TEST_F(GpuSpectralMethod, MeasuresWhatCoresMeasure) {
  GasMeasurement const expected = measured_after_a_step({2, 0});
  GasMeasurement const found = measured_after_a_step({1, 1});
  constexpr double near = 1e-12;
  EXPECT_NEAR(found.integrals.volume, expected.integrals.volume, near);
  for (int v = 0; v < variables; ++v)
    EXPECT_NEAR(found.integrals.conserved[v], expected.integrals.conserved[v], near);
  EXPECT_NEAR(found.integrals.kinetic_energy, expected.integrals.kinetic_energy, near);
  EXPECT_NEAR(found.integrals.entropy, expected.integrals.entropy, near);
  EXPECT_NEAR(found.extremes.least_density, expected.extremes.least_density, near);
  EXPECT_NEAR(found.extremes.least_pressure, expected.extremes.least_pressure, near);
  EXPECT_NEAR(found.extremes.largest_speed, expected.extremes.largest_speed, near);
  EXPECT_NEAR(found.extremes.largest_mach, expected.extremes.largest_mach, near);
  EXPECT_EQ(found.broken_pack, -1);
}

TEST_F(GpuSpectralMethod, IsThatOfCoresOnTwoGpus) {
  if (Runtime::gpus_present() < 2) GTEST_SKIP() << "one GPU";
  expect_same(states_after({1, 2}, 3, Balance::fixed));
}

}  // namespace
}  // namespace tessera::spectral

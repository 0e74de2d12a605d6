// SPDX-License-Identifier: MIT
// The kernels against a plain implementation on the whole box, for every instruction set that this
// machine has.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "base/machine/aligned_array.hpp"
#include "codelets/lattice/cpu_kernels.hpp"
#include "codelets/lattice/pull_plan.hpp"
#include "models/lattice/models.hpp"
#include "partition/lattice/block_graph.hpp"
#include "partition/lattice/tiling.hpp"
#include "tests/codelets/lattice/tiles.hpp"

namespace tessera {
namespace {

using namespace test;

template <EquilibriumForm equilibrium>
Lattice reference_step(Geometry const& box, Lattice const& old, FlowParameters const& p) {
  Lattice next = old;
  for_each_pore(box, [&](Int3 at) {
    double f[19];
    for (int q = 0; q < 19; ++q) {
      auto const from = neighbour(box, at, {-D3Q19::x(q), -D3Q19::y(q), -D3Q19::z(q)});
      f[q] = from ? old[linear_index(box.shape, *from)][static_cast<std::size_t>(q)]
                  : old[linear_index(box.shape, at)][static_cast<std::size_t>(D3Q19::opposite(q))];
    }
    collide<equilibrium>(f, two_rates<double>(p));
    std::copy(f, f + 19, next[linear_index(box.shape, at)].begin());
  });
  return next;
}

std::vector<CpuKernels const*> runnable_kernels() {
  std::vector<CpuKernels const*> kernels{&generic_kernels};
#if TESSERA_FOR_AVX512
  if (&best_cpu_kernels() != &generic_kernels) kernels.push_back(&avx2_kernels);
  if (&best_cpu_kernels() == &avx512_kernels) kernels.push_back(&avx512_kernels);
#endif
  return kernels;
}

struct Case {
  Int3 shape;
  double porosity;
  std::array<bool, 3> periodic;
  std::int32_t tiles;
};

class CollideStream : public testing::TestWithParam<Case> {};

constexpr int reference_steps = 5;

/// What every instruction set makes of `start`, beside the state that the reference has come to.
template <class Storage, EquilibriumForm equilibrium>
void expect_reference(Case const& c, Geometry const& box, Lattice const& start,
                      Lattice const& expected, double tolerance) {
  auto const p = skew_parameters();
  for (Layout const layout : {Layout::apart, Layout::together}) {
    Tiles<Storage> tiles(box, c.tiles, layout);
    for (CpuKernels const* kernels : runnable_kernels()) {
      auto const kernel = kernels->kernel({.equilibrium = equilibrium}, precision_of<Storage>);
      tiles.set(start);
      for (int step = 0; step < reference_steps; ++step) tiles.step(kernel, p);
      EXPECT_LT(tiles.largest_difference(expected), tolerance) << kernels->instruction_set;
    }
  }
}

/// The reference computes in double precision, once for all precisions.
template <EquilibriumForm equilibrium>
void is_the_reference(Case const& c) {
  Geometry const box = random_box(c.shape, c.porosity, c.periodic);
  Lattice const start = random_state(box);
  Lattice expected = start;
  for (int step = 0; step < reference_steps; ++step)
    expected = reference_step<equilibrium>(box, expected, skew_parameters());
  expect_reference<double, equilibrium>(c, box, start, expected, 1e-16);
  expect_reference<float, equilibrium>(c, box, start, expected, 2e-9);
  // Five roundings of populations of some 1e-3 to 11 bits, of half a last digit each.
  expect_reference<Half, equilibrium>(c, box, start, expected, 2e-6);
}

TEST_P(CollideStream, IsTheReferenceForEveryInstructionSet) {
  is_the_reference<EquilibriumForm::linear>(GetParam());
  is_the_reference<EquilibriumForm::second_order>(GetParam());
}

/// Populations that differ.
std::size_t differing(Lattice const& a, Lattice const& b) {
  std::size_t count = 0;
  for (std::size_t voxel = 0; voxel < a.size(); ++voxel) {
    for (std::size_t q = 0; q < 19; ++q) count += a[voxel][q] != b[voxel][q] ? 1 : 0;
  }
  return count;
}

/// A step on populations of 16 bits is a step in single precision, rounded. Where multiplication
/// and addition are fused, the compiler may fuse others of them: then a population that lies
/// between two halves may be rounded the other way.
template <EquilibriumForm equilibrium>
void is_single_precision_rounded(Case const& c) {
  Geometry const box = random_box(c.shape, c.porosity, c.periodic);
  Lattice const start = random_state(box);
  auto const p = skew_parameters();
  Tiles<Half> tiles(box, c.tiles);
  Tiles<Half> rounded(box, c.tiles);
  Tiles<float> expected(box, c.tiles);
  for (CpuKernels const* kernels : runnable_kernels()) {
    std::size_t const allowed =
        kernels == &generic_kernels ? 0 : static_cast<std::size_t>(box.pore_voxels()) * 19 / 500;
    tiles.set(start);
    for (int step = 0; step < 3; ++step) {
      expected.set(tiles.get());  // exact
      tiles.step(kernels->kernel({.equilibrium = equilibrium}, Precision::half_storage), p);
      expected.step(kernels->kernel({.equilibrium = equilibrium}, Precision::single_precision), p);
      rounded.set(expected.get());
      EXPECT_LE(differing(tiles.get(), rounded.get()), allowed) << kernels->instruction_set;
    }
  }
}

TEST_P(CollideStream, OnHalvesIsTheStepOfSinglePrecisionRounded) {
  is_single_precision_rounded<EquilibriumForm::linear>(GetParam());
  is_single_precision_rounded<EquilibriumForm::second_order>(GetParam());
}

INSTANTIATE_TEST_SUITE_P(Boxes, CollideStream,
                         testing::Values(Case{{1, 11, 1}, 1.0, wrapped, 1},
                                         Case{{33, 9, 17}, 0.6, {false, false, false}, 3},
                                         Case{{100, 20, 30}, 0.3, wrapped, 5},
                                         Case{{100, 20, 30}, 0.7, {true, false, true}, 1},
                                         Case{{64, 16, 16}, 1.0, wrapped, 4},
                                         Case{{40, 8, 7}, 0.5, wrapped, 2},
                                         Case{{45, 30, 21}, 0.9, {false, true, false}, 13},
                                         Case{{17, 13, 5}, 0.5, wrapped, 2},
                                         Case{{64, 64, 64}, 0.15, wrapped, 64}));

/// A step on the whole box of any model.
template <class Model>
std::vector<std::vector<double>> plain_step(Geometry const& box,
                                            std::vector<std::vector<double>> const& old,
                                            FlowParameters const& p) {
  using Set = typename Model::Lattice;
  auto next = old;
  for_each_pore(box, [&](Int3 at) {
    double f[Set::size];
    for (int q = 0; q < Set::size; ++q) {
      auto const from = neighbour(box, at, {-Set::x(q), -Set::y(q), -Set::z(q)});
      auto const& node = old[linear_index(box.shape, from.value_or(at))];
      f[q] = node[static_cast<std::size_t>(from ? q : Set::opposite(q))];
    }
    Model::collide(f, Model::template narrow<double>(p));
    std::copy(f, f + Set::size, next[linear_index(box.shape, at)].begin());
  });
  return next;
}

/// On one tile, for every instruction set, in single and double precision.
template <class Model>
void kernels_are_the_node_update() {
  using Set = typename Model::Lattice;
  Geometry const box = random_box({37, 11, Set::dimensions == 2 ? 1 : 10}, 0.7, wrapped);
  std::vector<std::vector<double>> start;
  for (auto const& node : random_state(box)) {
    start.emplace_back(node.begin(), node.begin() + std::min(Set::size, 19));
    start.back().resize(Set::size, 5e-4);
  }
  FlowParameters p = flow_parameters(Model::model, 0.7, 0.1875, {1e-4, 2e-4, -1e-4});
  p.smagorinsky_squared = Model::model.smagorinsky ? 0.02 : 0;
  p.bulk *= 0.9;
  auto expected = start;
  for (int step = 0; step < 3; ++step) expected = plain_step<Model>(box, expected, p);
  BlockGrid const grid(box, Model::model.lattice);
  Tiling const tiling = build_tiling(grid, cut_with_metis(block_graph(grid), 1));
  Tile const& tile = tiling.tiles[0];
  TileView const view = view_of(tile);
  PullPlan const plan = plan_pull(Model::model.lattice, view);
  auto const compare = [&]<class Storage>(CpuKernels const& kernels, double tolerance) {
    AlignedArray<Storage> old(tile.population_values), next(tile.population_values);
    auto const visit = [&](auto&& each) {
      for_each_node(tiling, tile, [&](Int3 at, std::uint32_t node, std::size_t b) {
        std::size_t const voxel = linear_index(box.shape, at);
        for (std::uint32_t q = 0; q < Set::size; ++q)
          each(old.get()[population_at(view.blocks[b], q, node)], voxel, q);
      });
    };
    visit([&](Storage& value, std::size_t voxel, std::uint32_t q) {
      value = static_cast<Storage>(start[voxel][q]);
    });
    auto const kernel = kernels.kernel(Model::model, precision_of<Storage>);
    for (int step = 0; step < 3; ++step) {
      kernel(view, plan, old.get(), next.get(), p);
      std::swap(old, next);
    }
    double largest = 0;
    visit([&](Storage& value, std::size_t voxel, std::uint32_t q) {
      largest = std::max(largest, std::abs(static_cast<double>(value) - expected[voxel][q]));
    });
    EXPECT_LT(largest, tolerance) << Set::name << ", " << kernels.instruction_set;
  };
  for (CpuKernels const* kernels : runnable_kernels()) {
    compare.template operator()<double>(*kernels, 1e-15);
    compare.template operator()<float>(*kernels, 5e-9);
  }
}

template <class... Models>
void all_kernels_are_node_updates(ModelList<Models...> /*all*/) {
  (kernels_are_the_node_update<Models>(), ...);
}

TEST(CollideStream, IsTheNodeUpdateOfEveryModel) {
#define TESSERA_TEST_SET(Lattice, ...) all_kernels_are_node_updates(ModelsOn<Lattice>::Models{});
  TESSERA_VELOCITY_SETS(TESSERA_TEST_SET)
#undef TESSERA_TEST_SET
}

}  // namespace
}  // namespace tessera

// SPDX-License-Identifier: MIT
// The dense step against the kernel of the cores on the same cube as one tile: both layouts, both
// equilibria. On a GPU the same comparison is part of every measurement.
#include <gtest/gtest.h>

#include <cmath>

#include "base/machine/aligned_array.hpp"
#include "bench/literature/lattice/dense_node.hpp"
#include "bench/literature/lattice/dense_tile.hpp"
#include "codelets/lattice/cpu_kernels.hpp"
#include "codelets/lattice/pull_plan.hpp"

namespace tessera {
namespace {

constexpr int steps = 3;

template <DenseLayout layout, EquilibriumForm equilibrium>
std::vector<double> step_densely(std::uint32_t edge, FlowParameters const& p) {
  std::size_t const voxels = std::size_t{edge} * edge * edge;
  std::vector<double> old(D3Q19::size * voxels);
  std::vector<double> next(old.size());
  for (std::size_t v = 0; v < voxels; ++v) {
    for (int q = 0; q < D3Q19::size; ++q)
      old[place_of(layout, q, v, voxels)] = initial_population<double>(v, q);
  }
  for (int s = 0; s < steps; ++s) {
    for (std::uint32_t v = 0; v < voxels; ++v)
      step_dense<layout, equilibrium>(old.data(), next.data(), v, edge, two_rates<double>(p));
    std::swap(old, next);
  }
  return old;
}

/// The cube of dense steps as one tile of Tessera, on the cores.
class TileOfCube {
 public:
  explicit TileOfCube(std::uint32_t edge)
      : edge_(edge),
        tiling_(dense_tiling(edge)),
        first_voxels_(block_voxels(tiling_)),
        old_(tiling_.tiles[0].population_values),
        next_(tiling_.tiles[0].population_values) {
    visit([&](TileBlock const& block, std::uint32_t node, std::size_t voxel) {
      for (int q = 0; q < D3Q19::size; ++q)
        old_.get()[population_at(block, static_cast<std::uint32_t>(q), node)] =
            initial_population<double>(voxel, q);
    });
  }

  Tiling const& tiling() const { return tiling_; }
  TileView view() const { return view_of(tiling_.tiles[0]); }
  template <class Visit>
  void visit(Visit&& visit) {
    for (std::uint32_t b = 0; b < view().counts.blocks; ++b) {
      for (std::uint32_t row = 0; row < 64; ++row) {
        for (std::uint32_t x = 0; x < 32; ++x)
          visit_node(view(), first_voxels_.data(), edge_, b, row, x, visit);
      }
    }
  }
  void step(EquilibriumForm equilibrium, FlowParameters const& p) {
    auto const kernel =
        generic_kernels.kernel({.equilibrium = equilibrium}, Precision::double_precision);
    kernel(view(), plan_pull(LatticeKind::d3q19, view()), old_.get(), next_.get(), p);
    std::swap(old_, next_);
  }
  double value(int q, TileBlock const& block, std::uint32_t node) const {
    return old_.get()[population_at(block, static_cast<std::uint32_t>(q), node)];
  }

 private:
  std::uint32_t edge_;
  Tiling tiling_;
  std::vector<std::uint32_t> first_voxels_;
  AlignedArray<double> old_;
  AlignedArray<double> next_;
};

template <DenseLayout layout, EquilibriumForm equilibrium>
void agrees(std::uint32_t edge) {
  double const force[3] = {1e-4, 2e-4, -1e-4};
  auto const p = flow_parameters({.collision = CollisionOperator::trt}, 0.6, 0.1875, force);
  std::size_t const voxels = std::size_t{edge} * edge * edge;
  auto const dense = step_densely<layout, equilibrium>(edge, p);
  TileOfCube tile(edge);
  for (int s = 0; s < steps; ++s) tile.step(equilibrium, p);
  std::vector<int> seen(voxels);
  double largest = 0;
  tile.visit([&](TileBlock const& block, std::uint32_t node, std::size_t voxel) {
    ++seen[voxel];
    for (int q = 0; q < D3Q19::size; ++q) {
      largest = std::max(largest, std::abs(tile.value(q, block, node) -
                                           dense[place_of(layout, q, voxel, voxels)]));
    }
  });
  EXPECT_EQ(seen, std::vector<int>(voxels, 1)) << edge;
  EXPECT_LT(largest, 1e-16) << edge;
}

TEST(DenseStep, IsTheStepOfATile) {
  for (std::uint32_t const edge : {16U, 32U, 33U, 40U}) {
    agrees<DenseLayout::structure_of_arrays, EquilibriumForm::linear>(edge);
    agrees<DenseLayout::array_of_structures, EquilibriumForm::linear>(edge);
    agrees<DenseLayout::structure_of_arrays, EquilibriumForm::second_order>(edge);
    agrees<DenseLayout::array_of_structures, EquilibriumForm::second_order>(edge);
  }
}

TEST(DenseTile, SendsAndReceivesNothing) {
  for (std::int64_t const edge : {16, 33, 64}) {
    Tiling const tiling = dense_tiling(edge);
    ASSERT_EQ(tiling.tiles.size(), 1U);
    EXPECT_TRUE(tiling.tiles[0].neighbours.empty());
    EXPECT_EQ(tiling.tiles[0].counts.sends, 0U);
    EXPECT_EQ(tiling.tiles[0].counts.receives, 0U);
    EXPECT_EQ(tiling.nodes, edge * edge * edge);
  }
}

TEST(DenseTile, TakesNoMoreMemoryThanForetold) {
  for (std::int64_t const edge : {16, 33, 64, 129}) {
    Tiling const tiling = dense_tiling(edge);
    std::size_t const taken = 2 * tiling.tiles[0].population_values * sizeof(float) +
                              tiling.tiles[0].tables.size() +
                              tiling.tiles[0].blocks.size() * sizeof(std::uint32_t);
    EXPECT_LE(taken, dense_tile_bytes(edge, sizeof(float))) << edge;
    EXPECT_LE(static_cast<double>(dense_tile_bytes(edge, sizeof(float))),
              1.3 * static_cast<double>(taken))
        << edge;
  }
}

TEST(InitialPopulation, IsSmallAndWithoutPattern) {
  double sum = 0;
  double products = 0;
  constexpr std::size_t voxels = 20'000;
  for (std::size_t v = 0; v < voxels; ++v) {
    for (int q = 0; q < D3Q19::size; ++q) {
      auto const value = initial_population<double>(v, q);
      ASSERT_LE(std::abs(value), 1.0001e-3);
      sum += value;
      products += value * initial_population<double>(v + 1, q);
    }
  }
  EXPECT_LT(std::abs(sum) / (voxels * 19), 5e-6);
  EXPECT_LT(std::abs(products) / (voxels * 19), 5e-9);  // of squares of 3e-7
}

}  // namespace
}  // namespace tessera

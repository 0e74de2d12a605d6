// SPDX-License-Identifier: MIT
// The kernels against a plain implementation on the whole box, for every instruction set that this
// machine has.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <optional>
#include <random>

#include "base/machine/aligned_array.hpp"
#include "codelets/lattice/block_sums.hpp"
#include "codelets/lattice/cpu_kernels.hpp"
#include "codelets/lattice/halo.hpp"
#include "codelets/lattice/pull_plan.hpp"
#include "models/lattice/models.hpp"
#include "partition/lattice/block_graph.hpp"
#include "partition/lattice/tiling.hpp"

namespace tessera {
namespace {

Geometry random_box(Int3 shape, double porosity, std::array<bool, 3> periodic) {
  Geometry box{shape, {}, periodic};
  std::mt19937 random(5);
  for (std::int64_t i = 0; i < volume(shape); ++i) {
    box.pore.push_back(static_cast<double>(random() % 1000) < 1000 * porosity ? 1 : 0);
  }
  return box;
}

using Lattice = std::vector<std::array<double, 19>>;  // by voxel

Lattice random_state(Geometry const& box) {
  Lattice f(static_cast<std::size_t>(volume(box.shape)));
  std::mt19937 random(9);
  for (auto& node : f) {
    for (double& value : node) value = 1e-3 * (static_cast<double>(random() % 2001) / 1000 - 1);
  }
  return f;
}

/// Neighbouring voxel, or none where there is a wall.
std::optional<Int3> neighbour(Geometry const& box, Int3 at, Int3 d) {
  Int3 to = at + d;
  for (Axis a : all_axes) {
    if (to[a] >= 0 && to[a] < box.shape[a]) continue;
    if (!box.periodic[index_of(a)]) return std::nullopt;
    to[a] = (to[a] + box.shape[a]) % box.shape[a];
  }
  if (!box.is_pore(to)) return std::nullopt;
  return to;
}

template <class Visit>
void for_each_pore(Geometry const& box, Visit&& visit) {
  for (Int3 at; at.z < box.shape.z; ++at.z) {
    for (at.y = 0; at.y < box.shape.y; ++at.y) {
      for (at.x = 0; at.x < box.shape.x; ++at.x) {
        if (box.is_pore(at)) visit(at);
      }
    }
  }
}

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

/// The tiles of a geometry with their populations, run without a runtime.
template <class Storage>
class Tiles {
 public:
  Tiles(Geometry const& box, std::int32_t count, Layout layout = Layout::apart)
      : box_(box),
        grid_(box),
        tiling_(build_tiling(grid_, cut_with_metis(block_graph(grid_), count), layout)) {
    for (std::size_t t = 0; t < tiling_.tiles.size(); ++t)
      plans_.push_back(plan_pull(LatticeKind::d3q19, view(t)));
    for (auto& lattice : lattices_) {
      for (Tile const& tile : tiling_.tiles) {
        std::size_t const values = tile.population_values;
        std::size_t const bytes = (values * sizeof(Storage) + 63) / 64 * 64;
        lattice.emplace_back(static_cast<Storage*>(std::aligned_alloc(64, bytes)), std::free);
        std::fill_n(lattice.back().get(), values, Storage{});
      }
    }
  }

  TileView view(std::size_t t) const { return view_of(tiling_.tiles[t]); }
  Tiling const& tiling() const { return tiling_; }

  /// Visits each node with the values of its populations.
  template <class Visit>
  void visit(Visit&& visit) {
    for (std::size_t t = 0; t < tiling_.tiles.size(); ++t) {
      TileView const tile = view(t);
      for (std::uint32_t b = 0; b < tile.counts.blocks; ++b) {
        Int3 const origin = origin_of(tiling_, tiling_.tiles[t], b);
        for (std::uint32_t r = 0; r < 64; ++r) {
          Row const& row = tile.rows[b * 64 + r];
          std::uint32_t node = row.first;
          for (std::uint32_t left = row.mask; left != 0; left &= left - 1, ++node) {
            visit(linear_index(box_.shape, origin + Int3{lowest_bit(left), r % 8, r / 8}),
                  lattices_[0][t].get() + population_at(tile.blocks[b], 0, node),
                  tile.blocks[b].stride);
          }
        }
      }
    }
  }

  void set(Lattice const& f) {
    visit([&](std::size_t voxel, Storage* node, std::size_t stride) {
      for (std::size_t q = 0; q < 19; ++q) {
        node[q * stride] = to_storage<Storage>(static_cast<Arithmetic<Storage>>(f[voxel][q]));
      }
    });
  }
  /// As numbers; zero in the solid.
  Lattice get() {
    Lattice f(static_cast<std::size_t>(volume(box_.shape)));
    visit([&](std::size_t voxel, Storage* node, std::size_t stride) {
      for (std::size_t q = 0; q < 19; ++q)
        f[voxel][q] = static_cast<double>(from_storage(node[q * stride]));
    });
    return f;
  }
  double largest_difference(Lattice const& f) {
    double largest = 0;
    visit([&](std::size_t voxel, Storage* node, std::size_t stride) {
      for (std::size_t q = 0; q < 19; ++q) {
        auto const value = static_cast<double>(from_storage(node[q * stride]));
        largest = std::max(largest, std::abs(f[voxel][q] - value));
      }
    });
    return largest;
  }

  void step(CollideStreamKernel kernel, FlowParameters const& p) {
    std::vector<std::vector<Storage>> outbox(tiling_.tiles.size());
    for (std::size_t t = 0; t < outbox.size(); ++t) {
      outbox[t].resize(tiling_.tiles[t].counts.outbox_values);
      Storage* const own = outbox[t].data();
      pack(view(t), lattices_[0][t].get(), &own);
    }
    for (std::size_t t = 0; t < outbox.size(); ++t) {
      std::vector<Storage const*> inbox;
      for (std::int32_t n : tiling_.tiles[t].neighbours)
        inbox.push_back(outbox[static_cast<std::size_t>(n)].data());
      unpack(view(t), inbox.data(), lattices_[0][t].get());
      kernel(view(t), plans_[t], lattices_[0][t].get(), lattices_[1][t].get(), p);
    }
    std::swap(lattices_[0], lattices_[1]);
  }

  BlockSums sums() {
    BlockSums total;
    for (std::size_t t = 0; t < tiling_.tiles.size(); ++t) {
      for (std::uint32_t b = 0; b < view(t).counts.blocks; ++b) {
        BlockSums const sums =
            sum_block<D3Q19>(view(t), b, {{0, 0, 0}, {32, 8, 8}}, lattices_[0][t].get());
        total.density_shift += sums.density_shift;
        for (int a = 0; a < 3; ++a)
          total.momentum[a] += sums.momentum[a], total.drag[a] += sums.drag[a];
      }
    }
    return total;
  }

 private:
  Geometry const& box_;
  BlockGrid grid_;
  Tiling tiling_;
  std::vector<PullPlan> plans_;
  std::vector<std::unique_ptr<Storage, void (*)(void*)>> lattices_[2];
};

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

/// The force of the flows below, askew to all axes.
FlowParameters skew_parameters() {
  double const force[3] = {1e-4, 2e-4, -1e-4};
  return flow_parameters({.collision = CollisionOperator::trt}, 0.7, 0.1875, force);
}

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

constexpr std::array<bool, 3> wrapped{true, true, true};
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

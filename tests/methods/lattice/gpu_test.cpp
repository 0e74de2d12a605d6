// SPDX-License-Identifier: MIT
// The same flow on GPUs and on cores. Skipped where there is no GPU.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "geometry/generate.hpp"
#include "graph/runtime/runtime.hpp"
#include "partition/lattice/block_graph.hpp"
#include "partition/row_cut.hpp"
#include "tests/methods/lattice/fields.hpp"
#include "tests/methods/lattice/saved.hpp"

namespace tessera {
namespace {

/// Steps that a difference has to show itself.
constexpr int gpu_steps = 1000;

Geometry spheres_for_gpu() {
  Geometry box = overlapping_spheres({70, 45, 37}, 6, 0.4, 3).geometry;
  box.periodic = {true, true, true};
  return box;
}

Tiling tiling_for(Geometry const& geometry, std::int32_t parts, std::int32_t tiles_per_part) {
  BlockGrid const grid(geometry);
  auto const count = static_cast<std::size_t>(parts);
  return build_tiling(
      grid, cut_in_two_levels(block_graph(grid), std::vector<Part>(count, {1, tiles_per_part})),
      std::vector<Layout>(count, Layout::together));
}

test::Fields on_cores(Tiling const& tiling, FlowOptions options) {
  // Without fused multiply-add, as a build for comparing bits has it on the GPU.
  options.kernels = &generic_kernels;
  Runtime const runtime("lws", 2);
  return test::fields_after(gpu_steps, tiling, options);
}

test::Fields on_gpus(Tiling const& tiling, FlowOptions options, int gpus) {
  Runtime const runtime("lws", 1, gpus);
  options.domains = Runtime::domains(false);
  return test::fields_after(gpu_steps, tiling, options);
}

/// The largest difference of a velocity component, relative to the largest velocity.
double largest_difference(test::Fields const& a, test::Fields const& b) {
  double scale = 0;
  double difference = 0;
  for (std::size_t i = 0; i < a.states.size(); ++i) {
    for (int k = 0; k < 3; ++k) {
      scale = std::max(scale, std::abs(static_cast<double>(a.states[i].velocity[k])));
      difference = std::max(difference, std::abs(static_cast<double>(a.states[i].velocity[k]) -
                                                 static_cast<double>(b.states[i].velocity[k])));
    }
  }
  return difference / scale;
}

/// A GPU's tiles and the cores'.
Tiling tiling_for_both(Geometry const& geometry) {
  BlockGrid const grid(geometry);
  return build_tiling(grid, cut_in_two_levels(block_graph(grid), {{0.7, 4}, {0.3, 3}}),
                      {Layout::together, Layout::apart});
}

class Gpu : public testing::TestWithParam<std::tuple<Precision, EquilibriumForm>> {
 protected:
  void SetUp() override {
    if (Runtime::gpus_present() == 0) GTEST_SKIP() << "no GPU here";
  }
  static FlowOptions options() {
    return test::skew_flow(std::get<0>(GetParam()), std::get<1>(GetParam()));
  }
  /// By what velocities may differ where one of two multiplies and adds in one. States are floats,
  /// so that in double precision nothing may be left to see.
  static double rounding() {
    Precision const precision = std::get<0>(GetParam());
    return precision == Precision::half_storage       ? 2e-3
           : precision == Precision::single_precision ? 2e-4
                                                      : 1e-6;
  }
  static void expect_same_flow(test::Fields const& a, test::Fields const& b) {
#ifdef TESSERA_NO_FMA
    EXPECT_EQ(test::differing_voxels(a, b), 0);
    EXPECT_TRUE(test::same_bits(a.last, b.last));
    EXPECT_TRUE(test::same_bits(a.last_but_one, b.last_but_one));
#else
    EXPECT_LE(largest_difference(a, b), rounding());
#endif
  }
};

TEST_P(Gpu, FlowsAsTheCoresDo) {
  Geometry const box = spheres_for_gpu();
  test::Fields const core = on_cores(tiling_for(box, 1, 4), options());
  test::Fields const gpu = on_gpus(tiling_for(box, 1, 4), options(), 1);
  expect_same_flow(core, gpu);
}

TEST_P(Gpu, FlowsTheSameInOneTileOrMany) {
  Geometry const box = spheres_for_gpu();
  test::Fields const one = on_gpus(tiling_for(box, 1, 1), options(), 1);
  test::Fields const many = on_gpus(tiling_for(box, 1, 7), options(), 1);
  EXPECT_EQ(test::differing_voxels(one, many), 0);
  EXPECT_TRUE(test::same_bits(one.last, many.last));
}

TEST_P(Gpu, FlowsTheSameOnOneOrSeveral) {
  int const gpus = Runtime::gpus_present();
  if (gpus < 2) GTEST_SKIP() << "one GPU only";
  Geometry const box = spheres_for_gpu();
  test::Fields const one = on_gpus(tiling_for(box, 1, 1), options(), 1);
  test::Fields const several = on_gpus(tiling_for(box, gpus, 3), options(), gpus);
  EXPECT_EQ(test::differing_voxels(one, several), 0);
  EXPECT_TRUE(test::same_bits(one.last, several.last));
}

TEST_P(Gpu, FlowsTheSameInARowOfSeveral) {
  int const gpus = Runtime::gpus_present();
  if (gpus < 2) GTEST_SKIP() << "one GPU only";
  Geometry const box = spheres_for_gpu();
  test::Fields const one = on_gpus(tiling_for(box, 1, 1), options(), 1);
  BlockGrid const grid(box);
  auto const count = static_cast<std::size_t>(gpus);
  Tiling const row =
      build_tiling(grid, cut_in_a_row(grid, block_graph(grid), std::vector<Part>(count, {1, 4})),
                   std::vector<Layout>(count, Layout::together));
  for (bool const both_lattices : {false, true}) {
    FlowOptions how = options();
    how.both_lattices = both_lattices;
    test::Fields const several = on_gpus(row, how, gpus);
    EXPECT_EQ(test::differing_voxels(one, several), 0) << both_lattices;
    EXPECT_TRUE(test::same_bits(one.last, several.last)) << both_lattices;
  }
}

TEST_P(Gpu, FlowsTheSameWhileTilesMoveBetweenCoresAndGpu) {
  Geometry const box = spheres_for_gpu();
  Tiling const tiling = tiling_for_both(box);
  FlowOptions both = options();
  both.kernels = &generic_kernels;
  test::Fields const gpu = on_gpus(tiling_for(box, 1, 1), options(), 1);
  Runtime const runtime("lws", 2, 1);
  both.domains = Runtime::domains(true);
  auto const tiles = static_cast<std::int32_t>(tiling.tiles.size());
  std::int64_t moves = 0;
  test::Fields const moving =
      test::fields_after(gpu_steps, tiling, both, [&](FlowGraph& graph, int count) {
        for (int step = 0; step < count; ++step) {
          if (step % 20 == 0) graph.move_tile(step / 20 % tiles, step / 20 / tiles % 2);
          graph.submit_step();
        }
        moves = graph.balance_report().moves;
      });
  EXPECT_GE(moves, gpu_steps / 20 / 2);
  expect_same_flow(gpu, moving);
}

TEST_P(Gpu, FlowsTheSameWhoeverFillsTheHalo) {
  Geometry const box = spheres_for_gpu();
  FlowOptions apart = options();
  apart.halo = HaloExchange::task;
  test::Fields const fused = on_gpus(tiling_for(box, 1, 7), options(), 1);
  test::Fields const tasks = on_gpus(tiling_for(box, 1, 7), apart, 1);
  EXPECT_EQ(test::differing_voxels(fused, tasks), 0);
  EXPECT_TRUE(test::same_bits(fused.last, tasks.last));
}

TEST_P(Gpu, FlowsTheSameWhicheverPolicyDecides) {
  Geometry const box = spheres_for_gpu();
  Tiling const tiling = tiling_for_both(box);
  test::Fields const gpu = on_gpus(tiling_for(box, 1, 1), options(), 1);
  for (std::string const scheduler : {"dmda", "dmdas"}) {
    Runtime const runtime(scheduler, 2, 1);
    FlowOptions free = options();
    free.kernels = &generic_kernels;
    free.balance = Balance::free;
    free.domains = Runtime::domains(true);
    SCOPED_TRACE(scheduler);
    expect_same_flow(gpu, test::fields_after(gpu_steps, tiling, free));
  }
}

TEST_P(Gpu, FlowsTheSameWhileTilesAreCutAnew) {
  Geometry const box = spheres_for_gpu();
  BlockGrid const grid(box);
  auto const tiling = [&](double share, std::int32_t on_gpu, std::int32_t on_cores) {
    return build_tiling(
        grid, cut_in_two_levels(block_graph(grid), {{share, on_gpu}, {1 - share, on_cores}}),
        {Layout::together, Layout::apart});
  };
  FlowOptions both = options();
  both.kernels = &generic_kernels;
  test::Fields const gpu = on_gpus(tiling_for(box, 1, 1), options(), 1);
  Runtime const runtime("lws", 2, 1);
  both.domains = Runtime::domains(true);
  Tiling const first = tiling(0.7, 4, 3);
  test::Fields const cut =
      test::fields_after(gpu_steps, first, both, [&](FlowGraph& graph, int count) {
        graph.submit_steps(count / 4);
        graph.adopt(tiling(0.4, 2, 5));
        graph.submit_steps(count / 4 + 1);
        graph.adopt(tiling(0.9, 9, 1));
        graph.submit_steps(count / 4);
        graph.adopt(tiling(0.8, 5, 2));
        graph.adopt(tiling(0.6, 3, 3));  // no step in between
        graph.submit_steps(count - 3 * (count / 4) - 1);
        EXPECT_EQ(graph.balance_report().cuts, 4);
      });
#ifdef TESSERA_NO_FMA
  EXPECT_EQ(test::differing_voxels(gpu, cut), 0);
  EXPECT_TRUE(test::same_bits(gpu.last, cut.last));
#else
  EXPECT_LE(largest_difference(gpu, cut), rounding());
#endif
}

TEST_P(Gpu, FlowsTheSameWhileOnlyItsOwnTilesAreCutAnew) {
  Geometry const box = spheres_for_gpu();
  test::Fields const one = on_gpus(tiling_for(box, 1, 1), options(), 1);
  Runtime const runtime("lws", 1, 1);
  FlowOptions how = options();
  how.domains = Runtime::domains(false);
  Tiling const first = tiling_for(box, 1, 7);
  test::Fields const cut =
      test::fields_after(gpu_steps, first, how, [&](FlowGraph& graph, int count) {
        for (int i = 1; i <= 5; ++i) {
          graph.submit_steps(count / 5 + (i == 5 ? count % 5 : 0));
          graph.adopt(tiling_for(box, 1, 2 * i));
        }
      });
  EXPECT_EQ(test::differing_voxels(one, cut), 0);
  EXPECT_TRUE(test::same_bits(one.last, cut.last));
}

TEST_P(Gpu, GoesOnFromWhatWasSavedThereOrOnCores) {
  Geometry const box = spheres_for_gpu();
  test::Fields const gpu = on_gpus(tiling_for(box, 1, 4), options(), 1);
  Tiling const tiling = tiling_for(box, 1, 7);
  auto const on = [&](int gpus, auto const& run) {
    Runtime const runtime("lws", gpus > 0 ? 1 : 2, gpus);
    FlowOptions how = options();
    if (gpus > 0) {
      how.domains = Runtime::domains(false);
    } else {
      how.kernels = &generic_kernels;
    }
    return run(how);
  };
  auto const saved_on = [&](int gpus) {
    return on(gpus, [&](FlowOptions const& how) {
      FlowGraph graph(tiling, how);
      graph.submit_steps(15);
      return test::Saved(graph);
    });
  };
  auto const goes_on = [&](int gpus, test::Saved const& saved) {
    return on(gpus, [&](FlowOptions const& how) {
      return test::fields_after(gpu_steps, tiling, how, [&](FlowGraph& graph, int count) {
        saved.restore(graph);
        graph.submit_steps(count - saved.step);
      });
    });
  };
  test::Saved const of_gpu = saved_on(1);
  test::Fields const there = goes_on(1, of_gpu);
  EXPECT_EQ(test::differing_voxels(gpu, there), 0);
  EXPECT_TRUE(test::same_bits(gpu.last, there.last));
  expect_same_flow(gpu, goes_on(0, of_gpu));
  expect_same_flow(gpu, goes_on(1, saved_on(0)));
}

std::string name_of_gpu_case(testing::TestParamInfo<Gpu::ParamType> const& instance) {
  auto const [precision, equilibrium] = instance.param;
  char const* const names[] = {"Single", "Double", "Half"};
  return std::string(names[static_cast<int>(precision)]) +
         (equilibrium == EquilibriumForm::linear ? "Stokes" : "NavierStokes");
}

INSTANTIATE_TEST_SUITE_P(
    Flows, Gpu,
    testing::Combine(testing::Values(Precision::half_storage, Precision::single_precision,
                                     Precision::double_precision),
                     testing::Values(EquilibriumForm::linear, EquilibriumForm::second_order)),
    name_of_gpu_case);

}  // namespace
}  // namespace tessera

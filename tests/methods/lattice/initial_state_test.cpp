// SPDX-License-Identifier: MIT
// What all nodes begin with, set by each tile's first task: the bits that they have if it is set
// node by node.
#include <gtest/gtest.h>

#include <tuple>
#include <vector>

#include "graph/runtime/runtime.hpp"
#include "partition/cut.hpp"
#include "partition/lattice/block_graph.hpp"
#include "partition/lattice/block_grid.hpp"
#include "tests/methods/lattice/saved.hpp"

namespace tessera {
namespace {

class InitialState : public testing::TestWithParam<std::tuple<Precision, FlowModel>> {
 protected:
  static constexpr DensityAndVelocity state{0.01, {1e-3, -2e-3, 5e-4}};

  /// As the tiles keep it at once, and after steps.
  static void compare(Tiling const& tiling, FlowOptions options) {
    std::tie(options.precision, options.model) = GetParam();
    FlowOptions all_at_once = options;
    all_at_once.initial = state;
    FlowGraph in_tasks(tiling, all_at_once);
    FlowGraph by_nodes(tiling, options);
    by_nodes.set_state([](Int3) { return state; });
    for (int const steps : {0, 3}) {
      in_tasks.submit_steps(steps);
      by_nodes.submit_steps(steps);
      EXPECT_EQ(test::Saved(in_tasks).populations, test::Saved(by_nodes).populations);
    }
  }
  /// Scattered solid, for blocks of unlike numbers of nodes.
  static BlockGrid grid() {
    LatticeKind const lattice = std::get<FlowModel>(GetParam()).lattice;
    Int3 const shape{70, 45, velocities_of(lattice).dimensions == 2 ? 1 : 19};
    Geometry rock{shape,
                  std::vector<std::uint8_t>(static_cast<std::size_t>(volume(shape)), 1),
                  {true, true, true}};
    for (std::size_t i = 0; i < rock.pore.size(); i += 3 + i % 11) rock.pore[i] = 0;
    return BlockGrid(rock, lattice);
  }
};

TEST_P(InitialState, SetByTheTasksOnCoresHasTheBitsOfTheOneSetNodeByNode) {
  Runtime const runtime("", 2);
  BlockGrid const blocks = grid();
  for (std::int32_t const tiles : {1, 5}) {
    SCOPED_TRACE(tiles);
    compare(build_tiling(blocks, cut_with_metis(block_graph(blocks), tiles)), {});
  }
}

TEST_P(InitialState, SetByTheTasksOnAGpuHasTheBitsOfTheOneSetNodeByNode) {
  if (Runtime::gpus_present() == 0) GTEST_SKIP() << "no GPU here";
  Runtime const runtime("lws", 1, 1);
  BlockGrid const blocks = grid();
  FlowOptions options;
  options.domains = Runtime::domains(false);
  for (std::int32_t const tiles : {1, 5}) {
    SCOPED_TRACE(tiles);
    compare(build_tiling(blocks, cut_with_metis(block_graph(blocks), tiles)), options);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Models, InitialState,
    testing::Combine(testing::Values(Precision::half_storage, Precision::single_precision,
                                     Precision::double_precision),
                     testing::Values(FlowModel{.lattice = LatticeKind::d2q9},
                                     FlowModel{.equilibrium = EquilibriumForm::second_order},
                                     FlowModel{.lattice = LatticeKind::d3q27,
                                               .collision = CollisionOperator::cumulants,
                                               .equilibrium = EquilibriumForm::product})));

}  // namespace
}  // namespace tessera

// SPDX-License-Identifier: MIT
// One layer of a three-dimensional lattice is D2Q9: its populations add up along z, and so do those
// of the equilibrium, the force and both halves of BGK and TRT. (Regularised and MRT are not meant
// to: they treat stresses along z apart.)
#include <gtest/gtest.h>

#include "tests/models/lattice/flows.hpp"

namespace tessera {
namespace {

constexpr Int3 shape{10, 8, 1};

/// Density and momentum of all nodes after a flow along two walls and around a solid node.
template <class C>
std::vector<double> after_flow() {
  reference::Box<typename C::Lattice> flow(shape);
  flow.for_each_node([&](Int3 at) {
    if (at.y == 0 || at.y == 7 || at == Int3{4, 3, 0}) flow.make_solid(at);
  });
  flow.start([](Int3 at) { return 1 + 1e-3 * static_cast<double>(at.x % 3); },
             [](Int3 at) {
               return std::array{0.02, 1e-3 * static_cast<double>(at.y % 2), 0.0};
             });
  auto const collide = collision_of<C>(0.03, 1e-3, -2e-4);
  for (int i = 0; i < 100; ++i) flow.step(collide);
  std::vector<double> values;
  flow.for_each_node([&](Int3 at) {
    if (flow.solid(at)) return;
    double density = 0;
    for (double f : flow.at(at).f) density += f;
    values.insert(values.end(), {density, flow.momentum(at, 0), flow.momentum(at, 1)});
  });
  return values;
}

template <class Operator, EquilibriumForm form>
void agree_in_the_plane() {
  auto const plane = after_flow<Combination<D2Q9, Operator, form>>();
  for (auto const& layer : {after_flow<Combination<D3Q15, Operator, form>>(),
                            after_flow<Combination<D3Q19, Operator, form>>(),
                            after_flow<Combination<D3Q27, Operator, form>>()}) {
    for (std::size_t i = 0; i < plane.size(); ++i) EXPECT_NEAR(layer[i], plane[i], 1e-14);
  }
}

TEST(PlaneFlow, IsThatOfD2Q9InOneLayerOfEveryIsotropicLattice) {
  agree_in_the_plane<Bgk, EquilibriumForm::second_order>();
  agree_in_the_plane<Trt, EquilibriumForm::second_order>();
  agree_in_the_plane<Trt, EquilibriumForm::linear>();
}

TEST(PlaneFlow, OfTheProductEquilibriumIsTheSameInTwoAndThreeDimensions) {
  auto const plane = after_flow<Combination<D2Q9, Bgk, EquilibriumForm::product>>();
  auto const layer = after_flow<Combination<D3Q27, Bgk, EquilibriumForm::product>>();
  for (std::size_t i = 0; i < plane.size(); ++i) EXPECT_NEAR(layer[i], plane[i], 1e-14);
}

/// Between plates, in equilibrium: TRT with Lambda = 3/16 gives the parabola in every node.
template <VelocitySet Lattice>
void is_a_parabola() {
  int const height = 7;
  double const nu = 0.1, g = 1e-5;
  reference::Box<Lattice> flow(Int3{1, height + 1, 1});
  flow.make_solid({0, 0, 0});
  auto const collide =
      collision_of<Combination<Lattice, Trt, EquilibriumForm::second_order>>(nu, g);
  for (int i = 0; i < 6000; ++i) flow.step(collide);
  for (int y = 1; y <= height; ++y) {
    double const from_wall = y - 0.5;
    double const parabola = g / (2 * nu) * from_wall * (height - from_wall);
    EXPECT_NEAR(flow.momentum({0, y, 0}, 0) + g / 2, parabola, 1e-12);
  }
}

TEST(PlaneFlow, BetweenPlatesIsTheParabola) {
  is_a_parabola<D2Q9>();
  is_a_parabola<D3Q15>();
  is_a_parabola<D3Q19>();
  is_a_parabola<D3Q27>();
}

}  // namespace
}  // namespace tessera

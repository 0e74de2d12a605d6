// SPDX-License-Identifier: MIT
// What several processes find in a state that is spread over them is what one finds that has all of
// it, to the last bit. Each process computes both.
#include "run/fields/flow_state.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/ranks/ranks.hpp"
#include "run/flow_limits.hpp"

namespace tessera {
namespace {

constexpr Int3 state_shape{13, 10, 45};

/// Solid in places, and wrapping along z.
Geometry rock() {
  Geometry geometry{.shape = state_shape, .pore = {}, .periodic = {false, false, true}};
  for (Int3 at; at.z < state_shape.z; ++at.z) {
    for (at.y = 0; at.y < state_shape.y; ++at.y) {
      for (at.x = 0; at.x < state_shape.x; ++at.x)
        geometry.pore.push_back((at.x * at.x + 3 * at.y + at.z * at.z) % 5 < 3 ? 1 : 0);
    }
  }
  return geometry;
}

SpreadGeometry own_part(Geometry const& whole) {
  SpreadGeometry part = open_box(whole.shape);
  auto const before = whole.shape.x * whole.shape.y * part.layers.lower;
  part.own.pore.assign(whole.pore.begin() + before,
                       whole.pore.begin() + before + volume(part.own.shape));
  part.set_periodic(whole.periodic);
  return part;
}

/// Numbers of all sizes, as sums of them depend on their order.
void fill(FlowState& state, double at_step) {
  SpreadGeometry const& geometry = state.geometry();
  std::size_t const before = linear_index(geometry.shape, {0, 0, geometry.layers.lower});
  auto const values = state.values();
  for (std::size_t i = 0; i < values.size(); ++i) {
    auto const n = static_cast<double>(4 * before + i);
    if (geometry.own.pore[i / 4] != 0)
      values[i] = static_cast<float>(0.1 * std::sin(n + at_step) * std::exp(std::cos(7 * n)));
  }
}

struct Found {
  std::vector<std::optional<NodeState>> at_places;
  FlowChange change;
  double largest_speed = 0;
};

std::vector<FlowState::Place> places() {
  std::vector<FlowState::Place> all{{-3, 0, 0}, {20, 4, 60}, {0.5, 0.5, 0.5}, {6.5, 4.5, 44.9}};
  for (int i = 0; i < 200; ++i) all.push_back({0.066 * i, 5 + std::sin(i), 0.23 * i});
  return all;
}

Found look(SpreadGeometry const& geometry) {
  FlowState earlier(geometry), later(geometry);
  fill(earlier, 0);
  fill(later, 1e-3);
  FlowLimits limits(LatticeKind::d3q19, EquilibriumForm::second_order);
  EXPECT_EQ(limits.look(later), std::nullopt);
  return {later.at(places()), later.change_since(earlier), limits.largest_speed()};
}

TEST(SpreadState, SaysWhatTheWholeSays) {
  Geometry const geometry = rock();
  Found const spread = look(own_part(geometry));
  Ranks::ByItself const alone;
  Found const whole = look(spread_geometry(geometry));
  EXPECT_EQ(spread.change.velocity, whole.change.velocity);
  EXPECT_EQ(spread.change.density, whole.change.density);
  EXPECT_EQ(spread.change.speed, whole.change.speed);
  EXPECT_EQ(spread.change.density_shift, whole.change.density_shift);
  EXPECT_EQ(spread.change.nodes, whole.change.nodes);
  EXPECT_EQ(spread.largest_speed, whole.largest_speed);
  EXPECT_GT(whole.change.velocity, 0);
  std::size_t solid = 0;
  for (std::size_t i = 0; i < whole.at_places.size(); ++i) {
    auto const& one = spread.at_places[i];
    auto const& other = whole.at_places[i];
    ASSERT_EQ(one.has_value(), other.has_value()) << i;
    if (!one) ++solid;
    if (!one) continue;
    EXPECT_EQ(one->density_shift, other->density_shift) << i;
    for (int a = 0; a < 3; ++a) EXPECT_EQ(one->velocity[a], other->velocity[a]) << i;
  }
  EXPECT_LT(solid, whole.at_places.size() / 2);
}

/// A linear field is found exactly anywhere between centres.
TEST(SpreadState, IsLinearBetweenTheCentresOfVoxelsOfWhateverRank) {
  SpreadGeometry const geometry = open_box(state_shape);
  FlowState state(geometry);
  auto const linear = [](double x, double y, double z) { return 0.25 * x - 0.5 * y + 2 * z; };
  std::size_t i = 0;
  state.visit_rows([&](Int3 at, auto const& pore, auto const&) {
    for (std::size_t x = 0; x < pore.size(); ++x) {
      state.values()[4 * i++] =
          static_cast<float>(linear(static_cast<double>(x) + 0.5, static_cast<double>(at.y) + 0.5,
                                    static_cast<double>(at.z) + 0.5));
    }
  });
  std::vector<FlowState::Place> inside;
  for (int z = 1; z < 4 * state_shape.z - 4; ++z) inside.push_back({3.25, 7.75, 0.5 + 0.25 * z});
  auto const found = state.at(inside);
  for (std::size_t p = 0; p < inside.size(); ++p) {
    auto const [x, y, z] = inside[p];
    ASSERT_TRUE(found[p].has_value());
    EXPECT_EQ(static_cast<double>(found[p]->density_shift), linear(x, y, z));
  }
}

TEST(SpreadState, IsNoFlowWhereOneRankHasNoNumbers) {
  SpreadGeometry const geometry = open_box(state_shape);
  FlowState state(geometry);
  FlowLimits limits(LatticeKind::d3q19, EquilibriumForm::second_order);
  EXPECT_EQ(limits.look(state), std::nullopt);
  if (geometry.layers.upper == state_shape.z && geometry.layers.count() > 0)
    state.values().back() = std::nanf("");
  EXPECT_NE(limits.look(state), std::nullopt);
}

}  // namespace
}  // namespace tessera

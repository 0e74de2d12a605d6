// SPDX-License-Identifier: MIT
// Passes over groups of nodes, which have the bits of passes over one node after the other.
#include "methods/steady/node_group.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "methods/steady/multigrid.hpp"
#include "methods/stokes/lanczos.hpp"

namespace tessera::steady::stokes {
namespace {

/// Arrays of two chunks, whose links lead anywhere or end at walls; a few slots are holes.
class NodeGroups : public testing::Test {
 protected:
  static constexpr std::int64_t slots = std::int64_t{2} * chunk_size;

  NodeGroups() {
    std::uniform_int_distribution<std::int32_t> anywhere(-slots / 4, slots - 1);
    for (std::int64_t i = 0; i < slots; ++i) {
      parent[at(i)] = i % 37 == 5 ? -1 : 0;
      for (int q = 1; q < D3Q19::size; ++q) {
        std::int32_t const other = parent[at(i)] < 0 ? -1 : anywhere(random);
        table[at(Links::index(q, i))] = other < 0 ? -1 : other;
      }
    }
    scalars.inverse_beta = 1.25;
    scalars.beta_ratio = 0.75;
    scalars.alpha_over_beta = 0.3;
    scalars.phi_over_gamma = 0.7;
    scalars.delta_over_gamma = 0.2;
    scalars.epsilon_over_gamma = 0.1;
  }

  static std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }
  std::vector<float> numbers(std::int64_t count) {
    std::normal_distribution<float> normal;
    std::vector<float> made(at(count));
    for (float& value : made) value = normal(random);
    return made;
  }
  std::vector<Four<float>> fours() {
    std::vector<float> const values = numbers(4 * slots);
    std::vector<Four<float>> made(at(slots));
    std::memcpy(made.data(), values.data(), values.size() * sizeof(float));
    return made;
  }
  /// Everything that passes write.
  struct Arrays {
    std::vector<float> v, w, mobility, applied;
    std::vector<Four<float>> f, b, x, q, p;
    std::vector<Four<double>> solution;
    std::vector<double> sums;

    Vectors<float> vectors() {
      return {v.data(), w.data(), f.data(), b.data(),
              x.data(), q.data(), p.data(), solution.data()};
    }
    std::string bytes() const {
      std::string all;
      auto const add = [&](auto const& values) {
        all.append(reinterpret_cast<char const*>(values.data()),
                   values.size() * sizeof(values.front()));
      };
      add(w), add(applied), add(f), add(b), add(x), add(p), add(solution), add(sums);
      return all;
    }
  };
  Arrays arrays() {
    return {.v = numbers(node_values * slots),
            .w = numbers(node_values * slots),
            .mobility = numbers(slots),
            .applied = numbers(slots),
            .f = fours(),
            .b = fours(),
            .x = fours(),
            .q = fours(),
            .p = fours(),
            .solution = std::vector<Four<double>>(at(slots), Four<double>{1, 2, 3, 4}),
            .sums = std::vector<double>(at(2 * slots))};
  }
  template <class Medium>
  FineMatrix<float, Medium> fine(Medium const& medium, Arrays& a) const {
    return {medium, a.mobility.data(), diagonal.data(), chunk_part.data(),
            &mean,  a.b.data(),        a.x.data()};
  }
  /// Calls visit(medium) for open pores, and for some that are grey.
  template <class Visit>
  void for_each_medium(Visit const& visit) {
    Links const links{table.data()};
    visit(OpenPores{links});
    std::vector<float> resistance = numbers(slots);
    for (float& value : resistance) value = std::max(value, 0.0F);
    std::vector<float> straight = numbers(3 * slots);
    for (float& value : straight) value = 1 + std::abs(value);
    visit(GreyPores{links, resistance.data(), straight.data(), slots});
  }

  /// Runs make_pass(arrays) on nodes and on groups, from the same values.
  template <int V, class MakePass>
  void expect_same_bits(MakePass const& make_pass) {
    Arrays of_nodes = arrays();
    Arrays of_groups = of_nodes;
    auto const by_node = make_pass(of_nodes);
    auto const by_group = make_pass(of_groups);
    for (std::int64_t i = 0; i < slots; ++i) {
      auto const sums = by_node(i);
      for (int v = 0; v < V; ++v) store(of_nodes.sums.data() + v * slots, i, sums.of[v]);
    }
    for (std::int64_t i = 0; i < slots; i += NodeGroup::size) {
      auto const sums = by_group(NodeGroup{i});
      for (int v = 0; v < V; ++v)
        store(of_groups.sums.data() + v * slots, NodeGroup{i}, sums.of[v]);
    }
    EXPECT_TRUE(of_nodes.bytes() == of_groups.bytes());
  }

  std::mt19937 random{7};
  std::vector<std::int32_t> table = std::vector<std::int32_t>(at(18 * slots));
  std::vector<std::int32_t> parent = std::vector<std::int32_t>(at(slots));
  std::vector<std::int32_t> chunk_part = {0, 0};
  std::vector<Two<float>> diagonal = std::vector<Two<float>>(at(slots), Two<float>{1.5F, 2.5F});
  double mean = 0.01;
  LanczosScalars scalars{};
  Factors factors = factors_of(3.0 / 16);
};

TEST_F(NodeGroups, ApplyTheOperator) {
  for_each_medium([&]<class Medium>(Medium const& medium) {
    expect_same_bits<1>([&](Arrays& a) {
      return ApplyOperator<float, Medium>{medium, factors, a.vectors(), &scalars};
    });
  });
}

TEST_F(NodeGroups, Orthogonalise) {
  for (Lanczos const what : {Lanczos::begin, Lanczos::step}) {
    expect_same_bits<2>([&](Arrays& a) {
      return stokes::Orthogonalise<float>{Links{table.data()}, factors,  a.vectors(),
                                          diagonal.data(),     &scalars, what};
    });
  }
}

TEST_F(NodeGroups, FinishThePreconditioner) {
  for_each_medium([&]<class Medium>(Medium const& medium) {
    expect_same_bits<1>([&](Arrays& a) {
      return FinishPreconditioner<float, Medium>{fine(medium, a), factors, a.vectors(),
                                                 parent.data()};
    });
  });
}

TEST_F(NodeGroups, ApplyTheMobility) {
  for_each_medium([&]<class Medium>(Medium const& medium) {
    expect_same_bits<1>([&](Arrays& a) {
      return ApplyMobility<Medium>{medium, a.mobility.data(), a.applied.data()};
    });
  });
}

TEST_F(NodeGroups, TakeTheResidual) {
  for_each_medium([&]<class Medium>(Medium const& medium) {
    Arrays a = arrays();
    RestrictFine<FineMatrix<float, Medium>> const pass{.fine = fine(medium, a)};
    std::vector<Four<float>> of_nodes(at(slots));
    std::vector<Four<float>> of_groups(at(slots));
    for (std::int64_t i = 0; i < slots; ++i) store(of_nodes.data(), i, pass.value(i));
    for (std::int64_t i = 0; i < slots; i += NodeGroup::size)
      store(of_groups.data(), NodeGroup{i}, pass.value(NodeGroup{i}));
    EXPECT_EQ(std::memcmp(of_nodes.data(), of_groups.data(), at(slots) * sizeof(Four<float>)), 0);
  });
}

}  // namespace
}  // namespace tessera::steady::stokes

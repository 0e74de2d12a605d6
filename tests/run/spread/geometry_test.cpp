// SPDX-License-Identifier: MIT
// What processes find out of a geometry that is spread over them is what one finds that has all of
// it. Each process computes both.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/ranks/ranks.hpp"
#include "geometry/connectivity.hpp"
#include "geometry/flow_setup.hpp"
#include "geometry/pore_scale.hpp"
#include "io/sha256.hpp"
#include "run/spread/blocks.hpp"
#include "run/spread/components.hpp"
#include "run/spread/flow_box.hpp"
#include "run/spread/numbers.hpp"
#include "run/spread/pore_scale.hpp"
#include "tests/partition/lattice/random_geometry.hpp"

namespace tessera {
namespace {

SpreadGeometry own_part(Geometry const& whole) {
  SpreadGeometry part{.own = {},
                      .shape = whole.shape,
                      .layers = layers_of_rank(Ranks::rank(), whole.shape.z),
                      .everywhere = Ranks::alone()};
  std::ptrdiff_t const layer = whole.shape.x * whole.shape.y;
  part.own.shape = {whole.shape.x, whole.shape.y, part.layers.count()};
  part.own.pore.assign(whole.pore.begin() + part.layers.lower * layer,
                       whole.pore.begin() + part.layers.upper * layer);
  part.set_periodic(whole.periodic);
  return part;
}

/// About as many pores as are needed to lead through, in boxes with more and with fewer layers than
/// processes can share; the last ones wrap.
std::vector<Geometry> rocks() {
  std::vector<Geometry> all;
  std::uint32_t seed = 0;
  for (std::int64_t const layers : {1, 7, 8, 9, 16, 40, 61}) {
    for (double const porosity : {0.17, 0.33}) {
      for (unsigned wraps = 0; wraps < 8; ++wraps) {
        all.push_back(
            test::random_geometry({11, 6, layers}, porosity, ++seed,
                                  {(wraps & 1U) != 0, (wraps & 2U) != 0, (wraps & 4U) != 0}));
      }
    }
  }
  return all;
}

TEST(SpreadGeometry, HasLayersOfBlocksOnEachRankAndAllOnOne) {
  std::int64_t next = 0;
  for (int rank = 0; rank < Ranks::count(); ++rank) {
    LayerRange const layers = layers_of_rank(rank, 61);
    EXPECT_EQ(layers.lower, next);
    for (std::int64_t z = layers.lower; z < layers.upper; ++z)
      EXPECT_EQ(rank_of_layer(z, 61), rank);
    next = layers.upper;
    EXPECT_TRUE(next % 8 == 0 || next == 61);
  }
  EXPECT_EQ(next, 61);
}

TEST(SpreadGeometry, IsPutTogetherAndHashedAsTheWhole) {
  for (Geometry const& rock : rocks()) {
    SpreadGeometry const part = own_part(rock);
    Geometry const all = whole_geometry(part);
    ASSERT_EQ(all.pore, rock.pore);
    EXPECT_EQ(all.periodic, rock.periodic);
    EXPECT_EQ(pore_voxels(part), rock.pore_voxels());
    ASSERT_EQ(sha256_of(part), sha256_of(std::as_bytes(std::span(rock.pore))));
  }
}

TEST(SpreadGeometry, IsAnOpenBoxWhereNobodySaysMore) {
  for (std::int64_t const layers : {1, 8, 61}) {
    Geometry open{.shape = {11, 6, layers}, .pore = {}};
    open.pore.assign(static_cast<std::size_t>(volume(open.shape)), 1);
    SpreadGeometry const box = open_box(open.shape);
    EXPECT_EQ(box.layers, layers_of_rank(Ranks::rank(), layers));
    EXPECT_EQ(whole_geometry(box).pore, open.pore);
  }
}

TEST(SpreadNumbers, AreThoseOfTheWhole) {
  for (Geometry const& rock : rocks()) {
    std::vector<std::uint8_t> numbers;
    numbers.reserve(rock.pore.size());
    for (std::size_t i = 0; i < rock.pore.size(); ++i)
      numbers.push_back(static_cast<std::uint8_t>(rock.pore[i] * (1 + i % 7)));
    SpreadGeometry const part = own_part(rock);
    auto const before = static_cast<std::size_t>(rock.shape.x * rock.shape.y * part.layers.lower);
    VoxelNumbers const found =
        numbers_of_all(part, std::span(numbers).subspan(before, part.own.pore.size()));
    std::size_t i = 0;
    for (Int3 at; at.z < rock.shape.z; ++at.z) {
      for (at.y = 0; at.y < rock.shape.y; ++at.y) {
        for (at.x = 0; at.x < rock.shape.x; ++at.x) ASSERT_EQ(found.at(at), numbers[i++]);
      }
    }
  }
}

TEST(SpreadComponents, LeadThroughAsThoseOfTheWhole) {
  for (Geometry const& rock : rocks()) {
    for (Links const links : {Links::faces, Links::faces_and_edges, Links::all}) {
      PoreComponents const all(rock, links);
      SpreadComponents const spread(own_part(rock), links);
      for (Axis const axis : all_axes) {
        ASSERT_EQ(spread.percolating_voxels(axis), all.percolating_voxels(axis)) << name_of(axis);
        Geometry closed = rock;
        all.close_isolated(closed, axis);
        SpreadGeometry part = own_part(rock);
        spread.close_isolated(part, axis);
        ASSERT_EQ(part.own.pore, own_part(closed).own.pore);
      }
    }
  }
}

/// A pore that climbs once around x for each turn around z, through layers of all processes.
TEST(SpreadComponents, WindAcrossProcesses) {
  constexpr std::int64_t n = 32;
  Geometry screw{.shape = {n, 3, n}, .pore = {}, .periodic = {true, false, true}};
  screw.pore.resize(static_cast<std::size_t>(volume(screw.shape)));
  for (std::int64_t i = 0; i < n; ++i) {
    screw.pore[linear_index(screw.shape, {i, 1, i})] = 1;
    screw.pore[linear_index(screw.shape, {(i + 1) % n, 1, i})] = 1;
  }
  SpreadComponents const around(own_part(screw), Links::faces);
  EXPECT_EQ(around.percolating_voxels(Axis::x), 2 * n);
  EXPECT_EQ(around.percolating_voxels(Axis::z), 2 * n);
  EXPECT_EQ(around.percolating_voxels(Axis::y), 0);
  screw.pore[linear_index(screw.shape, {0, 1, n - 1})] = 0;  // where its ends met
  EXPECT_EQ(SpreadComponents(own_part(screw), Links::faces).percolating_voxels(Axis::z), 0);
}

TEST(SpreadFlowBox, HasTheVoxelsPoreSizeAndBlocksOfTheWhole) {
  for (Geometry const& rock : rocks()) {
    for (Axis const axis : all_axes) {
      for (FlowSetup const setup : {FlowSetup::sealed, FlowSetup::periodic, FlowSetup::mirrored}) {
        FlowBox const box = flow_box(rock, axis, setup, 3);
        SpreadGeometry const part = pores_in_box(own_part(rock), box);
        ASSERT_EQ(part.own.pore, own_part(box.geometry).own.pore);
        EXPECT_EQ(part.periodic, box.geometry.periodic);
        Int3 const lower = box.sample_lower;
        Int3 const upper = box.sample_upper;
        ASSERT_EQ(hydraulic_diameter(part, lower, upper),
                  hydraulic_diameter(box.geometry, lower, upper));
        BlockGrid const blocks(box.geometry);
        BlockGrid const same = block_grid(part, LatticeKind::d3q19);
        ASSERT_EQ(same.nodes(), blocks.nodes());
        ASSERT_EQ(same.size(), blocks.size());
        for (std::int32_t b = 0; b < blocks.size(); ++b) {
          auto const i = static_cast<std::size_t>(b);
          ASSERT_EQ(same.origin(b), blocks.origin(b));
          ASSERT_EQ(same.blocks()[i].extent, blocks.blocks()[i].extent);
          ASSERT_EQ(same.blocks()[i].rows, blocks.blocks()[i].rows);
        }
      }
    }
  }
}

}  // namespace
}  // namespace tessera

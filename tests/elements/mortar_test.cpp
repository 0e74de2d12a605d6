// SPDX-License-Identifier: MIT
// Sides between unlike degrees, as a GPU's kernel for them finds them in a tile's tables.
#include <gtest/gtest.h>

#include <map>

#include "spectral/tiles.hpp"
#include "tests/elements/flows.hpp"

namespace tessera::spectral {
namespace {

using namespace test;

MeshOfGas mixed(int dimension, bool is_turned) {
  BoxMesh box{.dimension = dimension,
              .cells = {4, 4, dimension == 3 ? 4 : 1},
              .map_degree = 2,
              .bend = bent_cube,
              .degree = in_turn(2, 3, 0.25)};
  if (is_turned) box.turn = turned(dimension);
  return gas_in(box);
}

/// The packs one after the other, in so many tiles.
TileOfPack in_tiles(MeshOfGas const& of, std::size_t tiles) {
  TileOfPack tile_of_pack;
  std::size_t const packs = of.packs.packs.size();
  for (std::size_t p = 0; p < packs; ++p)
    tile_of_pack.push_back(static_cast<std::int32_t>(p * tiles / packs));
  return tile_of_pack;
}

/// How often the flux that belongs at this place of the next traces is found.
std::map<std::int64_t, int> times_found(TileCounts const& counts, TileView<double> const& view) {
  std::map<std::int64_t, int> times;
  for (std::int32_t i = 0; i < counts.mortars; ++i) {
    MortarSide const& mortar = view.mortars[i];
    EXPECT_EQ(mortar.for_both & ~mortar.lanes, 0);
    EXPECT_TRUE(mortar.for_both == 0 || mortar.degree < mortar.other);
    for (int lane = 0; lane < lanes; ++lane) {
      if ((mortar.lanes >> lane & 1) != 0) ++times[mortar.trace + lane];
      if ((mortar.for_both >> lane & 1) == 0) continue;
      Link const& link = view.links[mortar.links + lane];
      EXPECT_EQ(link.source, 0);
      EXPECT_EQ(link.stride, lanes);
      ++times[link.begin];
    }
  }
  return times;
}

/// Of all sides between unlike degrees.
std::map<std::int64_t, int> once_each(TileCounts const& counts, TileView<double> const& view) {
  std::map<std::int64_t, int> times;
  for (std::int32_t p = 0; p < counts.packs; ++p) {
    TilePack const& pack = view.packs[p];
    PackShape const shape{counts.dimension, pack.degree};
    for (int side = 0; side < shape.sides(); ++side) {
      for (std::int32_t i = pack.first_part[side]; i < pack.first_part[side + 1]; ++i) {
        SidePart const& part = view.parts[i];
        if (part.degree < 0 || part.degree == pack.degree) continue;
        for (int lane = 0; lane < lanes; ++lane) {
          if ((part.lanes >> lane & 1) != 0)
            ++times[pack.traces + shape.trace_at(side, 0, 0) + lane];
        }
      }
    }
  }
  return times;
}

struct Shared {
  int lanes = 0;  ///< that find fluxes for both
  int all = 0;    ///< sides of elements, and of padding
};
Shared expect_each_once(MeshOfGas const& of, std::size_t tiles) {
  Shared shared;
  for (ElementTile const& tile : make_tiles<double>(of, in_tiles(of, tiles)).tiles) {
    TileView<double> const view = view_of<double>(tile.counts, tile.table_bytes());
    auto const expected = once_each(tile.counts, view);
    EXPECT_EQ(times_found(tile.counts, view), expected);
    shared.all += static_cast<int>(expected.size());
    for (std::int32_t i = 0; i < tile.counts.mortars; ++i)
      shared.lanes += __builtin_popcount(static_cast<unsigned>(view.mortars[i].for_both));
  }
  return shared;
}

TEST(SidesBetweenUnlikeDegrees, AreEachFoundOnce) {
  for (int const dimension : {2, 3}) {
    for (bool const is_turned : {false, true}) {
      MeshOfGas const of = mixed(dimension, is_turned);
      for (std::size_t const tiles : {1U, 3U, 7U}) {
        SCOPED_TRACE(dimension * 100 + (is_turned ? 10 : 0) + static_cast<int>(tiles));
        expect_each_once(of, tiles);
      }
    }
  }
}

TEST(SidesBetweenUnlikeDegrees, AreFoundByOneElementForBothWhereAxesAgree) {
  // 4 x 4 x 4 elements without padding, every side between two degrees.
  Shared const shared = expect_each_once(mixed(3, false), 1);
  EXPECT_EQ(shared.all, 64 * 6);
  EXPECT_EQ(shared.lanes, 64 * 3);
}

// Both would take these areas, bit by bit, so it does not matter who does.
TEST(SidesBetweenUnlikeDegrees, HaveTheHigherOnesAreas) {
  MeshOfGas const of = mixed(3, false);
  ElementTile const tile = make_tiles<double>(of, in_tiles(of, 1)).tiles[0];
  TileView<double> const view = view_of<double>(tile.counts, tile.table_bytes());
  std::map<std::int64_t, std::int64_t> areas_at;  // by the place of the trace
  for (std::int32_t p = 0; p < tile.counts.packs; ++p) {
    TilePack const& pack = view.packs[p];
    PackShape const shape{3, pack.degree};
    MetricStrides const strides = metric_strides(shape, pack.affine != 0);
    for (int side = 0; side < 6; ++side) {
      int const end = side % 2 == 0 ? 0 : (shape.degree + 1) * strides.flux_point;
      std::int64_t const areas = pack.metrics + std::int64_t{side / 2} * strides.direction + end;
      for (int lane = 0; lane < lanes; ++lane)
        areas_at[pack.traces + shape.trace_at(side, 0, 0) + lane] = areas + lane;
    }
  }
  int compared = 0;
  for (std::int32_t i = 0; i < tile.counts.mortars; ++i) {
    MortarSide const& mortar = view.mortars[i];
    PackShape const high{3, mortar.other};
    MetricStrides const strides = metric_strides(high, false);
    for (int lane = 0; lane < lanes; ++lane) {
      if ((mortar.for_both >> lane & 1) == 0) continue;
      double const* const theirs =
          view.geometry + areas_at.at(view.links[mortar.links + lane].begin);
      for (int c = 0; c < 3; ++c) {
        for (int point = 0; point < high.side_points(); ++point, ++compared) {
          int const here = c * mortar.of_component + point * mortar.of_point + lane;
          int const there = c * strides.component + point * strides.line;
          EXPECT_EQ(view.geometry[mortar.areas + here], theirs[there]);
        }
      }
    }
  }
  EXPECT_EQ(compared, 64 * 3 * 3 * 16);
}

}  // namespace
}  // namespace tessera::spectral

// SPDX-License-Identifier: MIT
// Sides between unlike degrees, as a GPU's kernel for them finds them in a tile's tables.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "partition/spectral/tiles.hpp"
#include "tests/codelets/spectral/flows.hpp"

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

/// Packs divided, in their order, into so many tiles.
TileOfPack in_tiles(MeshOfGas const& of, std::size_t tiles) {
  TileOfPack tile_of_pack;
  std::size_t const packs = of.packs.packs.size();
  for (std::size_t p = 0; p < packs; ++p)
    tile_of_pack.push_back(static_cast<std::int32_t>(p * tiles / packs));
  return tile_of_pack;
}

template <class Use>
void for_each_face(TileCounts const& counts, TileView<double> const& view, Use&& use) {
  for (std::int32_t g = 0; g < counts.mortar_groups; ++g) {
    MortarGroup const& group = counts.mortar_group[g];
    for (std::int32_t i = group.first; i < group.first + group.faces; ++i)
      use(group, view.mortars[i]);
  }
}

/// How often each flux is found, by its place in the next traces.
std::map<std::int64_t, int> times_found(TileCounts const& counts, TileView<double> const& view) {
  std::map<std::int64_t, int> times;
  for_each_face(counts, view, [&](MortarGroup const& group, MortarFace const& face) {
    ++times[face.trace];
    if (face.for_both == 0) return;
    EXPECT_LT(group.degree, group.other);
    EXPECT_EQ(face.link.source, 0);
    EXPECT_EQ(face.link.stride, lanes);
    ++times[face.link.begin];
  });
  return times;
}

/// The places of all fluxes on sides between unlike degrees, each once.
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
  int faces = 0;  ///< faces that find fluxes for both elements
  int all = 0;    ///< sides of elements, and of padding
};
Shared expect_each_once(MeshOfGas const& of, std::size_t tiles) {
  Shared shared;
  for (ElementTile const& tile : make_tiles<double>(of, in_tiles(of, tiles)).tiles) {
    TileView<double> const view = view_of<double>(tile.counts, tile.table_bytes());
    auto const expected = once_each(tile.counts, view);
    EXPECT_EQ(times_found(tile.counts, view), expected);
    shared.all += static_cast<int>(expected.size());
    for_each_face(tile.counts, view, [&](MortarGroup const&, MortarFace const& face) {
      shared.faces += face.for_both;
    });
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
  EXPECT_EQ(shared.faces, 64 * 3);
}

// Either element would use these areas, bit by bit, so it does not matter which finds the flux.
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
  for_each_face(tile.counts, view, [&](MortarGroup const& group, MortarFace const& face) {
    if (face.for_both == 0) return;
    PackShape const high{3, group.other};
    MetricStrides const strides = metric_strides(high, false);
    double const* const theirs = view.geometry + areas_at.at(face.link.begin);
    for (int c = 0; c < 3; ++c) {
      for (int point = 0; point < high.side_points(); ++point, ++compared) {
        int const here = c * face.of_component + point * face.of_point;
        int const there = c * strides.component + point * strides.line;
        EXPECT_EQ(view.geometry[face.areas + here], theirs[there]);
      }
    }
  });
  EXPECT_EQ(compared, 64 * 3 * 3 * 16);
}

// A straight element has the same area at all points of a side, so one is stored.
TEST(SidesBetweenUnlikeDegrees, HaveOneAreaWhereTheHigherOneIsStraight) {
  BoxMesh const box{.dimension = 3, .cells = {4, 4, 4}, .degree = in_turn(2, 3, 0.25)};
  MeshOfGas const of = gas_in(box);
  ElementTile const tile = make_tiles<double>(of, in_tiles(of, 1)).tiles[0];
  TileView<double> const view = view_of<double>(tile.counts, tile.table_bytes());
  int compared = 0;
  for_each_face(tile.counts, view, [&](MortarGroup const&, MortarFace const& face) {
    EXPECT_EQ(face.of_point, 0);
    double size = 0;
    for (int c = 0; c < 3; ++c, ++compared)
      size += std::abs(view.geometry[face.areas + std::int64_t{c} * face.of_component]);
    EXPECT_DOUBLE_EQ(size, 1.0 / 16);
  });
  EXPECT_EQ(compared, 64 * 3 * 3);
}

// However few of a pack's elements meet another degree, those that do are side by side.
TEST(SidesBetweenUnlikeDegrees, AreGroupedByTheDegreesThatMeet) {
  BoxMesh const box{.dimension = 3, .cells = {4, 4, 4}, .degree = [](Point const& at) {
                      int const odd = (at[0] > 0.5) + (at[1] > 0.5) + (at[2] > 0.5);
                      return odd == 3 ? 3 : odd == 0 ? 1 : 2;
                    }};
  MeshOfGas const of = gas_in(box);
  TileCounts const counts = make_tiles<double>(of, in_tiles(of, 1)).tiles[0].counts;
  std::map<std::pair<int, int>, int> faces;
  for (std::int32_t g = 0; g < counts.mortar_groups; ++g) {
    MortarGroup const& group = counts.mortar_group[g];
    faces[{group.degree, group.other}] += group.faces;
  }
  // A cube of 2 x 2 x 2 elements of degree 1, and one of 3, in all others of degree 2.
  EXPECT_EQ(faces, (std::map<std::pair<int, int>, int>{{{1, 2}, 24}, {{2, 3}, 24}}));
}

// Otherwise a GPU would read a line of memory for each number of a face.
TEST(SidesBetweenUnlikeDegrees, FollowThePacksOfSingleElements) {
  for (bool const higher : {false, true}) {
    SCOPED_TRACE(higher);
    auto const degree = [higher](Point const& at) {
      bool const is_single = std::ranges::all_of(
          at, [](double x) { return static_cast<int>(std::floor(4 * x)) % 2 == 1; });
      return is_single == higher ? 3 : 2;
    };
    BoxMesh const box{.dimension = 3, .cells = {4, 4, 4}, .degree = degree};
    MeshOfGas const of = gas_in(box);
    ElementTile const tile = make_tiles<double>(of, in_tiles(of, 1)).tiles[0];
    TileView<double> const view = view_of<double>(tile.counts, tile.table_bytes());
    std::vector<std::int64_t> places;
    for_each_face(tile.counts, view, [&](MortarGroup const&, MortarFace const& face) {
      places.push_back(higher ? face.link.begin : face.trace);
    });
    // 8 single elements are a pack, each of whose sides has a face in each lane.
    EXPECT_EQ(places.size(), 48U);
    EXPECT_TRUE(std::ranges::is_sorted(places));
    for (std::size_t i = 0; i < places.size(); ++i)
      EXPECT_EQ(places[i] % lanes, static_cast<std::int64_t>(i) % lanes);
  }
}

}  // namespace
}  // namespace tessera::spectral

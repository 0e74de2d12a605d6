// SPDX-License-Identifier: MIT
// Meshes: neighbours and how their sides lie on each other, metrics, packs.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>

#include "base/errors.hpp"
#include "models/spectral/box_mesh.hpp"
#include "models/spectral/geometry.hpp"
#include "partition/spectral/packs.hpp"

namespace tessera::spectral {
namespace {

Point bent(Point const& at) {
  constexpr double turn = 6.283185307179586;
  double const x = std::sin(turn * at[0]), y = std::sin(turn * at[1]), z = std::sin(turn * at[2]);
  return {at[0] + 0.08 * y * (z + 0.3), at[1] + 0.06 * (z + 0.3) * x, at[2] - 0.07 * x * y};
}
Point bent_plane(Point const& at) {
  Point const there = bent({at[0], at[1], 0.1});
  return {there[0], there[1], 0};
}

BoxMesh some_box(int dimension, bool turned, bool curved) {
  BoxMesh box{.dimension = dimension, .cells = {4, 3, dimension == 3 ? 2 : 1}};
  box.map_degree = curved ? 3 : 1;
  if (curved) box.bend = dimension == 3 ? bent : bent_plane;
  if (turned) {
    box.turn = [dimension](std::int32_t cell) {
      std::minstd_rand random(static_cast<unsigned>(cell) + 1);
      random.discard(3);
      return static_cast<int>(random() % static_cast<unsigned>(turns_of_element(dimension)));
    };
  }
  return box;
}

/// Points of one side lie where the neighbour's side has the ones that `turn` says, but for a
/// period.
void expect_sides_to_meet(Mesh const& mesh) {
  int const p = 2;
  ElementMaps const maps(mesh.dimension, mesh.map_degree, p);
  for (std::size_t e = 0; e < mesh.elements(); ++e) {
    for (std::size_t s = 0; s < mesh.sides(); ++s) {
      Face const& face = mesh.face(e, s);
      if (face.neighbour < 0) continue;
      auto const own = maps.places_on_side(mesh.nodes_of(e), static_cast<int>(s));
      auto const theirs =
          maps.places_on_side(mesh.nodes_of(static_cast<std::size_t>(face.neighbour)), face.side);
      for (int i = 0; i < static_cast<int>(own.size()); ++i) {
        int const there = turned_point(face.turn, p + 1, i % (p + 1), i / (p + 1));
        for (std::size_t a = 0; a < 3; ++a) {
          double const apart =
              own[static_cast<std::size_t>(i)][a] - theirs[static_cast<std::size_t>(there)][a];
          EXPECT_NEAR(apart, std::round(apart), 1e-12) << "element " << e << ", side " << s;
        }
      }
    }
  }
}

TEST(BoxMesh, SidesMeetHoweverTheElementsAreTurned) {
  for (int const dimension : {2, 3}) {
    for (bool const turned : {false, true}) {
      for (bool const curved : {false, true}) {
        Mesh const mesh = make_mesh(some_box(dimension, turned, curved));
        check(mesh);
        expect_sides_to_meet(mesh);
      }
    }
  }
}

TEST(BoxMesh, HasBoundariesWhereItIsNotPeriodic) {
  BoxMesh box = some_box(3, true, false);
  box.periodic = {true, false, true};
  Mesh const mesh = make_mesh(box);
  check(mesh);
  EXPECT_EQ(mesh.boundaries, (std::vector<std::string>{"y-", "y+"}));
  int lower = 0;
  for (Face const& face : mesh.faces) lower += face.neighbour < 0 && face.boundary == 0 ? 1 : 0;
  EXPECT_EQ(lower, 4 * 2);
}

TEST(Mesh, IsConnectedByItsVerticesAsTheBoxIs) {
  for (int const dimension : {2, 3}) {
    BoxMesh box = some_box(dimension, true, false);
    box.periodic = {false, false, false};
    Mesh const made = make_mesh(box);
    Mesh mesh = made;
    std::map<std::array<long, 3>, std::int32_t> number;
    Vertices vertices;
    std::vector<Point> place;
    for (Point const& node : mesh.nodes) {  // of maps of degree 1 the nodes are the vertices
      std::array<long, 3> key{};
      for (std::size_t a = 0; a < 3; ++a) key[a] = std::lround(node[a] * 1e6);
      auto const [at, is_new] = number.try_emplace(key, static_cast<std::int32_t>(number.size()));
      if (is_new) place.push_back(node);
      vertices.push_back(at->second);
    }
    connect(mesh, vertices);
    for (std::size_t f = 0; f < mesh.faces.size(); ++f) {
      EXPECT_EQ(mesh.faces[f].neighbour, made.faces[f].neighbour);
      if (made.faces[f].neighbour < 0) continue;
      EXPECT_EQ(mesh.faces[f].side, made.faces[f].side);
      EXPECT_EQ(mesh.faces[f].turn, made.faces[f].turn);
    }
    // Periodic along y.
    connect_periodic(mesh, vertices, [&](std::int32_t v) {
      Point const& at = place[static_cast<std::size_t>(v)];
      if (at[1] > 1e-9) return -1;
      std::array<long, 3> const key{std::lround(at[0] * 1e6), 1000000, std::lround(at[2] * 1e6)};
      return number.at(key);
    });
    box.periodic = {false, true, false};
    Mesh const periodic = make_mesh(box);
    for (std::size_t f = 0; f < mesh.faces.size(); ++f) {
      EXPECT_EQ(mesh.faces[f].neighbour, periodic.faces[f].neighbour);
      if (mesh.faces[f].neighbour < 0) continue;
      EXPECT_EQ(mesh.faces[f].turn, periodic.faces[f].turn);
    }
  }
}

/// The discrete divergence of the metrics of an element: what a uniform flow would feel.
double largest_divergence(int dimension, int k, int p, unsigned seed) {
  std::minstd_rand random(seed);
  std::uniform_real_distribution<double> disturbance(-0.15 / k, 0.15 / k);
  BoxMesh box{.dimension = dimension, .map_degree = k, .bend = [&](Point const& at) {
                Point to = at;
                for (std::size_t a = 0; a < static_cast<std::size_t>(dimension); ++a)
                  to[a] += disturbance(random);
                return to;
              }};
  Mesh const mesh = make_mesh(box);
  ElementGeometry const geometry = ElementMaps(dimension, k, p).geometry(mesh.nodes_of(0), 0);
  EXPECT_FALSE(geometry.affine);
  PackShape const shape{dimension, p};
  Matrix const slope = differentiation(solution_points(p), flux_points(p));
  double most = 0;
  for (int c = 0; c < dimension; ++c) {
    std::vector<double> divergence(static_cast<std::size_t>(shape.points()), 0.0);
    for (int d = 0; d < dimension; ++d) {
      for (int line = 0; line < shape.side_points(); ++line) {
        for (int i = 0; i <= p; ++i) {
          int const point = shape.line_begin(d, line) + i * shape.line_stride(d);
          double& at = divergence[static_cast<std::size_t>(point)];
          for (int f = 0; f < p + 2; ++f) {
            int const metric = (f * dimension + c) * shape.side_points() + line;
            at += slope(static_cast<std::size_t>(i), static_cast<std::size_t>(f)) *
                  geometry.metrics[static_cast<std::size_t>(d)][static_cast<std::size_t>(metric)];
          }
        }
      }
    }
    for (double const value : divergence) most = std::max(most, std::abs(value));
  }
  return most;
}

TEST(Metrics, KeepAUniformFlowUniform) {
  for (int p = 0; p <= 5; ++p) {
    for (int k = 1; k <= 3; ++k) {
      EXPECT_LT(largest_divergence(3, k, p, 7), 2e-13) << "3-D, p " << p << ", map " << k;
      EXPECT_LT(largest_divergence(2, k, p, 7), 2e-13) << "2-D, p " << p << ", map " << k;
    }
  }
}

TEST(Metrics, AreTheAreasOfABox) {
  BoxMesh const box{.dimension = 3, .cells = {2, 3, 5}, .size = {2, 6, 20}, .map_degree = 2};
  Mesh const mesh = make_mesh(box);
  ElementGeometry const geometry = ElementMaps(3, 2, 3).geometry(mesh.nodes_of(7), 7);
  EXPECT_TRUE(geometry.affine);
  EXPECT_NEAR(geometry.jacobian[0], 1 * 2 * 4, 1e-12);
  EXPECT_NEAR(geometry.metrics[0][0], 2 * 4, 1e-12);
  EXPECT_NEAR(geometry.metrics[1][1], 1 * 4, 1e-12);
  EXPECT_NEAR(geometry.metrics[2][2], 1 * 2, 1e-12);
}

TEST(Metrics, RefuseAnElementTurnedInsideOut) {
  BoxMesh const box{.dimension = 2, .bend = [](Point const& at) {
                      return Point{-at[0], at[1], 0};
                    }};
  Mesh const mesh = make_mesh(box);
  EXPECT_THROW(ElementMaps(2, 1, 3).geometry(mesh.nodes_of(0), 0), BadInput);
}

TEST(Packs, HoldEachElementOnceByDegree) {
  BoxMesh box{.dimension = 3, .cells = {6, 5, 4}};
  box.degree = [](Point const& at) { return at[0] < 0.4 ? 2 : 4; };
  Mesh const mesh = make_mesh(box);
  Packs const packs = make_packs(mesh);
  std::set<std::int32_t> seen;
  for (std::size_t k = 0; k < packs.packs.size(); ++k) {
    Pack const& pack = packs.packs[k];
    for (std::int32_t lane = 0; lane < lanes; ++lane) {
      auto const e = static_cast<std::size_t>(pack.element[static_cast<std::size_t>(lane)]);
      EXPECT_EQ(mesh.degree[e], pack.degree);
      if (lane >= pack.elements) {
        EXPECT_EQ(pack.element[static_cast<std::size_t>(lane)], pack.element[0]);
        continue;
      }
      EXPECT_TRUE(seen.insert(static_cast<std::int32_t>(e)).second);
      EXPECT_EQ(packs.place_of[e].pack, static_cast<std::int32_t>(k));
      EXPECT_EQ(packs.place_of[e].lane, lane);
    }
  }
  EXPECT_EQ(seen.size(), mesh.elements());
}

TEST(Packs, AreCubesOfABox) {
  Mesh const mesh = make_mesh({.dimension = 3, .cells = {4, 4, 4}});
  Packs const packs = make_packs(mesh);
  ASSERT_EQ(packs.packs.size(), 8U);
  EXPECT_EQ(packs.packs[0].element, (std::array<std::int32_t, 8>{0, 1, 4, 5, 16, 17, 20, 21}));
}

TEST(Packs, AreThoseOfTheBoxHoweverItsCellsAreBentTurnedAndGraded) {
  for (int const dimension : {2, 3}) {
    BoxMesh box{.dimension = dimension, .cells = {16, 12, dimension == 3 ? 8 : 1}};
    Packs const expected = make_packs(make_mesh(box));
    box.turn = some_box(dimension, true, false).turn;
    box.bend = [dimension](Point at) {
      at[0] *= at[0];  // cells of 1 : 31
      return dimension == 3 ? bent(at) : bent_plane(at);
    };
    Packs const found = make_packs(make_mesh(box));
    ASSERT_EQ(found.packs.size(), expected.packs.size());
    for (std::size_t p = 0; p < found.packs.size(); ++p)
      EXPECT_EQ(found.packs[p].element, expected.packs[p].element) << dimension << "-D, pack " << p;
  }
}

/// Squares of n x n cells around a corner, as many as `squares`: no box has their neighbours unless
/// there are four.
Mesh around_a_corner(int squares, int n) {
  Mesh mesh;
  Vertices vertices;
  std::map<std::array<long, 2>, std::int32_t> number;
  for (int s = 0; s < squares; ++s) {
    for (int cell = 0; cell < n * n; ++cell) {
      for (int v = 0; v < 4; ++v) {
        int const column = cell % n + v % 2, row = cell / n + v / 2;
        double const u = static_cast<double>(column) / n, w = static_cast<double>(row) / n;
        // From the corner, a square spans two unit vectors.
        double const angle = 2 * std::acos(-1.0) / squares;
        Point const at{u * std::cos(s * angle) + w * std::cos((s + 1) * angle),
                       u * std::sin(s * angle) + w * std::sin((s + 1) * angle), 0};
        mesh.nodes.push_back(at);
        auto const next = static_cast<std::int32_t>(number.size());
        vertices.push_back(
            number.try_emplace({std::lround(at[0] * 1e6), std::lround(at[1] * 1e6)}, next)
                .first->second);
      }
      mesh.degree.push_back(2);
    }
  }
  mesh.faces.resize(mesh.elements() * mesh.sides());
  connect(mesh, vertices);
  return mesh;
}

TEST(Packs, AreBlocksOfCellsAroundCornersOfThreeAndFive) {
  constexpr int n = 8;
  for (int const squares : {3, 4, 5}) {
    Mesh const mesh = around_a_corner(squares, n);
    Packs const packs = make_packs(mesh);
    std::set<std::int32_t> seen;
    for (Pack const& pack : packs.packs) {
      ASSERT_EQ(pack.elements, lanes);
      int within = 0;  // sides behind which is one of the same pack: 20 in 4 x 2 cells
      for (std::int32_t const e : pack.element) {
        EXPECT_TRUE(seen.insert(e).second);
        for (std::size_t side = 0; side < mesh.sides(); ++side) {
          std::int32_t const other = mesh.face(static_cast<std::size_t>(e), side).neighbour;
          within += static_cast<int>(std::ranges::count(pack.element, other));
        }
      }
      EXPECT_EQ(within, 20) << squares << " squares";
    }
    EXPECT_EQ(seen.size(), mesh.elements());
  }
}

}  // namespace
}  // namespace tessera::spectral

// SPDX-License-Identifier: MIT
#include "geometry/mesh_surface.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <string>
#include <vector>

#include "base/errors.hpp"
#include "geometry/generate.hpp"
#include "geometry/solids.hpp"
#include "geometry/triangle_index.hpp"
#include "models/lattice/d3q19.hpp"
#include "tests/geometry/meshes.hpp"

namespace tessera {
namespace {

class MeshSurface : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_triangle_index()) GTEST_SKIP() << "this build has no Embree";
  }
};

SurfacePointer solid_of(std::vector<Triangle> const& triangles) {
  return mesh_surface(closed_mesh(triangles, "mesh"), "mesh");
}

std::vector<std::uint8_t> pores_of(SurfacePointer const& surface, Int3 shape) {
  Geometry geometry = uniform_box(shape, 1);
  std::vector<std::uint8_t> labels;
  std::vector<SolidBody> const bodies{{surface, 1}};
  voxelise(bodies, geometry, labels);
  return geometry.pore;
}

double solid_voxels(SurfacePointer const& surface, Int3 shape) {
  return static_cast<double>(std::ranges::count(pores_of(surface, shape), std::uint8_t{0}));
}

/// Calls `visit(voxel, direction)` for each link of D3Q19 that goes into the solid.
template <typename Visit>
void for_links(Surface const& solid, Int3 shape, Visit const& visit) {
  for (std::int64_t i = 0; i < volume(shape); ++i) {
    Int3 const at{i % shape.x, i / shape.x % shape.y, i / (shape.x * shape.y)};
    if (solid.inside(voxel_centre(at))) continue;
    for (int q = 1; q < D3Q19::size; ++q) {
      Int3 const c{D3Q19::x(q), D3Q19::y(q), D3Q19::z(q)};
      if (solid.inside(voxel_centre(at + c))) visit(at, c);
    }
  }
}

TEST_F(MeshSurface, OfACubeIsTheBoxWhereverItStands) {
  // With shift 1/2 the faces, the edges and the diagonals all pass through voxel centres.
  for (double const shift : {0.0, 0.3, 0.5}) {
    Vector3 const lower{2 + shift, 3 + shift, 4 + shift};
    Vector3 const upper{8 + shift, 9 + shift, 10 + shift};
    SurfacePointer const mesh = solid_of(test::box_triangles(lower, upper));
    SurfacePointer const exact = box(lower, upper);
    Int3 const shape{14, 14, 14};
    EXPECT_EQ(pores_of(mesh, shape), pores_of(exact, shape)) << shift;
    EXPECT_EQ(solid_voxels(mesh, shape), 6 * 6 * 6) << shift;
    std::vector<SolidBody> const as_mesh{{mesh, 1}}, as_box{{exact, 1}};
    int links = 0;
    for_links(*exact, shape, [&](Int3 from, Int3 c) {
      ++links;
      EXPECT_NEAR(link_fraction(as_mesh, from, c, shape, {}),
                  link_fraction(as_box, from, c, shape, {}), 1e-12)
          << shift;
    });
    EXPECT_EQ(links, 6 * 36 + 12 * (6 * 6 * 6 - 5 * 5 * 6));
  }
}

TEST_F(MeshSurface, OfATriangulatedSphereConvergesToTheSphereWithSecondOrder) {
  Vector3 const centre{16.1, 15.8, 16.3};
  double const radius = 11.3;
  Int3 const shape{32, 32, 32};
  SurfacePointer const exact = sphere(centre, radius);
  std::vector<double> errors;
  for (int const times : {2, 3, 4}) {
    SurfacePointer const mesh = solid_of(test::sphere_triangles(centre, radius, times));
    double sum = 0;
    int links = 0;
    for_links(*exact, shape, [&](Int3 at, Int3 c) {
      Vector3 const from = voxel_centre(at), to = voxel_centre(at + c);
      if (mesh->inside(from) || !mesh->inside(to)) return;
      ++links;
      sum += std::abs(mesh->crossing(from, to).value() - exact->crossing(from, to).value());
    });
    EXPECT_GT(links, 4000);
    errors.push_back(sum / links);
  }
  // Each time the triangles have half the size.
  EXPECT_NEAR(std::log2(errors[0] / errors[1]), 2, 0.3);
  EXPECT_NEAR(std::log2(errors[1] / errors[2]), 2, 0.3);
  EXPECT_LT(errors[2], 0.015);
}

TEST_F(MeshSurface, MeetsEveryLinkThatChangesSides) {
  SurfacePointer const torus = solid_of(test::torus_triangles({16, 16, 16}, 9, 4.2, 90, 40));
  int links = 0;
  for_links(*torus, {32, 32, 32}, [&](Int3 voxel, Int3 c) {
    Vector3 const from = voxel_centre(voxel), to = voxel_centre(voxel + c);
    auto const at = torus->crossing(from, to);
    ASSERT_TRUE(at.has_value());
    // Just before it is outside, just after it inside.
    EXPECT_FALSE(torus->inside(from + std::max(0.0, *at - 1e-9) * (to - from)));
    EXPECT_TRUE(torus->inside(from + std::min(1.0, *at + 1e-9) * (to - from)));
    ++links;
  });
  EXPECT_GT(links, 5000);
}

/// How often the triangles wind around a point, by their solid angles: van Oosterom, Strackee, IEEE
/// Trans. Biomed. Eng. 30 (1983) 125.
double winding_number(std::vector<Triangle> const& triangles, Vector3 point) {
  double sum = 0;
  for (Triangle const& triangle : triangles) {
    Vector3 const a = triangle[0] - point, b = triangle[1] - point, c = triangle[2] - point;
    double const la = length(a), lb = length(b), lc = length(c);
    double const volume = a.x * (b.y * c.z - b.z * c.y) + a.y * (b.z * c.x - b.x * c.z) +
                          a.z * (b.x * c.y - b.y * c.x);
    sum += 2 * std::atan2(volume, la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
  }
  return sum / (4 * std::numbers::pi);
}

TEST_F(MeshSurface, IsInsideWhereTheSolidAnglesSaySo) {
  // Two tori that overlap: between and beyond them the number is 0, 1 or 2.
  std::vector<Triangle> triangles = test::torus_triangles({8, 8, 8}, 4, 2, 30, 20);
  for (Triangle const& t : test::torus_triangles({11, 8, 9}, 4, 2, 30, 20)) triangles.push_back(t);
  SurfacePointer const tori = solid_of(triangles);
  int solid = 0;
  for (double x = 0.45; x < 20; x += 1.03) {
    for (double y = 0.55; y < 16; y += 0.97) {
      for (double z = 4.4; z < 13; z += 0.91) {
        double const number = winding_number(triangles, {x, y, z});
        EXPECT_NEAR(number, std::round(number), 1e-6);
        EXPECT_EQ(tori->inside({x, y, z}), std::lround(number) != 0) << x << ' ' << y << ' ' << z;
        solid += tori->inside({x, y, z}) ? 1 : 0;
      }
    }
  }
  EXPECT_GT(solid, 300);
}

TEST_F(MeshSurface, HasNoLeaksWhereRaysRunThroughCornersAndEdges) {
  // An octahedron |x| + |y| + |z| = 8 around a voxel's centre: its corners are such centres too,
  // and links run along its edges and in its faces.
  Vector3 const m{12.5, 12.5, 12.5};
  double const r = 8;
  std::vector<Triangle> triangles;
  for (double const x : {-r, r}) {
    for (double const y : {-r, r}) {
      for (double const z : {-r, r})
        triangles.push_back({m + Vector3{x, 0, 0}, m + Vector3{0, y, 0}, m + Vector3{0, 0, z}});
    }
  }
  auto const distance = [&](Vector3 p) {
    return std::abs(p.x - m.x) + std::abs(p.y - m.y) + std::abs(p.z - m.z);
  };
  SurfacePointer const solid = solid_of(triangles);
  Int3 const shape{25, 25, 25};
  std::vector<SolidBody> const bodies{{solid, 1}};
  for (std::int64_t i = 0; i < volume(shape); ++i) {
    Vector3 const p = voxel_centre({i % 25, i / 25 % 25, i / 625});
    if (distance(p) == r) continue;
    EXPECT_EQ(solid->inside(p), distance(p) < r);
  }
  int links = 0;
  for_links(*solid, shape, [&](Int3 at, Int3 c) {
    Vector3 const from = voxel_centre(at), to = voxel_centre(at + c);
    Vector3 const wall = from + link_fraction(bodies, at, c, shape, {}) * (to - from);
    EXPECT_NEAR(distance(wall), r, 3e-6);
    ++links;
  });
  EXPECT_GT(links, 1000);
}

TEST_F(MeshSurface, OfATorusHasItsVolume) {
  double const ring = 18, tube = 7;
  SurfacePointer const torus =
      solid_of(test::torus_triangles({30.2, 29.9, 16.3}, ring, tube, 400, 200));
  double const exact = 2 * std::numbers::pi * std::numbers::pi * ring * tube * tube;
  EXPECT_NEAR(solid_voxels(torus, {60, 60, 32}) / exact, 1, 2e-3);
}

TEST_F(MeshSurface, SaysTheSameOfAPointAndOfARow) {
  SurfacePointer const ball = solid_of(test::sphere_triangles({10.1, 9.7, 10.3}, 8, 3));
  for (double y = 0.5; y < 20; ++y) {
    for (double z = 0.5; z < 20; ++z) {
      std::vector<std::uint8_t> row(20), points;
      ball->inside_row({0.5, y, z}, row);
      for (double x = 0.5; x < 20; ++x) points.push_back(ball->inside({x, y, z}) ? 1 : 0);
      EXPECT_EQ(row, points);
    }
  }
}

TEST_F(MeshSurface, FillsPartsThatOverlapAndKeepsCavities) {
  std::vector<Triangle> parts = test::box_triangles({2, 2, 2}, {8, 8, 8});
  for (Triangle const& t : test::box_triangles({5, 5, 5}, {11, 11, 11})) parts.push_back(t);
  EXPECT_EQ(solid_voxels(solid_of(parts), {14, 14, 14}), 2 * 216 - 27);

  std::vector<Triangle> hollow = test::box_triangles({2, 2, 2}, {8, 8, 8});
  for (auto const& [a, b, c] : test::box_triangles({4, 4, 4}, {6, 6, 6}))
    hollow.push_back({a, c, b});  // its outside is the cavity
  EXPECT_EQ(solid_voxels(solid_of(hollow), {14, 14, 14}), 216 - 8);
}

TEST_F(MeshSurface, DoesNotNeedTrianglesThatTurnTheSameWay) {
  std::vector<Triangle> triangles = test::box_triangles({2, 2, 2}, {8, 8, 8});
  std::vector<std::uint8_t> const expected = pores_of(solid_of(triangles), {10, 10, 10});
  for (Triangle& triangle : triangles) std::swap(triangle[1], triangle[2]);  // inside out
  EXPECT_EQ(pores_of(solid_of(triangles), {10, 10, 10}), expected);
  for (std::size_t i = 0; i < 5; ++i) std::swap(triangles[i][1], triangles[i][2]);
  EXPECT_FALSE(closed_mesh(triangles, "mesh").oriented);
  EXPECT_EQ(pores_of(solid_of(triangles), {10, 10, 10}), expected);
}

TEST_F(MeshSurface, WorksFarFromTheOrigin) {
  Vector3 const far{30000, -20000, 10000};
  double const radius = 9.3;
  SurfacePointer const mesh = solid_of(test::sphere_triangles(far, radius, 4));
  EXPECT_TRUE(mesh->inside(far));
  for (int q = 1; q < D3Q19::size; ++q) {
    Vector3 const c{static_cast<double>(D3Q19::x(q)), static_cast<double>(D3Q19::y(q)),
                    static_cast<double>(D3Q19::z(q))};
    Vector3 const direction = (1 / length(c)) * c;
    auto const at =
        mesh->crossing(far + (radius + 0.5) * direction, far + (radius - 0.5) * direction);
    EXPECT_NEAR(at.value(), 0.5, 0.02);
  }
}

TEST(ClosedMesh, CountsTheEdgesThatAreOpen) {
  std::vector<Triangle> triangles = test::box_triangles({0, 0, 0}, {1, 1, 1});
  EXPECT_EQ(closed_mesh(triangles, "cube").vertices.size(), 8U);
  EXPECT_TRUE(closed_mesh(triangles, "cube").oriented);
  triangles.pop_back();
  EXPECT_EQ(
      test::message_of<BadInput>([&] { closed_mesh(triangles, "cube"); }),
      "cube: not watertight: 3 of 18 edges do not have exactly two triangles, one of them from "
      "(1, 0, 0) to (1, 0, 1); expected a closed surface");
  triangles = test::box_triangles({0, 0, 0}, {1, 1, 1});
  triangles.push_back(triangles.front());
  EXPECT_BAD_INPUT(closed_mesh(triangles, "cube"), "3 of 18 edges");
}

TEST(ClosedMesh, LeavesOutTrianglesWithoutArea) {
  std::vector<Triangle> triangles = test::box_triangles({0, 0, 0}, {1, 1, 1});
  triangles.push_back({Vector3{0, 0, 0}, Vector3{0, 0, 0}, Vector3{-0.0, 1, 0}});
  EXPECT_EQ(closed_mesh(triangles, "cube").triangles.size(), 12U);
  EXPECT_EQ(test::message_of<BadInput>([&] { closed_mesh({triangles.back()}, "dot"); }),
            "dot: none of its 1 triangles has three different corners; expected a closed surface");
}

}  // namespace
}  // namespace tessera

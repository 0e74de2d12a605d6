// SPDX-License-Identifier: MIT
#include "io/mesh_surface.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <string>
#include <vector>

#include "io/generate.hpp"
#include "io/solids.hpp"
#include "io/triangle_index.hpp"
#include "lattice/d3q19.hpp"
#include "lattice/errors.hpp"
#include "tests/io/meshes.hpp"

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

/// Calls `visit` with the ends of each link of D3Q19 that goes into the solid.
template <typename Visit>
void for_links(Surface const& solid, Int3 shape, Visit const& visit) {
  for (std::int64_t i = 0; i < volume(shape); ++i) {
    Int3 const at{i % shape.x, i / shape.x % shape.y, i / (shape.x * shape.y)};
    if (solid.inside(voxel_centre(at))) continue;
    for (int q = 1; q < D3Q19::size; ++q) {
      Vector3 const to = voxel_centre(at + Int3{D3Q19::x(q), D3Q19::y(q), D3Q19::z(q)});
      if (solid.inside(to)) visit(voxel_centre(at), to);
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
    int links = 0;
    for_links(*exact, shape, [&](Vector3 from, Vector3 to) {
      ++links;
      EXPECT_NEAR(mesh->crossing(from, to).value(), exact->crossing(from, to).value(), 1e-12)
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
    for_links(*exact, shape, [&](Vector3 from, Vector3 to) {
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
  for_links(*torus, {32, 32, 32}, [&](Vector3 from, Vector3 to) {
    auto const at = torus->crossing(from, to);
    ASSERT_TRUE(at.has_value());
    // Just before it is outside, just after it inside.
    EXPECT_FALSE(torus->inside(from + std::max(0.0, *at - 1e-9) * (to - from)));
    EXPECT_TRUE(torus->inside(from + std::min(1.0, *at + 1e-9) * (to - from)));
    ++links;
  });
  EXPECT_GT(links, 5000);
}

TEST_F(MeshSurface, OfATorusHasItsVolume) {
  double const ring = 18, tube = 7;
  SurfacePointer const torus = solid_of(test::torus_triangles({30, 30, 16}, ring, tube, 400, 200));
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

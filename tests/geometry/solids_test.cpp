// SPDX-License-Identifier: MIT
#include "geometry/solids.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include "base/errors.hpp"
#include "geometry/generate.hpp"
#include "models/lattice/d3q19.hpp"
#include "tests/io/files.hpp"

namespace tessera {
namespace {

constexpr double number_pi = std::numbers::pi;
constexpr std::array<bool, 3> closed{};
constexpr std::array<bool, 3> all_periodic{true, true, true};

struct Voxels {
  Geometry geometry;
  std::vector<std::uint8_t> labels;
  std::vector<std::int64_t> counts;
};

Voxels voxels_of(std::vector<SolidBody> const& bodies, Int3 shape) {
  Voxels voxels{uniform_box(shape, 1), {}, {}};
  voxels.counts = voxelise(bodies, voxels.geometry, voxels.labels);
  return voxels;
}

TEST(Voxelise, GivesASphereItsVolume) {
  // The staircase errs by a fraction of a layer of voxels; about R^-1.5 for places at random.
  for (double const radius : {5.3, 10.7, 21.4, 42.8}) {
    auto const side = static_cast<std::int64_t>(2 * radius + 4);
    double const middle = static_cast<double>(side) / 2 + 0.2;
    Voxels const voxels =
        voxels_of({{sphere({middle, middle + 0.1, middle - 0.3}, radius), 1}}, {side, side, side});
    double const exact = 4 * number_pi / 3 * radius * radius * radius;
    EXPECT_NEAR(static_cast<double>(voxels.counts[0]) / exact, 1, std::pow(radius, -1.5)) << radius;
    EXPECT_EQ(voxels.geometry.pore_voxels(), side * side * side - voxels.counts[0]);
  }
}

TEST(Voxelise, GivesACylinderItsVolume) {
  for (Axis const axis : all_axes) {
    Voxels const endless = voxels_of({{cylinder({20.2, 19.9, 20.3}, axis, 15.4), 1}}, {40, 40, 40});
    EXPECT_NEAR(static_cast<double>(endless.counts[0]) / (40 * number_pi * 15.4 * 15.4), 1, 1e-2);
    Voxels const rod = voxels_of({{cylinder({20.2, 19.9, 20.3}, axis, 15.4, 22), 1}}, {40, 40, 40});
    EXPECT_NEAR(static_cast<double>(rod.counts[0]) / (22 * number_pi * 15.4 * 15.4), 1, 1e-2);
  }
}

TEST(Voxelise, GivesAPeriodicArrayTheVoxelsOfTheGeneratedOne) {
  for (SphereLattice const lattice : {SphereLattice::sc, SphereLattice::bcc, SphereLattice::fcc}) {
    Geometry const generated = sphere_array(lattice, 24, 0.4);
    double const radius = sphere_array_radius(lattice, 24, 0.4);
    std::vector<Vector3> cell{{12, 12, 12}};
    if (lattice == SphereLattice::bcc) cell = {{0, 0, 0}, {12, 12, 12}};
    if (lattice == SphereLattice::fcc) cell = {{0, 0, 0}, {0, 12, 12}, {12, 0, 12}, {12, 12, 0}};
    std::vector<SurfacePointer> spheres;
    spheres.reserve(cell.size());
    for (Vector3 const& centre : cell) spheres.push_back(sphere(centre, radius));
    SurfacePointer const array = periodic_images(union_of(spheres), {24, 24, 24}, all_periodic);
    EXPECT_EQ(voxels_of({{array, 1}}, {24, 24, 24}).geometry.pore, generated.pore);
  }
}

TEST(Voxelise, GivesTheLaterBodyTheVoxelsOfBoth) {
  Voxels const voxels =
      voxels_of({{box({0, 0, 0}, {4, 8, 8}), 3}, {box({2, 0, 0}, {6, 8, 8}), 5}}, {8, 8, 8});
  std::vector<std::uint8_t> const row(voxels.labels.begin(), voxels.labels.begin() + 8);
  EXPECT_EQ(row, (std::vector<std::uint8_t>{3, 3, 5, 5, 5, 5, 0, 0}));
  EXPECT_EQ(voxels.counts, (std::vector<std::int64_t>{256, 256}));
  EXPECT_EQ(voxels.geometry.pore_voxels(), 2 * 64);
}

TEST(Voxelise, KeepsTheSolidAndTheLabelsThatAreThere) {
  Geometry geometry = uniform_box({4, 1, 1}, 1);
  geometry.pore[0] = 0;
  std::vector<std::uint8_t> labels{9, 0, 0, 0};
  std::vector<SolidBody> const bodies{{box({2, 0, 0}, {3, 1, 1}), 4}};
  voxelise(bodies, geometry, labels);
  EXPECT_EQ(geometry.pore, (std::vector<std::uint8_t>{0, 1, 0, 1}));
  EXPECT_EQ(labels, (std::vector<std::uint8_t>{9, 0, 4, 0}));
}

TEST(Voxelise, RefusesABodyOutsideOfTheBox) {
  EXPECT_EQ(test::message_of<BadInput>([] {
              voxels_of({{sphere({4, 4, 4}, 2), 1}, {sphere({4, 4, -3}, 2), 1}}, {8, 8, 8});
            }),
            "sphere: it reaches from -5 to -1 voxels along z; expected it to meet the box, 0 to 8");
}

TEST(LinkFraction, IsWhereTheWallOfAChannelLies) {
  // A wall at y = 2.8: the pore voxel at 3.5 is 0.7 above it, along faces and along edges.
  std::vector<SolidBody> const bodies{{half_space({0, 2.8, 0}, {0, 1, 0}), 1}};
  for (Int3 const direction : {Int3{0, -1, 0}, Int3{1, -1, 0}, Int3{0, -1, -1}}) {
    EXPECT_NEAR(link_fraction(bodies, {4, 3, 4}, direction, {8, 8, 8}, closed), 0.7, 1e-14);
  }
}

TEST(LinkFraction, IsHalfWhereNoSurfaceIsKnown) {
  std::vector<SolidBody> const bodies{{sphere({20, 20, 20}, 2), 1}};
  EXPECT_EQ(link_fraction(bodies, {0, 3, 3}, {-1, 0, 0}, {8, 8, 8}, closed), 0.5);
  EXPECT_EQ(link_fraction({}, {3, 3, 3}, {1, 1, 0}, {8, 8, 8}, closed), 0.5);
}

TEST(LinkFraction, IsNeverNothing) {
  // The wall passes through the centre of the pore voxel, and of the solid one.
  std::vector<SolidBody> const near{{box({0, 0, 0}, {8, 3.5, 8}), 1}};
  EXPECT_EQ(link_fraction(near, {4, 3, 4}, {0, -1, 0}, {8, 8, 8}, closed), 1e-6);
  std::vector<SolidBody> const far{{box({0, 3.5, 0}, {8, 8, 8}), 1}};
  EXPECT_EQ(link_fraction(far, {4, 2, 4}, {0, 1, 0}, {8, 8, 8}, closed), 1);
  // The link touches the box with its end alone, on an edge.
  std::vector<SolidBody> const edge{{box({2.5, 3.5, 0}, {8, 8, 8}), 1}};
  EXPECT_NEAR(link_fraction(edge, {1, 4, 4}, {1, -1, 0}, {8, 8, 8}, closed), 1, 1e-12);
}

TEST(LinkFraction, SeesTheSurfaceAcrossThePeriodicFaces) {
  // A ball on the corner; with images and without, from all eight sides.
  double const radius = 3.3;
  std::vector<SolidBody> const images{
      {periodic_images(sphere({0, 0, 0}, radius), {12, 12, 12}, all_periodic), 1}};
  EXPECT_NEAR(link_fraction(images, {3, 0, 0}, {-1, 0, 0}, {12, 12, 12}, all_periodic),
              3.5 - std::sqrt(radius * radius - 0.5), 1e-13);
  EXPECT_NEAR(link_fraction(images, {8, 11, 0}, {1, 0, 0}, {12, 12, 12}, all_periodic),
              3.5 - std::sqrt(radius * radius - 0.5), 1e-13);
  // A slab that begins at x = 0.2, seen from the last voxel: 0.7 away across the face.
  std::vector<SolidBody> const slab{{box({0.2, 0, 0}, {3, 12, 12}), 1}};
  EXPECT_NEAR(link_fraction(slab, {11, 5, 5}, {1, 0, 0}, {12, 12, 12}, {true, false, false}), 0.7,
              1e-14);
  EXPECT_EQ(link_fraction(slab, {11, 5, 5}, {1, 0, 0}, {12, 12, 12}, closed), 0.5);
}

TEST(LinkFraction, IsTheSameInAllOctantsOfASymmetricArray) {
  std::int64_t const n = 16;
  Int3 const shape{n, n, n};
  std::vector<SolidBody> const bodies{
      {periodic_images(sphere({8, 8, 8}, 9.2), shape, all_periodic), 1}};
  Geometry const geometry = voxels_of(bodies, shape).geometry;
  auto const mirrored = [&](Int3 at) { return Int3{n - 1 - at.x, n - 1 - at.y, n - 1 - at.z}; };
  int links = 0;
  for (std::int64_t i = 0; i < volume(shape); ++i) {
    Int3 const at{i % n, i / n % n, i / (n * n)};
    if (!geometry.is_pore(at)) continue;
    for (int q = 1; q < D3Q19::size; ++q) {
      Int3 const c{D3Q19::x(q), D3Q19::y(q), D3Q19::z(q)};
      Int3 const to{(at.x + c.x + n) % n, (at.y + c.y + n) % n, (at.z + c.z + n) % n};
      if (geometry.is_pore(to)) continue;
      ++links;
      double const here = link_fraction(bodies, at, c, shape, all_periodic);
      double const there = link_fraction(bodies, mirrored(at), Int3{} - c, shape, all_periodic);
      EXPECT_NEAR(here, there, 1e-12);
    }
  }
  EXPECT_GT(links, 500);
}

}  // namespace
}  // namespace tessera

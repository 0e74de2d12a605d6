// SPDX-License-Identifier: MIT
#include "geometry/surface.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "base/errors.hpp"
#include "models/lattice/d3q19.hpp"
#include "tests/io/files.hpp"

namespace tessera {
namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// Points of a box of 20^3 voxels, the same with every compiler.
class RandomPoints {
 public:
  Vector3 next() { return {number(), number(), number()}; }

 private:
  double number() { return 20 * static_cast<double>(engine_() >> 11U) * 0x1p-53; }
  std::mt19937_64 engine_{7};
};

/// The first change of sides, by small steps and then by halves, with inside() alone.
double crossing_by_walking(Surface const& surface, Vector3 from, Vector3 to) {
  auto const solid = [&](double t) { return surface.inside(from + t * (to - from)); };
  double lower = 0, upper = 0;
  while (solid(upper) == solid(0)) {
    lower = upper;
    upper += 0x1p-9;
  }
  for (int i = 0; i < 42; ++i) {
    double const middle = (lower + upper) / 2;
    (solid(middle) == solid(0) ? lower : upper) = middle;
  }
  return (lower + upper) / 2;
}

/// Compares crossing() with walking, on random links into the solid that are up to `reach` long
/// along each axis. Slivers thinner than a step may be walked over: `misses` links may differ.
void expect_crossings_as_walked(SurfacePointer const& surface, double reach, int misses = 0) {
  RandomPoints points;
  int links = 0, missed = 0;
  for (int i = 0; i < 100000 && links < 1000; ++i) {
    Vector3 const from = points.next();
    Vector3 const to = from + (reach / 10) * (points.next() - Vector3{10, 10, 10});
    if (surface->inside(from) || !surface->inside(to)) continue;
    ++links;
    auto const at = surface->crossing(from, to);
    ASSERT_TRUE(at.has_value()) << surface->name();
    if (std::abs(*at - crossing_by_walking(*surface, from, to)) > 1e-8) ++missed;
  }
  EXPECT_GT(links, 250) << surface->name();
  EXPECT_LE(missed, misses) << surface->name();
}

TEST(Sphere, IsMetOnItsAxesWhereTheRadiusSays) {
  SurfacePointer const ball = sphere({10, 10, 10}, 4);
  EXPECT_DOUBLE_EQ(ball->crossing({5, 10, 10}, {7, 10, 10}).value(), 0.5);
  EXPECT_DOUBLE_EQ(ball->crossing({10, 10, 16}, {10, 10, 10}).value(), 1.0 / 3);
  // From inside, and from one side of the ball to the other.
  EXPECT_DOUBLE_EQ(ball->crossing({10, 10, 10}, {10, 15, 10}).value(), 0.8);
  EXPECT_DOUBLE_EQ(ball->crossing({5, 10, 10}, {15, 10, 10}).value(), 0.1);
  EXPECT_FALSE(ball->crossing({5, 10, 10}, {5.5, 10, 10}).has_value());
  EXPECT_FALSE(ball->crossing({5, 15, 10}, {7, 15, 10}).has_value());
}

TEST(Sphere, IsOpen) {
  SurfacePointer const ball = sphere({10, 10, 10}, 4);
  EXPECT_FALSE(ball->inside({6, 10, 10}));
  EXPECT_TRUE(ball->inside({std::nextafter(6, 7), 10, 10}));
  // From a point of the surface inwards the way is as short as a way can be.
  EXPECT_LT(ball->crossing({6, 10, 10}, {7, 10, 10}).value(), 1e-9);
}

TEST(Sphere, KeepsItsDigitsWhereTheFormulaOfSchoolLosesThem) {
  // A ball as good as flat.
  SurfacePointer const ball = sphere({0, 0, -1e8}, 1e8);
  EXPECT_NEAR(ball->crossing({0, 0, 0.25}, {0, 0, -0.75}).value(), 0.25, 1e-7);
  // Grazing: the line passes the centre at r - d, the half chord is sqrt(2 r d - d^2).
  double const d = 1e-10;
  SurfacePointer const unit = sphere({0, 0, 0}, 1);
  double const half_chord = std::sqrt(2 * d - d * d);
  EXPECT_NEAR(unit->crossing({-1, 1 - d, 0}, {0, 1 - d, 0}).value(), 1 - half_chord, 1e-11);
}

TEST(Cylinder, IsMetAsItsSectionSays) {
  for (Axis const axis : all_axes) {
    SurfacePointer const pipe = cylinder({10, 10, 10}, axis, 5);
    Vector3 from{10, 10, 10}, to{10, 10, 10};
    Axis const across = axis == Axis::x ? Axis::y : Axis::x;
    from[across] = 17;
    from[axis] = -100;
    to[axis] = 300;
    EXPECT_DOUBLE_EQ(pipe->crossing(from, to).value(), 2.0 / 7);
    Vector3 along = to;
    along[axis] = 1e6;
    EXPECT_TRUE(pipe->inside(along));
    EXPECT_FALSE(pipe->crossing(to, along).has_value());
  }
}

TEST(Cylinder, HasEndsWhereALengthIsGiven) {
  SurfacePointer const rod = cylinder({10, 10, 10}, Axis::y, 3, 8);
  EXPECT_TRUE(rod->inside({10, 6.01, 12}));
  EXPECT_FALSE(rod->inside({10, 5.99, 12}));
  EXPECT_DOUBLE_EQ(rod->crossing({11, 5, 11}, {11, 7, 11}).value(), 0.5);
  EXPECT_EQ(rod->bounds().lower, (Vector3{7, 6, 7}));
  EXPECT_EQ(rod->bounds().upper, (Vector3{13, 14, 13}));
}

TEST(Box, IsAsWideAsItIsWhereverItStands) {
  for (double const shift : {0.0, 0.3, 0.5}) {
    SurfacePointer const block =
        box({2 + shift, 3 + shift, 4 + shift}, {7 + shift, 9 + shift, 11 + shift});
    int voxels = 0;
    for (std::int64_t i = 0; i < std::int64_t{16} * 16 * 16; ++i)
      voxels += block->inside(voxel_centre({i % 16, i / 16 % 16, i / 256})) ? 1 : 0;
    EXPECT_EQ(voxels, 5 * 6 * 7) << shift;
  }
  SurfacePointer const block = box({2, 3, 4}, {7, 9, 11});
  EXPECT_DOUBLE_EQ(block->crossing({1.5, 2.25, 5}, {2.5, 3.25, 6}).value(), 0.75);
}

TEST(HalfSpace, IsMetWhereThePlaneIs) {
  // x + y + z = 12 from the origin along the diagonal: at 4/5 of the way to (5, 5, 5).
  SurfacePointer const ground = half_space({12, 0, 0}, {2, 2, 2});
  EXPECT_TRUE(ground->inside({0, 0, 0}));
  EXPECT_DOUBLE_EQ(ground->crossing({5, 5, 5}, {0, 0, 0}).value(), 0.2);
}

TEST(Primitives, AreMetWhereWalkingFindsTheirSurfaceFromBothSides) {
  std::vector<SurfacePointer> const primitives{
      sphere({9.7, 10.2, 10.4}, 6.3), cylinder({9.7, 10.2, 10.4}, Axis::y, 5.1),
      cylinder({9.7, 10.2, 10.4}, Axis::z, 5.1, 9), box({3.3, 4.1, 5.5}, {15.2, 17.7, 14.9}),
      half_space({9.7, 10.2, 10.4}, {1, -2, 0.3})};
  for (SurfacePointer const& primitive : primitives) {
    for (double const reach : {0.3, 1.7, 6.0}) {
      expect_crossings_as_walked(primitive, reach);
      expect_crossings_as_walked(outside(primitive), reach);
    }
  }
}

TEST(Outside, ExchangesTheSidesAndKeepsTheSurface) {
  SurfacePointer const pipe = outside(cylinder({10, 10, 0}, Axis::z, 5));
  EXPECT_FALSE(pipe->inside({10, 10, 3}));
  EXPECT_TRUE(pipe->inside({15, 10, 3}));
  EXPECT_DOUBLE_EQ(pipe->crossing({14, 10, 3}, {16, 10, 3}).value(), 0.5);
  EXPECT_EQ(pipe->name(), "outside of cylinder");
  std::vector<std::uint8_t> row(12);
  pipe->inside_row({4.5, 10, 0}, row);
  EXPECT_EQ(row, (std::vector<std::uint8_t>{1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}));
}

TEST(Union, IsMetWhereTheMemberBeginsThatContainsTheFarEnd) {
  SurfacePointer const pair = union_of({sphere({5, 5, 5}, 2), sphere({8, 5, 5}, 2)});
  EXPECT_TRUE(pair->inside({6.5, 5, 5}));
  EXPECT_FALSE(pair->inside({6.5, 6.9, 5}));
  EXPECT_DOUBLE_EQ(pair->crossing({2, 5, 5}, {4, 5, 5}).value(), 0.5);
  EXPECT_DOUBLE_EQ(pair->crossing({11, 5, 5}, {7, 5, 5}).value(), 0.25);
  // From inside, through both.
  EXPECT_DOUBLE_EQ(pair->crossing({4, 5, 5}, {14, 5, 5}).value(), 0.6);
}

TEST(Union, OfPipesIsABentPipe) {
  // A quarter bend with a ball in its knee, turned around: the flow is inside.
  SurfacePointer const bend =
      outside(union_of({cylinder({5, 10, 10}, Axis::x, 3, 10), sphere({10, 10, 10}, 3),
                        cylinder({10, 5, 10}, Axis::y, 3, 10)}));
  EXPECT_FALSE(bend->inside({1, 11, 11}));
  EXPECT_FALSE(bend->inside({11, 1, 11}));
  EXPECT_FALSE(bend->inside({12, 12, 10}));
  EXPECT_TRUE(bend->inside({13, 13, 10}));
  expect_crossings_as_walked(bend, 0.8);
}

TEST(Union, FindsTheRightOnesOfManyMembers) {
  RandomPoints points;
  std::vector<Vector3> centres;
  std::vector<SurfacePointer> members{cylinder({3, 3, 3}, Axis::z, 1)};
  for (int i = 0; i < 300; ++i) {
    centres.push_back(points.next());
    members.push_back(sphere(centres.back(), 0.9));
  }
  SurfacePointer const packing = union_of(members);
  for (int i = 0; i < 20000; ++i) {
    Vector3 const point = points.next();
    bool solid = std::hypot(point.x - 3, point.y - 3) < 1;
    for (Vector3 const& centre : centres) solid = solid || length(point - centre) < 0.9;
    EXPECT_EQ(packing->inside(point), solid);
  }
  expect_crossings_as_walked(packing, 0.1, 5);
  expect_crossings_as_walked(outside(packing), 0.1, 5);
}

TEST(PeriodicImages, OfASphereAreSymmetricAcrossTheFaces) {
  // A ball on the corner of the box of 12^3: eight eighths, all alike.
  SurfacePointer const array =
      periodic_images(sphere({0, 0, 0}, 4.3), {12, 12, 12}, {true, true, true});
  EXPECT_TRUE(array->inside({11.5, 11.5, 0.5}));
  RandomPoints points;
  for (int i = 0; i < 5000; ++i) {
    Vector3 const p = (12.0 / 20) * points.next();
    EXPECT_EQ(array->inside(p), array->inside({12 - p.x, p.y, p.z}));
    EXPECT_EQ(array->inside(p), array->inside({p.x + 24, p.y - 12, p.z}));
  }
  for (int q = 1; q < D3Q19::size; ++q) {
    Vector3 const c{static_cast<double>(D3Q19::x(q)), static_cast<double>(D3Q19::y(q)),
                    static_cast<double>(D3Q19::z(q))};
    Vector3 const direction = (1 / length(c)) * c;
    // 0.5 before the surface, seen from all periods.
    for (double const period : {-12.0, 0.0, 12.0}) {
      Vector3 const centre{period, 0, 12 + period};
      auto const at = array->crossing(centre - 4.8 * direction, centre - 3.8 * direction);
      EXPECT_NEAR(at.value(), 0.5, 1e-13);
    }
  }
}

TEST(PeriodicImages, AreThereAlongPeriodicAxesOnly) {
  SurfacePointer const array =
      periodic_images(sphere({1, 6, 6}, 3), {12, 12, 12}, {true, false, true});
  EXPECT_TRUE(array->inside({11.5, 6, 6}));
  EXPECT_FALSE(array->inside({1, 18, 6}));
  EXPECT_EQ(array->bounds().upper.x, Bounds::infinity);
  EXPECT_EQ(array->bounds().upper.y, 9);
  std::vector<std::uint8_t> row(12), expected(12);
  array->inside_row({0.5, 6.5, 6.5}, row);
  for (std::size_t i = 0; i < 12; ++i)
    expected[i] = array->inside({static_cast<double>(i) + 0.5, 6.5, 6.5}) ? 1 : 0;
  EXPECT_EQ(row, expected);
}

TEST(PeriodicImages, ThatOverlapHaveTheSurfaceOfTheirUnion) {
  SurfacePointer const array =
      periodic_images(sphere({1, 2, 3}, 7), {12, 12, 12}, {true, true, true});
  expect_crossings_as_walked(array, 0.3, 5);
  expect_crossings_as_walked(outside(array), 0.3, 5);
}

TEST(Surfaces, RefuseSizesThatMakeNoSense) {
  EXPECT_EQ(test::message_of<BadInput>([] {
              sphere({1, 2, 3}, 0);
            }),
            "sphere: the radius is 0; expected more than 0 and finite");
  EXPECT_EQ(test::message_of<BadInput>([] {
              sphere({1, not_a_number, 3}, 1);
            }),
            "sphere: the centre is (1, nan, 3); expected finite numbers");
  EXPECT_THROW(cylinder({0, 0, 0}, Axis::x, -1), BadInput);
  EXPECT_THROW(cylinder({0, 0, not_a_number}, Axis::x, 1), BadInput);
  EXPECT_EQ(test::message_of<BadInput>([] {
              cylinder({0, 0, 0}, Axis::x, 1, not_a_number);
            }),
            "cylinder: the length is nan; expected more than 0 and finite");
  EXPECT_EQ(test::message_of<BadInput>([] {
              box({0, 0, 0}, {1, 0, 1});
            }),
            "box: it reaches from 0 to 0 along y; expected an upper corner above the lower one");
  EXPECT_EQ(test::message_of<BadInput>([] {
              half_space({0, 0, 0}, {0, 0, 0});
            }),
            "half-space: the normal is 0; expected a direction");
  EXPECT_EQ(test::message_of<BadInput>([] { union_of({}); }),
            "union of surfaces: it has no members; expected one or more");
}

}  // namespace
}  // namespace tessera

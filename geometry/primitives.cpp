// SPDX-License-Identifier: MIT
// Spheres, cylinders, boxes and half-spaces: all convex, so a line meets each in one chord.
#include <fmt/format.h>

#include <utility>

#include "base/errors.hpp"
#include "geometry/chord.hpp"
#include "geometry/surface.hpp"

namespace tessera {
namespace {

class ConvexSolid : public Surface {
 public:
  std::optional<double> crossing(Vector3 from, Vector3 to) const final {
    Chord const chord = chord_of(from, to - from);
    if (chord.empty()) return std::nullopt;
    return fraction_of_segment(inside(from) ? chord.out : chord.in);
  }

 protected:
  virtual Chord chord_of(Vector3 from, Vector3 direction) const = 0;
};

class Sphere final : public ConvexSolid {
 public:
  Sphere(Vector3 centre, double radius) : centre_(centre), radius_(radius) {}

  bool inside(Vector3 point) const override {
    Vector3 const r = point - centre_;
    return dot(r, r) < radius_ * radius_;
  }
  Bounds bounds() const override {
    Vector3 const reach{radius_, radius_, radius_};
    return {centre_ - reach, centre_ + reach};
  }
  std::string name() const override { return "sphere"; }

 protected:
  Chord chord_of(Vector3 from, Vector3 direction) const override {
    return chord_of_ball(from - centre_, direction, radius_);
  }

 private:
  Vector3 centre_;
  double radius_;
};

/// A cylinder between `bottom` and `top`, which may be infinite.
class Cylinder final : public ConvexSolid {
 public:
  Cylinder(Vector3 centre, Axis axis, double radius, double bottom, double top)
      : centre_(centre), axis_(axis), radius_(radius), bottom_(bottom), top_(top) {}

  bool inside(Vector3 point) const override {
    Vector3 const r = across(point - centre_);
    return dot(r, r) < radius_ * radius_ && point[axis_] >= bottom_ && point[axis_] < top_;
  }
  Bounds bounds() const override {
    Vector3 const reach{radius_, radius_, radius_};
    Bounds bounds{centre_ - reach, centre_ + reach};
    bounds.lower[axis_] = bottom_;
    bounds.upper[axis_] = top_;
    return bounds;
  }
  std::string name() const override { return "cylinder"; }

 protected:
  Chord chord_of(Vector3 from, Vector3 direction) const override {
    return common(chord_of_ball(across(from - centre_), across(direction), radius_),
                  chord_of_slab(from[axis_], direction[axis_], bottom_, top_));
  }

 private:
  Vector3 across(Vector3 v) const {
    v[axis_] = 0;
    return v;
  }

  Vector3 centre_;
  Axis axis_;
  double radius_;
  double bottom_;
  double top_;
};

class Box final : public ConvexSolid {
 public:
  Box(Vector3 lower, Vector3 upper) : lower_(lower), upper_(upper) {}

  bool inside(Vector3 point) const override {
    return point.x >= lower_.x && point.x < upper_.x && point.y >= lower_.y && point.y < upper_.y &&
           point.z >= lower_.z && point.z < upper_.z;
  }
  Bounds bounds() const override { return {lower_, upper_}; }
  std::string name() const override { return "box"; }

 protected:
  Chord chord_of(Vector3 from, Vector3 direction) const override {
    Chord chord;
    for (Axis const axis : all_axes) {
      chord = common(chord, chord_of_slab(from[axis], direction[axis], lower_[axis], upper_[axis]));
    }
    return chord;
  }

 private:
  Vector3 lower_;
  Vector3 upper_;
};

class HalfSpace final : public ConvexSolid {
 public:
  HalfSpace(Vector3 point, Vector3 normal) : point_(point), normal_(normal) {}

  bool inside(Vector3 point) const override { return dot(point - point_, normal_) < 0; }
  Bounds bounds() const override { return {}; }
  std::string name() const override { return "half-space"; }

 protected:
  Chord chord_of(Vector3 from, Vector3 direction) const override {
    return chord_of_slab(dot(from - point_, normal_), dot(direction, normal_), -Bounds::infinity,
                         0);
  }

 private:
  Vector3 point_;
  Vector3 normal_;
};

void require_finite(char const* what, char const* which, Vector3 v) {
  if (is_finite(v)) return;
  throw BadInput(fmt::format("{}: the {} is ({}, {}, {}); expected finite numbers", what, which,
                             v.x, v.y, v.z));
}

void require_positive(char const* what, char const* which, double value) {
  if (std::isfinite(value) && value > 0) return;
  throw BadInput(
      fmt::format("{}: the {} is {}; expected more than 0 and finite", what, which, value));
}

}  // namespace

SurfacePointer sphere(Vector3 centre, double radius) {
  require_finite("sphere", "centre", centre);
  require_positive("sphere", "radius", radius);
  return std::make_shared<Sphere>(centre, radius);
}

SurfacePointer cylinder(Vector3 point_on_axis, Axis axis, double radius) {
  require_finite("cylinder", "point on the axis", point_on_axis);
  require_positive("cylinder", "radius", radius);
  return std::make_shared<Cylinder>(point_on_axis, axis, radius, -Bounds::infinity,
                                    Bounds::infinity);
}

SurfacePointer cylinder(Vector3 centre, Axis axis, double radius, double length) {
  require_finite("cylinder", "centre", centre);
  require_positive("cylinder", "radius", radius);
  require_positive("cylinder", "length", length);
  return std::make_shared<Cylinder>(centre, axis, radius, centre[axis] - length / 2,
                                    centre[axis] + length / 2);
}

SurfacePointer box(Vector3 lower, Vector3 upper) {
  require_finite("box", "lower corner", lower);
  require_finite("box", "upper corner", upper);
  for (Axis const axis : all_axes) {
    if (lower[axis] < upper[axis]) continue;
    throw BadInput(
        fmt::format("box: it reaches from {} to {} along {}; expected an upper corner above "
                    "the lower one",
                    lower[axis], upper[axis], name_of(axis)));
  }
  return std::make_shared<Box>(lower, upper);
}

SurfacePointer half_space(Vector3 point_on_plane, Vector3 normal) {
  require_finite("half-space", "point on the plane", point_on_plane);
  require_finite("half-space", "normal", normal);
  if (normal == Vector3{}) throw BadInput("half-space: the normal is 0; expected a direction");
  return std::make_shared<HalfSpace>(point_on_plane, normal);
}

}  // namespace tessera

// SPDX-License-Identifier: MIT
// Surfaces of solids that are known exactly, not only by voxels: for interpolated bounce-back,
// which needs the place of the wall on a link. Bouzidi, Firdaouss, Lallemand, Phys. Fluids 13
// (2001) 3452.
//
// Lengths are in voxels; the centre of voxel (i, j, k) is (i, j, k) + 1/2. A ball is open, as in
// geometry/generate.hpp; boxes and triangle meshes are half open, so that a box of 10 voxels is 10
// voxels wide wherever it stands. All functions are const and may be called by many threads at
// once.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "geometry/vector3.hpp"

namespace tessera {

/// An upright box; the bounds of an infinite solid are infinite.
struct Bounds {
  static constexpr double infinity = std::numeric_limits<double>::infinity();
  Vector3 lower{-infinity, -infinity, -infinity};
  Vector3 upper{infinity, infinity, infinity};

  constexpr bool contains(Vector3 point) const {
    return point.x >= lower.x && point.x <= upper.x && point.y >= lower.y && point.y <= upper.y &&
           point.z >= lower.z && point.z <= upper.z;
  }
};

class Surface {
 public:
  Surface() = default;
  Surface(Surface const&) = delete;
  Surface& operator=(Surface const&) = delete;
  virtual ~Surface() = default;

  /// Whether the point is solid.
  virtual bool inside(Vector3 point) const = 0;

  /// The fraction in (0, 1] of the way at which the segment, whose ends lie on different sides,
  /// first meets the surface. Nothing where rounding hides that: the segment touches an edge or
  /// grazes with its end alone.
  virtual std::optional<double> crossing(Vector3 from, Vector3 to) const = 0;

  /// A box outside of which nothing is solid.
  virtual Bounds bounds() const = 0;

  /// A name for messages: "sphere", "wing.stl".
  virtual std::string name() const = 0;

  /// Writes inside() of `first`, `first` + (1, 0, 0) and so on, 1 or 0, to each element of `row`.
  virtual void inside_row(Vector3 first, std::span<std::uint8_t> row) const;
};

using SurfacePointer = std::shared_ptr<Surface const>;

// The functions that make surfaces throw BadInput for invalid sizes.

SurfacePointer sphere(Vector3 centre, double radius);

/// A cylinder without ends.
SurfacePointer cylinder(Vector3 point_on_axis, Axis axis, double radius);

/// A cylinder from `centre` - `length` / 2 to `centre` + `length` / 2 along its axis.
SurfacePointer cylinder(Vector3 centre, Axis axis, double radius, double length);

/// An upright box.
SurfacePointer box(Vector3 lower, Vector3 upper);

/// The half space on the side of a plane that the normal points away from. The normal need not be a
/// unit vector.
SurfacePointer half_space(Vector3 point_on_plane, Vector3 normal);

/// A surface with its inside and outside exchanged: the outside of a cylinder is a pipe.
SurfacePointer outside(SurfacePointer surface);

/// The union of the members. Where members overlap, the crossing from outside is that of the member
/// that contains the far end; from inside it is where the last member is left.
SurfacePointer union_of(std::vector<SurfacePointer> members);

/// The surface and its copies in the neighbouring periods of a box of this shape, along the axes
/// that are periodic. An axis along which the surface has no end stays as it is.
SurfacePointer periodic_images(SurfacePointer surface, Int3 shape,
                               std::array<bool, 3> const& periodic);

}  // namespace tessera

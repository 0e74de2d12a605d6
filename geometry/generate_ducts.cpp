// SPDX-License-Identifier: MIT
// Empty boxes, plates and straight ducts: sections with a known Poiseuille flow, extruded along an
// axis.

#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <new>
#include <numbers>
#include <string_view>
#include <vector>

#include "base/box.hpp"
#include "base/errors.hpp"
#include "geometry/generate.hpp"

namespace tessera {
namespace {

/// The axes of the section of a duct along `axis`, in the order x, y, z.
struct SectionAxes {
  Axis u;
  Axis v;
};

constexpr SectionAxes section_axes(Axis axis) {
  return {axis == Axis::x ? Axis::y : Axis::x, axis == Axis::z ? Axis::y : Axis::z};
}

void require_voxels(std::string_view what, std::int64_t count) {
  if (count < 1 || count > longest_generated_side) {
    throw BadInput(
        fmt::format("{} is {} voxels; expected 1 to {}", what, count, longest_generated_side));
  }
}

/// Real lengths are held to the same bounds, which also keeps NaN and overflow out of the voxel
/// counts.
void require_length(std::string_view what, double length) {
  constexpr std::int64_t longest = longest_generated_side / 4;
  if (!(length >= 1.0 && length <= static_cast<double>(longest))) {
    throw BadInput(fmt::format("{} is {} voxels; expected 1 to {}", what, length, longest));
  }
}

/// A duct of `length` voxels along `axis` whose section has the size (n_u, n_v); `is_fluid(u, v)`
/// is asked for the centre of each voxel of the section.
template <typename Section>
Geometry extrude(Axis axis, std::int64_t length, std::int64_t n_u, std::int64_t n_v,
                 Section is_fluid) {
  require_voxels("duct: the length", length);
  auto const [u, v] = section_axes(axis);
  Int3 shape;
  shape[u] = n_u;
  shape[v] = n_v;
  shape[axis] = length;
  Geometry duct = uniform_box(shape, 0);
  duct.periodic[index_of(axis)] = true;
  Int3 at;
  for (at[v] = 0; at[v] < n_v; ++at[v]) {
    for (at[u] = 0; at[u] < n_u; ++at[u]) {
      if (!is_fluid(static_cast<double>(at[u]) + 0.5, static_cast<double>(at[v]) + 0.5)) continue;
      for (at[axis] = 0; at[axis] < length; ++at[axis]) duct.pore[linear_index(shape, at)] = 1;
    }
  }
  return duct;
}

/// Voxels across a section of this width with a wall of at least one voxel on either side.
std::int64_t walled(double width) { return static_cast<std::int64_t>(std::ceil(width)) + 2; }

}  // namespace

Geometry uniform_box(Int3 shape, std::uint8_t pore) {
  for (Axis const axis : all_axes) {
    if (shape[axis] < 1 || shape[axis] > longest_generated_side) {
      throw BadInput(fmt::format("box of {} x {} x {} voxels: the {} side is {}; expected 1 to {}",
                                 shape.x, shape.y, shape.z, name_of(axis), shape[axis],
                                 longest_generated_side));
    }
  }
  try {
    return {shape, std::vector<std::uint8_t>(static_cast<std::size_t>(volume(shape)), pore), {}};
  } catch (std::bad_alloc const&) {
    throw EnvironmentError(fmt::format("box of {} x {} x {} voxels: no memory for {} bytes",
                                       shape.x, shape.y, shape.z, volume(shape)));
  }
}

Geometry plates(std::int64_t gap, std::int64_t walls, Axis normal, std::int64_t width) {
  require_voxels("plates: the gap", gap);
  require_voxels("plates: the wall", walls);
  require_voxels("plates: the width", width);
  // Seen along one of the other axes, plates are a duct whose section is open on two sides.
  auto const [along, across] = section_axes(normal);
  bool const normal_is_u = section_axes(along).u == normal;
  auto const fluid = [&](double u, double v) {
    return (normal_is_u ? u : v) < static_cast<double>(gap);
  };
  std::int64_t const pitch = gap + walls;
  Geometry result = normal_is_u ? extrude(along, width, pitch, width, fluid)
                                : extrude(along, width, width, pitch, fluid);
  result.periodic = {true, true, true};
  return result;
}

Geometry rectangular_duct(std::int64_t a, std::int64_t b, Axis axis, std::int64_t length) {
  require_voxels("rectangular duct: side a", a);
  require_voxels("rectangular duct: side b", b);
  auto const width = static_cast<double>(a);
  auto const height = static_cast<double>(b);
  return extrude(axis, length, a + 2, b + 2, [=](double u, double v) {
    return u > 1 && u < width + 1 && v > 1 && v < height + 1;
  });
}

Geometry circular_duct(double radius, Axis axis, std::int64_t length) {
  require_length("circular duct: the radius", radius);
  std::int64_t const n = walled(2 * radius);
  double const centre = static_cast<double>(n) / 2;
  return extrude(axis, length, n, n, [=](double u, double v) {
    return (u - centre) * (u - centre) + (v - centre) * (v - centre) < radius * radius;
  });
}

Geometry triangular_duct(double side, Axis axis, std::int64_t length) {
  require_length("triangular duct: the side", side);
  double const height = side * std::numbers::sqrt3 / 2;
  std::int64_t const n_u = walled(side);
  double const middle = static_cast<double>(n_u) / 2;
  // The apex lies at depth 0, just behind one wall layer; the section is as wide as 2 depth /
  // sqrt(3).
  return extrude(axis, length, n_u, walled(height), [=](double u, double v) {
    double const depth = v - 1;
    return depth < height && std::abs(u - middle) < depth * std::numbers::inv_sqrt3;
  });
}

}  // namespace tessera

// SPDX-License-Identifier: MIT
#include "geometry/solids.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/errors.hpp"

namespace tessera {
namespace {

/// Voxels from `first` up to, but without, `end`.
struct VoxelRange {
  Int3 first;
  Int3 end;
};

/// The voxels whose centres lie in the bounds.
VoxelRange voxels_in(Bounds const& bounds, Int3 shape) {
  VoxelRange range;
  for (Axis const axis : all_axes) {
    auto const sides = static_cast<double>(shape[axis]);
    range.first[axis] =
        static_cast<std::int64_t>(std::clamp(std::ceil(bounds.lower[axis] - 0.5), 0.0, sides));
    range.end[axis] =
        static_cast<std::int64_t>(std::clamp(std::floor(bounds.upper[axis] + 0.5), 0.0, sides));
  }
  return range;
}

void require_meeting(SolidBody const& body, Int3 shape) {
  Bounds const bounds = body.surface->bounds();
  for (Axis const axis : all_axes) {
    if (bounds.upper[axis] > 0 && bounds.lower[axis] < static_cast<double>(shape[axis])) continue;
    throw BadInput(fmt::format(
        "{}: it reaches from {:.6g} to {:.6g} voxels along {}; expected it to meet the box, 0 to "
        "{}",
        body.surface->name(), bounds.lower[axis], bounds.upper[axis], name_of(axis), shape[axis]));
  }
}

std::int64_t mark(SolidBody const& body, Int3 shape, LayerRange layers, Geometry& own,
                  std::vector<std::uint8_t>& labels) {
  VoxelRange range = voxels_in(body.surface->bounds(), shape);
  range.first.z = std::max(range.first.z, layers.lower);
  range.end.z = std::min(range.end.z, layers.upper);
  std::int64_t const width = range.end.x - range.first.x;
  if (width <= 0) return 0;
  std::int64_t voxels = 0;
  std::vector<std::uint8_t> row(static_cast<std::size_t>(width));
  for (std::int64_t z = range.first.z; z < range.end.z; ++z) {
    for (std::int64_t y = range.first.y; y < range.end.y; ++y) {
      Int3 const first{range.first.x, y, z};
      body.surface->inside_row(voxel_centre(first), row);
      std::size_t const begin = linear_index(own.shape, first - Int3{0, 0, layers.lower});
      for (std::size_t i = 0; i < row.size(); ++i) {
        if (row[i] == 0) continue;
        own.pore[begin + i] = 0;
        labels[begin + i] = body.label;
        ++voxels;
      }
    }
  }
  return voxels;
}

/// A crossing that a formula does not find, such as that of a link that touches an edge with its
/// end alone: by halves.
double crossing_by_halves(Surface const& surface, Vector3 from, Vector3 to) {
  double lower = 0;
  double upper = 1;
  for (int i = 0; i < 50; ++i) {
    double const middle = (lower + upper) / 2;
    (surface.inside(from + middle * (to - from)) ? upper : lower) = middle;
  }
  return upper;
}

/// The nearest crossing into a body that contains the far end.
std::optional<double> nearest_crossing(std::span<SolidBody const> bodies, Vector3 from,
                                       Vector3 to) {
  std::optional<double> nearest;
  for (SolidBody const& body : bodies) {
    if (!body.surface->bounds().contains(to) || !body.surface->inside(to)) continue;
    std::optional<double> at = body.surface->crossing(from, to);
    if (!at && !body.surface->inside(from)) at = crossing_by_halves(*body.surface, from, to);
    if (at && (!nearest || *at < *nearest)) nearest = at;
  }
  return nearest;
}

}  // namespace

std::vector<std::int64_t> voxelise(std::span<SolidBody const> bodies, Geometry& geometry,
                                   std::vector<std::uint8_t>& labels) {
  return voxelise(bodies, geometry.shape, {0, geometry.shape.z}, geometry, labels);
}

std::vector<std::int64_t> voxelise(std::span<SolidBody const> bodies, Int3 shape, LayerRange layers,
                                   Geometry& own, std::vector<std::uint8_t>& labels) {
  for (SolidBody const& body : bodies) require_meeting(body, shape);
  if (labels.size() != own.pore.size()) labels.assign(own.pore.size(), 0);
  std::vector<std::int64_t> voxels;
  for (SolidBody const& body : bodies) voxels.push_back(mark(body, shape, layers, own, labels));
  return voxels;
}

double link_fraction(std::span<SolidBody const> bodies, Int3 from, Int3 direction, Int3 shape,
                     std::array<bool, 3> const& periodic) {
  Vector3 const begin = voxel_centre(from);
  Vector3 const end = voxel_centre(from + direction);
  std::optional<double> at = nearest_crossing(bodies, begin, end);
  Vector3 shift;
  for (Axis const axis : all_axes) {
    auto const period = static_cast<double>(shape[axis]);
    if (!periodic[index_of(axis)]) continue;
    if (end[axis] < 0) shift[axis] = period;
    if (end[axis] > period) shift[axis] = -period;
  }
  if (shift != Vector3{}) {
    auto const wrapped = nearest_crossing(bodies, begin + shift, end + shift);
    if (wrapped && (!at || *wrapped < *at)) at = wrapped;
  }
  constexpr double half_way = 0.5;
  return at ? std::clamp(*at, 1e-6, 1.0) : half_way;
}

}  // namespace tessera

// SPDX-License-Identifier: MIT
// Random packings of equal spheres in periodic boxes.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "base/box.hpp"
#include "base/errors.hpp"
#include "geometry/generate.hpp"

namespace tessera {
namespace {

/// Random sequential addition gives up after this many points in a row without room for a sphere.
constexpr int most_misses = 1'000'000;
/// Cells of the neighbour search along one axis; more would cost memory and save nothing.
constexpr std::int64_t most_cells = 128;

/// Random points of a box. The distributions of the standard library differ between
/// implementations, so the 53 upper bits of the generator, which do not, are taken as the digits of
/// a number in [0, 1).
class RandomPoints {
 public:
  RandomPoints(Int3 shape, std::uint64_t seed) : shape_{shape}, generator_{seed} {}

  Point next() {
    double const x = fraction() * static_cast<double>(shape_.x);
    double const y = fraction() * static_cast<double>(shape_.y);
    double const z = fraction() * static_cast<double>(shape_.z);
    return {x, y, z};
  }

 private:
  double fraction() { return static_cast<double>(generator_() >> 11) * 0x1p-53; }

  Int3 shape_;
  std::mt19937_64 generator_;
};

/// The centres found so far, sorted into cells at least one diameter wide: whatever overlaps a
/// sphere is in its own cell or in one of the 26 around it.
class Neighbourhood {
 public:
  Neighbourhood(Int3 shape, double diameter) : shape_{shape}, diameter_{diameter} {
    for (Axis const axis : all_axes) {
      auto const fit = static_cast<std::int64_t>(static_cast<double>(shape[axis]) / diameter);
      cells_[axis] = std::clamp<std::int64_t>(fit, 1, most_cells);
    }
    centres_.resize(static_cast<std::size_t>(volume(cells_)));
  }

  void add(Point const& centre) {
    centres_[linear_index(cells_, cell_of(centre))].push_back(centre);
  }

  bool has_room_for(Point const& centre) const {
    Int3 const home = cell_of(centre);
    for (std::int64_t dz = -1; dz <= 1; ++dz) {
      for (std::int64_t dy = -1; dy <= 1; ++dy) {
        for (std::int64_t dx = -1; dx <= 1; ++dx) {
          auto const& cell = centres_[linear_index(cells_, wrapped(home + Int3{dx, dy, dz}))];
          if (std::ranges::any_of(cell, [&](Point const& p) { return overlap(p, centre); })) {
            return false;
          }
        }
      }
    }
    return true;
  }

 private:
  Int3 cell_of(Point const& centre) const {
    Int3 cell;
    for (Axis const axis : all_axes) {
      double const place = centre[index_of(axis)] / static_cast<double>(shape_[axis]);
      auto const at = static_cast<std::int64_t>(place * static_cast<double>(cells_[axis]));
      cell[axis] = std::min(at, cells_[axis] - 1);  // rounding may reach the end of the box
    }
    return cell;
  }

  Int3 wrapped(Int3 cell) const {
    for (Axis const axis : all_axes) cell[axis] = (cell[axis] + cells_[axis]) % cells_[axis];
    return cell;
  }

  bool overlap(Point const& a, Point const& b) const {
    double distance2 = 0;
    for (Axis const axis : all_axes) {
      double const apart = std::abs(a[index_of(axis)] - b[index_of(axis)]);
      double const nearest = std::min(apart, static_cast<double>(shape_[axis]) - apart);
      distance2 += nearest * nearest;
    }
    return distance2 < diameter_ * diameter_;
  }

  Int3 shape_;
  double diameter_;
  Int3 cells_;
  std::vector<std::vector<Point>> centres_;
};

/// A packing still to be filled, and the count of its pore voxels kept while spheres are carved.
struct GrowingPacking {
  SpherePacking packing;
  std::int64_t pores = 0;
  std::int64_t target = 0;  ///< the largest count that is at most the porosity asked for
};

GrowingPacking empty_packing(Int3 shape, double radius, double porosity) {
  SpherePacking packing{uniform_box(shape, 1), {}};
  packing.geometry.periodic = {true, true, true};
  double const half_side = static_cast<double>(std::min({shape.x, shape.y, shape.z})) / 2;
  if (!(radius >= 1 && radius <= half_side)) {
    throw BadInput(
        fmt::format("random spheres: the radius is {} voxels; expected 1 to {}, half the shortest "
                    "side of the box",
                    radius, half_side));
  }
  if (!(porosity > 0 && porosity < 1)) {
    throw BadInput(fmt::format(
        "random spheres: the porosity is {}; expected a number between 0 and 1", porosity));
  }
  std::int64_t const voxels = volume(shape);
  auto const target = static_cast<std::int64_t>(porosity * static_cast<double>(voxels));
  return {std::move(packing), voxels, target};
}

void add_sphere(GrowingPacking& growing, Point const& centre, double radius) {
  growing.pores -= carve_sphere(growing.packing.geometry, centre, radius);
  growing.packing.centres.push_back(centre);
}

}  // namespace

SpherePacking overlapping_spheres(Int3 shape, double radius, double porosity, std::uint64_t seed) {
  GrowingPacking growing = empty_packing(shape, radius, porosity);
  RandomPoints points{shape, seed};
  while (growing.pores > growing.target) add_sphere(growing, points.next(), radius);
  return std::move(growing.packing);
}

SpherePacking separate_spheres(Int3 shape, double radius, double porosity, std::uint64_t seed) {
  GrowingPacking growing = empty_packing(shape, radius, porosity);
  Neighbourhood neighbourhood{shape, 2 * radius};
  RandomPoints points{shape, seed};
  for (int misses = 0; growing.pores > growing.target;) {
    Point const centre = points.next();
    if (neighbourhood.has_room_for(centre)) {
      neighbourhood.add(centre);
      add_sphere(growing, centre, radius);
      misses = 0;
    } else if (++misses == most_misses) {
      throw BadInput(fmt::format(
          "separate spheres: stuck at porosity {:.4f} on the way to {:.4f}; expected 0.65 or more "
          "(they jam near 0.62), or spheres that may overlap",
          static_cast<double>(growing.pores) / static_cast<double>(volume(shape)), porosity));
    }
  }
  return std::move(growing.packing);
}

}  // namespace tessera

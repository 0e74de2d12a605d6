// SPDX-License-Identifier: MIT
// Cubic arrays of spheres, and how a sphere becomes voxels.

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <numbers>
#include <string_view>
#include <vector>

#include "base/box.hpp"
#include "base/errors.hpp"
#include "geometry/generate.hpp"

namespace tessera {
namespace {

constexpr double pi = std::numbers::pi;

std::vector<Point> unit_cell(SphereLattice lattice) {
  switch (lattice) {
    case SphereLattice::sc:
      return {{0.5, 0.5, 0.5}};
    case SphereLattice::bcc:
      return {{0, 0, 0}, {0.5, 0.5, 0.5}};
    case SphereLattice::fcc:
      return {{0, 0, 0}, {0, 0.5, 0.5}, {0.5, 0, 0.5}, {0.5, 0.5, 0}};
  }
  throw BadInput("sphere array: unknown lattice; expected sc, bcc or fcc");
}

constexpr std::string_view name_of(SphereLattice lattice) {
  return lattice == SphereLattice::sc ? "sc" : lattice == SphereLattice::bcc ? "bcc" : "fcc";
}

/// A layer of voxels that a sphere may reach along one axis.
struct Layer {
  std::int64_t at;   ///< wrapped into the box
  double distance2;  ///< from the sphere's centre to the layer of voxel centres, squared
};

std::vector<Layer> layers_within(double radius, double centre, std::int64_t extent) {
  std::vector<Layer> layers;
  auto const last = static_cast<std::int64_t>(std::floor(centre + radius));
  for (auto i = static_cast<std::int64_t>(std::floor(centre - radius)); i <= last; ++i) {
    double const distance = static_cast<double>(i) + 0.5 - centre;
    layers.push_back({((i % extent) + extent) % extent, distance * distance});
  }
  return layers;
}

}  // namespace

std::int64_t carve_sphere(Geometry& geometry, Point const& centre, double radius) {
  Int3 const shape = geometry.shape;
  auto const columns = layers_within(radius, centre[0], shape.x);
  auto const rows = layers_within(radius, centre[1], shape.y);
  std::int64_t carved = 0;
  for (Layer const& plane : layers_within(radius, centre[2], shape.z)) {
    for (Layer const& row : rows) {
      double const room = radius * radius - plane.distance2 - row.distance2;
      if (room <= 0) continue;
      std::uint8_t* const voxels = &geometry.pore[linear_index(shape, {0, row.at, plane.at})];
      for (Layer const& column : columns) {
        if (column.distance2 < room) {
          carved += voxels[column.at];
          voxels[column.at] = 0;
        }
      }
    }
  }
  return carved;
}

double contact_solid_fraction(SphereLattice lattice) {
  switch (lattice) {
    case SphereLattice::sc:
      return pi / 6;
    case SphereLattice::bcc:
      return pi * std::numbers::sqrt3 / 8;
    case SphereLattice::fcc:
      return pi * std::numbers::sqrt2 / 6;
  }
  throw BadInput("sphere array: unknown lattice; expected sc, bcc or fcc");
}

double sphere_array_radius(SphereLattice lattice, std::int64_t size, double solid_fraction) {
  auto const spheres = static_cast<double>(unit_cell(lattice).size());
  return static_cast<double>(size) * std::cbrt(3 * solid_fraction / (4 * pi * spheres));
}

Geometry sphere_array(SphereLattice lattice, std::int64_t size, double solid_fraction) {
  double const contact = std::ceil(contact_solid_fraction(lattice) * 1e4) / 1e4;
  if (!(solid_fraction > 0 && solid_fraction <= contact)) {
    throw BadInput(fmt::format(
        "sphere array {}: the solid fraction is {}; expected more than 0 and at most {:.4f}, where "
        "the spheres touch",
        name_of(lattice), solid_fraction, contact));
  }
  Geometry array = uniform_box({size, size, size}, 1);
  array.periodic = {true, true, true};
  double const radius = sphere_array_radius(lattice, size, solid_fraction);
  for (Point centre : unit_cell(lattice)) {
    for (double& coordinate : centre) coordinate *= static_cast<double>(size);
    carve_sphere(array, centre, radius);
  }
  return array;
}

}  // namespace tessera

// SPDX-License-Identifier: MIT
// Geometries made by formula: sphere arrays and packings, plates and ducts, for tests, examples and
// benchmarks.
//
// One voxel rule for all: voxel i spans [i, i+1), and it gets the phase at its centre i + 1/2. A
// sphere is the open ball (distance < radius), a duct the open inside of its section. Lengths are
// in voxels. Every function throws BadInput for invalid sizes and EnvironmentError where memory is
// short.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/box.hpp"
#include "geometry/geometry.hpp"

namespace tessera {

/// The longest side of a generated box, in voxels.
inline constexpr std::int64_t longest_generated_side = 32768;

using Point = std::array<double, 3>;  ///< x, y, z in voxels

/// A box all of pore (1) or all of solid (0), not periodic; its sides are 1 to
/// `longest_generated_side` voxels.
Geometry uniform_box(Int3 shape, std::uint8_t pore);

/// Makes the voxels of a sphere and of its periodic images solid; returns how many of them were
/// pore before.
std::int64_t carve_sphere(Geometry& geometry, Point const& centre, double radius);

/// The cubic arrays of equal spheres, with their places in the unit cell, counted from its corner.
enum class SphereLattice : std::uint8_t {
  sc,   ///< simple cubic: (1/2, 1/2, 1/2)
  bcc,  ///< body-centred cubic: (0, 0, 0), (1/2, 1/2, 1/2)
  fcc   ///< face-centred cubic: (0, 0, 0), (0, 1/2, 1/2), (1/2, 0, 1/2), (1/2, 1/2, 0)
};

/// Solid fraction at which the spheres of an array touch: pi/6, pi sqrt(3)/8, pi sqrt(2)/6.
double contact_solid_fraction(SphereLattice lattice);

/// Radius in voxels of the m = 1, 2 or 4 spheres in a cell of L = `size` voxels at solid fraction
/// c: a = L (3 c / (4 pi m))^(1/3).
double sphere_array_radius(SphereLattice lattice, std::int64_t size, double solid_fraction);

/// One periodic cell of size^3 voxels, for the drag tables of Zick & Homsy (J. Fluid Mech. 115,
/// 1982, table 2) and Sangani & Acrivos (Int. J. Multiphase Flow 8, 1982). The solid fraction is
/// that of the exact spheres; the voxels' differs a little. Throws BadInput where the spheres would
/// overlap; contact itself is allowed as the tables print it (0.5236, 0.6802, 0.7405).
Geometry sphere_array(SphereLattice lattice, std::int64_t size, double solid_fraction);

/// Equal spheres in a periodic box: the voxels and where the spheres are.
struct SpherePacking {
  Geometry geometry;
  std::vector<Point> centres;
};

/// Random spheres that may overlap (the Boolean model, or "penetrable spheres"), dropped into a
/// periodic box until the porosity of the voxels is at most `porosity`. A seed gives the same
/// voxels with every compiler.
SpherePacking overlapping_spheres(Int3 shape, double radius, double porosity, std::uint64_t seed);

/// Random spheres that do not overlap, by random sequential addition (Widom, J. Chem. Phys. 44,
/// 1966) until the porosity of the voxels is at most `porosity`. Such packings jam near porosity
/// 0.62: throws BadInput if the porosity cannot be reached. A seed gives the same voxels with every
/// compiler.
SpherePacking separate_spheres(Int3 shape, double radius, double porosity, std::uint64_t seed);

/// `gap` fluid layers, then `walls` solid layers along `normal`; `width` voxels along the two other
/// axes; periodic along all three, so one wall layer is enough. TRT gives, to rounding,
/// k of the box = phi/2 ((H^2 + 1/2)/6 + 4/3 Lambda - 1/4) with H = gap, phi = gap/(gap + walls).
Geometry plates(std::int64_t gap, std::int64_t walls, Axis normal, std::int64_t width);

// Ducts run along `axis` for `length` voxels and are periodic along it only. Their section lies in
// the two other axes, taken in the order x, y, z, with a wall of one voxel or more all around. Each
// k is the permeability of the open section, without the walls.

/// A duct of a x b fluid voxels, a along the first of the two other axes. k = 0.0351442537 a^2 for
/// a square, else a series (White, Viscous Fluid Flow, section 3-3).
Geometry rectangular_duct(std::int64_t a, std::int64_t b, Axis axis, std::int64_t length);

/// A duct of circular section, centred in the box. k = radius^2 / 8.
Geometry circular_duct(double radius, Axis axis, std::int64_t length);

/// A duct whose section is an equilateral triangle with its base on the far side of the second of
/// the two other axes. k = side^2 / 80.
Geometry triangular_duct(double side, Axis axis, std::int64_t length);

}  // namespace tessera

// SPDX-License-Identifier: MIT
// Geometry from the map of an element: places, Jacobians, and metrics that keep a uniform flow
// uniform on curved elements.
//
// S_d, the contravariant vectors times the Jacobian, stand at the flux points along d. In two
// dimensions they are derivatives of the map, which the method differentiates exactly as long as
// the map is of a degree k <= p + 2 (its error at degree p + 2 is 0 at Gauss points); for a map of
// a higher degree they are derivatives of its interpolation on p + 2 Lobatto points of each axis,
// so that elements of p = 0 are polygons. In three dimensions they are the curl of a potential that
// is interpolated on p + 2 Lobatto points of each axis (Thomas and Lombard 1979; D. A. Kopriva, J.
// Sci. Comput. 26 (2006) 301), so their discrete divergence vanishes for any map, and elements that
// share a side have the same metrics there.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "models/spectral/mesh.hpp"
#include "models/spectral/tensor.hpp"

namespace tessera::spectral {

struct ElementGeometry {
  bool affine = false;
  std::vector<double> jacobian;  ///< at the solution points; one if affine
  /// metrics[d]: [flux point][component][line], as in packs.hpp; [component] if affine.
  std::array<std::vector<double>, 3> metrics;
};

/// Geometries for elements of one degree on maps of one degree.
class ElementMaps {
 public:
  ElementMaps(int dimension, int map_degree, int degree)
      : ElementMaps(dimension, map_degree, degree, degree) {}
  /// Maps whose metrics are those of elements of a lower degree (metric_degrees.hpp).
  ElementMaps(int dimension, int map_degree, int degree, int metric_degree);

  /// The geometry of an element. Throws BadInput for an element that is turned inside out
  /// somewhere; `element`: its number in the message.
  ElementGeometry geometry(std::span<Point const> nodes, std::size_t element) const;
  /// Only the Jacobian, at each solution point.
  std::vector<double> jacobian(std::span<Point const> nodes) const;
  /// The solution points.
  std::vector<Point> places(std::span<Point const> nodes) const;
  /// The points of a side, as traces have them.
  std::vector<Point> places_on_side(std::span<Point const> nodes, int side) const;

 private:
  ElementGeometry affine_geometry(std::span<Point const> nodes) const;
  std::array<std::vector<double>, 3> plane_metrics(std::span<Point const> nodes) const;
  std::array<std::vector<double>, 3> space_metrics(std::span<Point const> nodes) const;

  int dimension_;
  int map_degree_;
  int degree_;
  int metric_degree_;
  // Interpolation from the map's nodes to the solution, flux, Lobatto and end points, and
  // derivatives there.
  Matrix to_solution_, to_flux_, to_lobatto_, to_ends_[2];
  Matrix slope_at_solution_, slope_at_flux_, slope_at_lobatto_;
  // Interpolation from the Lobatto points to the other points.
  Matrix lobatto_to_solution_, lobatto_to_flux_;
  Matrix lobatto_slope_at_solution_;
};

/// Where the map takes the points of a tensor grid, xi fastest.
std::vector<Point> map_points(int dimension, int map_degree, std::span<Point const> nodes,
                              std::span<double const> along_each_axis);

}  // namespace tessera::spectral

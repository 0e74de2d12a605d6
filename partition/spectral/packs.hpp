// SPDX-License-Identifier: MIT
// Elements side by side: a pack is up to 8 elements of one degree, neighbours along a curve, whose
// values stand beside each other, so that a vector of a core and a warp of a GPU hold one value of
// several elements. Packs do not depend on tiles, and no tiling cuts one.
//
// In units of numbers, 8 lanes fastest (axes x fastest, line by line):
//   state    S[variable][k][j][i][8]
//   traces   T[side][variable][b][a][8]          the state at the sides, own axes (mesh.hpp)
//   metrics  M[direction][flux point][component][line][8]    S_d where the fluxes along d stand;
//            M[direction][component][8] in a pack whose elements are all affine
//   Jacobian J[k][j][i][8], [8] if affine: 1 / |J|
// where a line along d is numbered by the other axes, ascending, like the points of a side. So the
// metrics of the first and the last flux point are those of the two sides.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/spectral/gas.hpp"
#include "models/spectral/mesh.hpp"

namespace tessera::spectral {

inline constexpr int lanes = 8;

TESSERA_HOST_DEVICE constexpr int power(int n, int exponent) {
  int result = 1;
  for (int i = 0; i < exponent; ++i) result *= n;
  return result;
}

/// How large the fields of a pack are, and where things stand in them, in numbers.
struct PackShape {
  int dimension;
  int degree;

  TESSERA_HOST_DEVICE constexpr int side_points() const { return power(degree + 1, dimension - 1); }
  TESSERA_HOST_DEVICE constexpr int points() const { return power(degree + 1, dimension); }
  TESSERA_HOST_DEVICE constexpr int sides() const { return 2 * dimension; }

  TESSERA_HOST_DEVICE constexpr int state_size() const { return variables * points() * lanes; }
  TESSERA_HOST_DEVICE constexpr int state_at(int variable, int point) const {
    return (variable * points() + point) * lanes;
  }
  TESSERA_HOST_DEVICE constexpr int trace_size() const {  // of a side
    return variables * side_points() * lanes;
  }
  TESSERA_HOST_DEVICE constexpr int traces_size() const { return sides() * trace_size(); }
  TESSERA_HOST_DEVICE constexpr int trace_at(int side, int variable, int point) const {
    return ((side * variables + variable) * side_points() + point) * lanes;
  }
  TESSERA_HOST_DEVICE constexpr int metrics_size(bool affine) const {
    return dimension * dimension * lanes * (affine ? 1 : (degree + 2) * side_points());
  }
  TESSERA_HOST_DEVICE constexpr int jacobian_size(bool affine) const {
    return affine ? lanes : points() * lanes;
  }
  /// First point of line `line` along a direction, and from one to the next.
  TESSERA_HOST_DEVICE constexpr int line_begin(int direction, int line) const {
    int const stride = line_stride(direction);
    return line % stride + line / stride * stride * (degree + 1);
  }
  TESSERA_HOST_DEVICE constexpr int line_stride(int direction) const {
    return power(degree + 1, direction);
  }
};

/// Steps between the metrics of a direction: none in the affine ones where all points are the same.
struct MetricStrides {
  int direction;
  int flux_point;
  int component;
  int line;
};
TESSERA_HOST_DEVICE constexpr MetricStrides metric_strides(PackShape shape, bool affine) {
  int const component = affine ? lanes : shape.side_points() * lanes;
  int const flux_point = affine ? 0 : shape.dimension * component;
  return {affine ? shape.dimension * component : (shape.degree + 2) * flux_point, flux_point,
          component, affine ? 0 : lanes};
}

struct Pack {
  std::int32_t degree = 0;
  std::int32_t elements = 0;                  ///< 1 to 8
  std::array<std::int32_t, lanes> element{};  ///< behind the last: the first again, as padding
};

/// Where an element is.
struct Place {
  std::int32_t pack = 0;
  std::int32_t lane = 0;
};

struct Packs {
  std::vector<Pack> packs;      ///< along the curve
  std::vector<Place> place_of;  ///< of each element
};

/// Packs of a mesh, along a curve through its elements (element_curve.hpp).
Packs make_packs(Mesh const& mesh);

}  // namespace tessera::spectral

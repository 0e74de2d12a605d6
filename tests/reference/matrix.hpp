// SPDX-License-Identifier: MIT
// Dense matrices, as plain as can be.
#pragma once

#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace tessera::reference {

using Vector = std::vector<double>;
using Matrix = std::vector<Vector>;  ///< rows

inline Vector product(Matrix const& a, Vector const& x) {
  Vector y(a.size(), 0.0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < x.size(); ++j) y[i] += a[i][j] * x[j];
  }
  return y;
}

/// Gauss and Jordan's elimination with the largest pivot of a column.
inline Matrix inverse(Matrix a) {
  std::size_t const n = a.size();
  Matrix b(n, Vector(n, 0.0));
  for (std::size_t i = 0; i < n; ++i) b[i][i] = 1;
  for (std::size_t column = 0; column < n; ++column) {
    std::size_t pivot = column;
    for (std::size_t i = column; i < n; ++i) {
      if (std::abs(a[i][column]) > std::abs(a[pivot][column])) pivot = i;
    }
    std::swap(a[column], a[pivot]);
    std::swap(b[column], b[pivot]);
    double const scale = 1 / a[column][column];
    for (std::size_t j = 0; j < n; ++j) a[column][j] *= scale, b[column][j] *= scale;
    for (std::size_t i = 0; i < n; ++i) {
      double const factor = a[i][column];
      if (i == column || factor == 0) continue;
      for (std::size_t j = 0; j < n; ++j) {
        a[i][j] -= factor * a[column][j];
        b[i][j] -= factor * b[column][j];
      }
    }
  }
  return b;
}

}  // namespace tessera::reference

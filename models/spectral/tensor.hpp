// SPDX-License-Identifier: MIT
// Matrices of interpolation at run time, and their tensor products on fields of an element, x
// fastest: for work that is done once, geometry and output. Kernels use matrices.hpp.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace tessera::spectral {

struct Matrix {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<double> value;  ///< row by row

  double operator()(std::size_t row, std::size_t column) const {
    return value[row * columns + column];
  }
};

/// Row i: the Lagrange polynomials of the nodes at at[i].
Matrix interpolation(std::span<double const> at, std::span<double const> nodes);
/// Row i: the derivatives of the Lagrange polynomials of the nodes at at[i].
Matrix differentiation(std::span<double const> at, std::span<double const> nodes);

/// Takes a field of columns[0] x columns[1] (x columns[2]) values to a field of rows[0] x rows[1]
/// (x rows[2]) values; as many axes as there are matrices.
std::vector<double> tensor_product(std::span<Matrix const* const> along,
                                   std::span<double const> field);

/// Points on an axis, of a degree known at run time.
std::vector<double> solution_points(int degree);
std::vector<double> flux_points(int degree);
std::vector<double> gauss_points(int count);
std::vector<double> gauss_weights(int count);
std::vector<double> lobatto_points(int count);
/// The points 0, 1/n, .., 1; for n = 0 the middle.
std::vector<double> equal_points(int n);

}  // namespace tessera::spectral

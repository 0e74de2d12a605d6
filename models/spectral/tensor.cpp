// SPDX-License-Identifier: MIT
#include "models/spectral/tensor.hpp"

#include "models/spectral/matrices.hpp"

namespace tessera::spectral {
namespace {

/// Gauss points of output and norms go up to this.
constexpr int most_points = 2 * (most_degree + 1);

template <class Function>
std::vector<double> of_count(int count, Function const& f) {
  std::vector<double> result;
  auto const try_one = [&]<int n>() {
    if (n != count) return;
    auto const points = f.template operator()<static_cast<std::size_t>(n)>();
    result.assign(points.begin(), points.end());
  };
  [&]<int... n>(std::integer_sequence<int, n...>) { (try_one.template operator()<n + 1>(), ...); }
  (std::make_integer_sequence<int, most_points>{});
  return result;
}

}  // namespace

Matrix interpolation(std::span<double const> at, std::span<double const> nodes) {
  Matrix m{at.size(), nodes.size(), {}};
  for (double const x : at) {
    for (std::size_t j = 0; j < nodes.size(); ++j) {
      double product = 1;
      for (std::size_t k = 0; k < nodes.size(); ++k) {
        if (k != j) product *= (x - nodes[k]) / (nodes[j] - nodes[k]);
      }
      m.value.push_back(product);
    }
  }
  return m;
}

Matrix differentiation(std::span<double const> at, std::span<double const> nodes) {
  Matrix m{at.size(), nodes.size(), {}};
  for (double const x : at) {
    for (std::size_t j = 0; j < nodes.size(); ++j) {
      double slope = 0;
      for (std::size_t l = 0; l < nodes.size(); ++l) {
        if (l == j) continue;
        double term = 1 / (nodes[j] - nodes[l]);
        for (std::size_t k = 0; k < nodes.size(); ++k) {
          if (k != j && k != l) term *= (x - nodes[k]) / (nodes[j] - nodes[k]);
        }
        slope += term;
      }
      m.value.push_back(slope);
    }
  }
  return m;
}

std::vector<double> tensor_product(std::span<Matrix const* const> along,
                                   std::span<double const> field) {
  std::vector<double> now(field.begin(), field.end());
  std::size_t before = 1;  // values along the axes that are done
  for (std::size_t axis = 0; axis < along.size(); ++axis) {
    Matrix const& m = *along[axis];
    std::size_t behind = 1;
    for (std::size_t a = axis + 1; a < along.size(); ++a) behind *= along[a]->columns;
    std::vector<double> next(before * m.rows * behind, 0.0);
    for (std::size_t z = 0; z < behind; ++z) {
      for (std::size_t row = 0; row < m.rows; ++row) {
        for (std::size_t column = 0; column < m.columns; ++column) {
          double const factor = m(row, column);
          double const* const from = &now[(z * m.columns + column) * before];
          double* const to = &next[(z * m.rows + row) * before];
          for (std::size_t x = 0; x < before; ++x) to[x] += factor * from[x];
        }
      }
    }
    before *= m.rows;
    now = std::move(next);
  }
  return now;
}

std::vector<double> solution_points(int degree) { return gauss_points(degree + 1); }

std::vector<double> flux_points(int degree) {
  std::vector<double> points{0};
  for (double const x : gauss_points(degree)) points.push_back(x);
  points.push_back(1);
  return points;
}

std::vector<double> gauss_points(int count) {
  return of_count(count, []<std::size_t n>() { return gauss_points<n>(); });
}
std::vector<double> gauss_weights(int count) {
  return of_count(count, []<std::size_t n>() { return gauss_weights<n>(); });
}
std::vector<double> lobatto_points(int count) {
  return of_count(count, []<std::size_t n>() { return lobatto_points < n < 2 ? 2 : n > (); });
}

std::vector<double> equal_points(int n) {
  if (n == 0) return {0.5};
  std::vector<double> points;
  for (int i = 0; i <= n; ++i) points.push_back(static_cast<double>(i) / n);
  return points;
}

}  // namespace tessera::spectral

// SPDX-License-Identifier: MIT
#include "methods/steady/dense_blocks.hpp"

#include <algorithm>
#include <cstddef>

namespace tessera::steady {
namespace {

/// Where the parts begin, and the end.
std::vector<std::size_t> block_bounds(std::vector<std::int32_t> const& part) {
  std::vector<std::size_t> bounds{0};
  for (std::size_t i = 1; i < part.size(); ++i) {
    if (part[i] != part[i - 1]) bounds.push_back(i);
  }
  bounds.push_back(part.size());
  return bounds;
}

/// Replaces a symmetric positive definite matrix by its inverse (Gauss, Jordan, no pivots).
void invert_in_place(std::vector<double>& a, std::size_t n) {
  std::vector<double> row(n);
  for (std::size_t k = 0; k < n; ++k) {
    double const pivot = 1 / a[k * n + k];
    for (std::size_t j = 0; j < n; ++j) row[j] = a[k * n + j] * pivot;
    row[k] = pivot;
    for (std::size_t i = 0; i < n; ++i) {
      if (i == k) continue;
      double const factor = a[i * n + k];
      a[i * n + k] = 0;
      double* const own = &a[i * n];
      for (std::size_t j = 0; j < n; ++j) own[j] -= factor * row[j];
    }
    std::copy(row.begin(), row.end(), a.begin() + static_cast<std::ptrdiff_t>(k * n));
  }
}

}  // namespace

std::int64_t dense_values(std::vector<std::int32_t> const& part) {
  auto const bounds = block_bounds(part);
  std::int64_t values = 0;
  for (std::size_t b = 0; b + 1 < bounds.size(); ++b) {
    auto const n = static_cast<std::int64_t>(bounds[b + 1] - bounds[b]);
    values += n * n;
  }
  return values;
}

DenseBlocks invert(HostRows const& rows, InvertMatrix const& large) {
  DenseBlocks blocks;
  auto const bounds = block_bounds(rows.part);
  for (std::size_t b = 0; b + 1 < bounds.size(); ++b) {
    std::size_t const begin = bounds[b];
    std::size_t const n = bounds[b + 1] - begin;
    std::vector<double> a(n * n, 0.0);
    double trace = 0;
    double wall = 0;
    for (std::size_t i = 0; i < n; ++i) {
      std::size_t const row = begin + i;
      for (std::int32_t k = 0; k < rows.length[row]; ++k) {
        auto const at =
            static_cast<std::size_t>((std::int64_t{rows.slice[row / 32]} + k) * 32) + row % 32;
        auto const j = static_cast<std::size_t>(rows.to[at]) - begin;
        double const w = rows.weight[at];
        // Half of either half of an edge: they may differ by a rounding.
        a[i * n + j] -= w / 2;
        a[j * n + i] -= w / 2;
        a[i * n + i] += w / 2;
        a[j * n + j] += w / 2;
        trace += w;
      }
      if (!rows.wall.empty()) {
        a[i * n + i] += rows.wall[row];
        wall += rows.wall[row];
      }
    }
    // The constant, which the operator does not see unless a value is given somewhere, gets the
    // eigenvalue `mean`; it leaves again.
    bool const sees_constant = wall > 0;
    double const mean = trace > 0 ? trace / static_cast<double>(n) : 1.0;
    if (!sees_constant) {
      for (double& value : a) value += mean / static_cast<double>(n);
    }
    n > 128 ? large(a, n) : invert_in_place(a, n);
    double const constant = sees_constant ? 0 : 1 / (mean * static_cast<double>(n));
    std::size_t const offset = blocks.values.size();
    for (std::size_t i = 0; i < n; ++i) {
      blocks.first.push_back(static_cast<std::int32_t>(begin));
      blocks.last.push_back(static_cast<std::int32_t>(begin + n));
      blocks.offset.push_back(static_cast<std::int64_t>(offset + i * n));
    }
    blocks.values.resize(offset + n * n);
    // In tiles: one half is read across the rows.
    constexpr std::size_t tile = 32;
    for (std::size_t i0 = 0; i0 < n; i0 += tile) {
      for (std::size_t j0 = 0; j0 < n; j0 += tile) {
        for (std::size_t i = i0; i < std::min(i0 + tile, n); ++i) {
          for (std::size_t j = j0; j < std::min(j0 + tile, n); ++j)
            blocks.values[offset + i * n + j] =
                static_cast<float>((a[i * n + j] + a[j * n + i]) / 2 - constant);
        }
      }
    }
  }
  return blocks;
}

}  // namespace tessera::steady

// SPDX-License-Identifier: MIT
// The inverse on the last level, a dense block for each pore space.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "base/host_device.hpp"
#include "methods/steady/links.hpp"

namespace tessera::steady {

struct DenseBlocks {
  std::vector<std::int32_t> first;   ///< of a row: the first row of its block
  std::vector<std::int32_t> last;    ///< one behind the last
  std::vector<std::int64_t> offset;  ///< where the row's values begin
  std::vector<float> values;
};
/// Rows of a level on the host.
struct HostRows {
  std::vector<std::int32_t> slice, length, to, part;
  std::vector<float> weight;  ///< of edges
  std::vector<float> wall;    ///< of rows: coupling to a value that is given; empty: none
};
/// Inverts a symmetric positive definite matrix of n rows in place.
using InvertMatrix = std::function<void(std::vector<double>& a, std::size_t n)>;
/// Inverts the matrix, a block for each pore space, on vectors of mean 0 where no value is given;
/// rows of a pore space must be consecutive. Large blocks are inverted by `large`.
DenseBlocks invert(HostRows const& rows, InvertMatrix const& large);

/// Values that the blocks would have, and how many pay off: each costs a multiplication in some ten
/// visits an iteration, and its inversion.
std::int64_t dense_values(std::vector<std::int32_t> const& part);
constexpr std::int64_t most_dense_values(std::int64_t nodes) {
  return std::clamp<std::int64_t>(nodes / 2, std::int64_t{512} * 512, std::int64_t{2560} * 2560);
}

/// Gauss, Jordan, without pivots, eight rows and columns at once: with D the block where they cross
/// and T = D^-1 times the rows, all other elements lose column times T.
inline constexpr int cross_width = 8;

/// Keeps the columns, and T; in the columns T is D^-1 itself. Every index inverts D on its own.
struct KeepCross {
  double const* a = nullptr;
  std::int64_t n = 0;
  std::int64_t k = 0;
  double* t = nullptr;
  double* column = nullptr;
  TESSERA_HOST_DEVICE void operator()(std::int64_t j) const {
    double d[cross_width][cross_width];
    double right[cross_width];
    TESSERA_UNROLL
    for (int r = 0; r < cross_width; ++r) {
      bool const there = k + r < n;
      TESSERA_UNROLL
      for (int s = 0; s < cross_width; ++s)
        d[r][s] = there && k + s < n ? a[(k + r) * n + k + s] : r == s ? 1.0 : 0.0;
      right[r] = j >= k && j < k + cross_width ? (j == k + r ? 1.0 : 0.0)
                 : there                       ? a[(k + r) * n + j]
                                               : 0.0;
      column[j * cross_width + r] = there ? a[j * n + k + r] : 0.0;
    }
    // D is symmetric and positive definite: elimination needs no pivots.
    TESSERA_UNROLL
    for (int p = 0; p < cross_width; ++p) {
      double const pivot = 1 / d[p][p];
      TESSERA_UNROLL
      for (int s = 0; s < cross_width; ++s) d[p][s] *= pivot;
      right[p] *= pivot;
      TESSERA_UNROLL
      for (int r = 0; r < cross_width; ++r) {
        if (r == p) continue;
        double const factor = d[r][p];
        TESSERA_UNROLL
        for (int s = 0; s < cross_width; ++s) d[r][s] -= factor * d[p][s];
        right[r] -= factor * right[p];
      }
    }
    TESSERA_UNROLL
    for (int r = 0; r < cross_width; ++r) t[r * n + j] = right[r];
  }
};
struct Eliminate {
  double* a = nullptr;
  double const* t = nullptr;
  double const* column = nullptr;
  std::int64_t n = 0;
  std::int64_t k = 0;
  TESSERA_HOST_DEVICE void element(std::int64_t i, std::int64_t j) const {
    double& own = a[i * n + j];
    if (i >= k && i < k + cross_width) {
      own = t[(i - k) * n + j];
      return;
    }
    double value = j >= k && j < k + cross_width ? 0.0 : own;
    TESSERA_UNROLL
    for (int r = 0; r < cross_width; ++r) value -= column[i * cross_width + r] * t[r * n + j];
    own = value;
  }
};
struct EliminateElement {
  static constexpr bool by_one_gpu = true;
  Eliminate all;
  TESSERA_HOST_DEVICE void operator()(std::int64_t at) const {
    auto const n = static_cast<std::uint32_t>(all.n);
    all.element(static_cast<std::uint32_t>(at) / n, static_cast<std::uint32_t>(at) % n);
  }
};
struct EliminateRow {
  Eliminate all;
  TESSERA_HOST_DEVICE void operator()(std::int64_t i) const {
    for (std::int64_t j = 0; j < all.n; ++j) all.element(i, j);
  }
};

template <class Machine>
void invert_on(Machine& machine, std::vector<double>& host, std::size_t size) {
  auto a = machine.template array<double>(host.size(), size);
  auto t = machine.template array<double>(cross_width * size, size);
  auto column = machine.template array<double>(cross_width * size, size);
  machine.upload(a.get(), host.data(), host.size());
  auto const n = static_cast<std::int64_t>(size);
  for (std::int64_t k = 0; k < n; k += cross_width) {
    machine.for_each(n, KeepCross{a.get(), n, k, t.get(), column.get()});
    Eliminate const step{a.get(), t.get(), column.get(), n, k};
    if constexpr (Machine::is_gpu) {
      machine.for_each(n * n, EliminateElement{step});
    } else {
      machine.for_each_long(n, EliminateRow{step});
    }
  }
  machine.download(host.data(), a.get(), host.size());
}

}  // namespace tessera::steady

// SPDX-License-Identifier: MIT
// What passes run over: nodes, rows, chunks. Several processes (base/ranks/) share them, a range
// each, in their order: arrays are as long on each process, but only the own range, and what the
// own passes read besides, has values.
#pragma once

#include <cstdint>
#include <span>

namespace tessera::steady {

/// Indices 0 ... count - 1, of which this process has the range from `begin` up to `end`.
struct Indices {
  std::int64_t count = 0;
  std::int64_t begin = 0;
  std::int64_t end = 0;
  bool shared = false;  ///< if not, each process does all
  /// Where the ranges of the processes begin, and the end.
  std::span<std::int64_t const> bounds;

  Indices() = default;
  /// Indices that are not shared: each process does all.
  Indices(std::int64_t all) : count(all), end(all) {}  // NOLINT: a count says as much
  Indices(std::span<std::int64_t const> of_ranks, int rank)
      : count(of_ranks.back()),
        begin(of_ranks[static_cast<std::size_t>(rank)]),
        end(of_ranks[static_cast<std::size_t>(rank) + 1]),
        shared(true),
        bounds(of_ranks) {}

  std::int64_t own() const { return end - begin; }
  bool has(std::int64_t i) const { return i >= begin && i < end; }
  /// Indices of an array with so many values for each index; without bounds.
  Indices times(std::int64_t values) const {
    Indices all(count * values);
    all.begin = begin * values;
    all.end = end * values;
    all.shared = shared;
    return all;
  }
};

}  // namespace tessera::steady

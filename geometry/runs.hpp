// SPDX-License-Identifier: MIT
// Rows of pore voxels as runs along x, and which runs of two rows touch.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "geometry/links.hpp"
#include "geometry/winding_forest.hpp"

namespace tessera {

/// Pore voxels of an x-row without a solid one between.
struct Run {
  std::int32_t begin;  ///< x of the first
  std::int32_t end;    ///< x behind the last
};

/// A row beside a row; half of the neighbouring rows are listed, as each pair needs to be visited
/// once.
struct RowBeside {
  std::int64_t dy;
  std::int64_t dz;
  int reach;  ///< how far sideways, in voxels, its voxels touch
};

inline std::vector<RowBeside> rows_beside(Links links) {
  switch (links) {
    case Links::faces:
      break;
    case Links::faces_and_edges:
      return {{1, 0, 1}, {0, 1, 1}, {1, 1, 0}, {-1, 1, 0}};
    case Links::all:
      return {{1, 0, 1}, {0, 1, 1}, {1, 1, 1}, {-1, 1, 1}};
  }
  return {{1, 0, 0}, {0, 1, 0}};
}

/// A position beside the last one or the first one of an axis, and the turns around the box to it;
/// nothing if it lies outside.
inline std::optional<std::pair<std::int64_t, std::int32_t>> wrapped(std::int64_t at,
                                                                    std::int64_t extent,
                                                                    bool wraps) {
  if (at >= 0 && at < extent) return std::pair(at, 0);
  if (!wraps) return std::nullopt;
  return at < 0 ? std::pair(at + extent, -1) : std::pair(at - extent, 1);
}

/// Length of a row along x.
struct RowLength {
  std::int64_t voxels;
  bool wraps;
};

/// Calls touch(i, j, winding) for runs a[i] and b[j] that touch; the row of b lies `step` turns
/// further, b[j] `winding`.
template <class Touch>
void for_each_touch(std::span<Run const> a, std::span<Run const> b, RowLength length, int reach,
                    Winding step, Touch&& touch) {
  if (a.empty() || b.empty()) return;
  if (length.wraps && reach == 1) {
    Winding const right{step[0] + 1, step[1], step[2]};
    Winding const left{step[0] - 1, step[1], step[2]};
    if (a.back().end == length.voxels && b.front().begin == 0)
      touch(a.size() - 1, std::size_t{0}, right);
    if (b.back().end == length.voxels && a.front().begin == 0)
      touch(std::size_t{0}, b.size() - 1, left);
  }
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    if (a[i].begin < b[j].end + reach && b[j].begin < a[i].end + reach) touch(i, j, step);
    (a[i].end < b[j].end ? i : j)++;
  }
}

}  // namespace tessera

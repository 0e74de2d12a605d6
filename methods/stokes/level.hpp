// SPDX-License-Identifier: MIT
// The coarse levels of the multigrid: graphs whose nodes are aggregates, with two weights an edge.
//
// Pressure: -div c grad, an edge weighs 3 w_q (c_i + c_j) / 2 summed over its links. Velocity:
// minus the Laplacian of one component, 3 w_q, with 2 * 3 w_q on the diagonal for each link to a
// wall half-way. Aggregates of a level are the connected parts of boxes of 2^level voxels: two
// pores in one box do not touch. Notay, Electron. Trans. Numer. Anal. 37 (2010) 123, for the
// method.
#pragma once

#include <cstdint>
#include <vector>

#include "methods/stokes/node_set.hpp"
#include "methods/stokes/receive_lists.hpp"

namespace tessera::stokes {

/// Rows of a level: entry k of row i is at index(i, k), so that the threads of a GPU, one a row,
/// read adjacent memory.
struct Rows {
  std::int32_t const* slice =
      nullptr;  ///< of 32 rows: entries a row, summed over the slices before
  std::int32_t const* length = nullptr;  ///< of a row
  std::int32_t const* to = nullptr;
  Two<float> const* weight = nullptr;
  Two<float> const* diagonal = nullptr;

  TESSERA_HOST_DEVICE std::int64_t index(std::int64_t row, int k) const {
    return (std::int64_t{slice[row >> 5]} + k) * 32 + (row & 31);
  }
};

/// One level on a machine. `parent` and children connect it with the next. During set-up each
/// process has the rows whose first child it has; then all processes have a small level.
template <class Machine>
struct Level {
  template <class T>
  using Array = typename Machine::template Array<T>;
  using Halo = typename Machine::Halo;
  Indices size;                      ///< rows
  Indices made;                      ///< own: rows that were made on this process
  std::vector<std::int64_t> bounds;  ///< of processes
  Halo near;                         ///< rows that the own rows read
  Halo children, parents;            ///< of the next level's own rows; of the own ones
  std::int64_t entries = 0;
  Array<std::int32_t> slice, length, to;
  Array<Two<float>> weight, diagonal;
  Array<float> wall;  ///< velocity's coupling to walls
  Array<std::int32_t> place, part;
  Array<std::int32_t> parent, child_at, child;

  Rows rows() const { return {slice.get(), length.get(), to.get(), weight.get(), diagonal.get()}; }
};

/// Writes a row: weights in single precision, and the diagonal as the sum of the rounded weights.
struct RowWriter {
  Rows rows;
  std::int32_t* to = nullptr;
  Two<float>* weight = nullptr;
  Two<float>* diagonal = nullptr;
  float* wall = nullptr;
  TESSERA_HOST_DEVICE void write(std::int64_t a, int length, std::int32_t const* own_to,
                                 double const* pressure, double const* velocity,
                                 double own_wall) const {
    auto const rounded_wall = static_cast<float>(own_wall);
    double s = 0;
    double v = rounded_wall;
    for (int k = 0; k < length; ++k) {
      Two<float> const w{static_cast<float>(pressure[k]), static_cast<float>(velocity[k])};
      std::int64_t const at = rows.index(a, k);
      to[at] = own_to[k];
      weight[at] = w;
      s += w.s;
      v += w.v;
    }
    wall[a] = rounded_wall;
    diagonal[a] = {s > 0 ? static_cast<float>(s) : 1.0F, v > 0 ? static_cast<float>(v) : 1.0F};
  }
};

/// Longest row of a slice.
struct SliceWidths {
  std::int32_t const* length = nullptr;
  std::int64_t size = 0;
  std::int32_t* width = nullptr;
  TESSERA_HOST_DEVICE void operator()(std::int64_t slice) const {
    std::int32_t longest = 0;
    for (std::int64_t i = 32 * slice; i < 32 * slice + 32 && i < size; ++i)
      longest = length[i] > longest ? length[i] : longest;
    width[slice] = longest;
  }
};

/// Allocates the entries of a level whose row lengths are known; returns what writes them.
template <class Machine>
RowWriter make_rows(Machine& machine, Level<Machine>& level) {
  auto const size = static_cast<std::size_t>(level.size.count);
  std::int64_t const slices = (level.size.count + 31) / 32;
  machine.all_gather(level.length.get(), level.size);
  level.slice = machine.template array<std::int32_t>(static_cast<std::size_t>(slices) + 1);
  machine.for_each(slices, SliceWidths{level.length.get(), level.size.count, level.slice.get()});
  level.entries = 32 * machine.scan(level.slice.get(), slices);
  auto const entries = static_cast<std::size_t>(level.entries);
  level.to = machine.template array<std::int32_t>(entries, size);
  level.weight = machine.template array<Two<float>>(entries, size);
  level.diagonal = machine.template array<Two<float>>(size);
  level.wall = machine.template array<float>(size);
  return {level.rows(), level.to.get(), level.weight.get(), level.diagonal.get(), level.wall.get()};
}

/// Receive list of a pass over rows: the rows that row i reads.
struct WishEntries {
  Rows rows;
  template <class Want>
  TESSERA_HOST_DEVICE void operator()(std::int64_t i, Want const& want) const {
    for (int k = 0; k < rows.length[i]; ++k) {
      std::int32_t const j = rows.to[rows.index(i, k)];
      want(j, j);
    }
  }
};
/// Receive list of a pass over rows: the entries of row i itself.
struct WishRow {
  Rows rows;
  template <class Want>
  TESSERA_HOST_DEVICE void operator()(std::int64_t i, Want const& want) const {
    for (int k = 0; k < rows.length[i]; ++k) want(i, rows.index(i, k));
  }
};

/// Finds the rows of other processes that the own rows read.
template <class Machine>
void find_near(Machine& machine, Level<Machine>& level) {
  level.near = find_halo(machine, level.size, level.size, WishEntries{level.rows()});
}

/// Fetches entries of rows of other processes: those for which pass(i, want) calls want(), over
/// `indices`.
template <class Machine, class Pass>
void fetch_rows(Machine& machine, Level<Machine>& level, Indices const& indices, Pass const& pass) {
  auto const entries = find_halo(machine, level.size, indices, pass);
  machine.refresh(entries, level.weight.get(), entries, level.to.get());
}

/// All-gather of a level that is small, or the last one: every process computes it.
template <class Machine>
void give_to_all(Machine& machine, Level<Machine>& level) {
  if (!level.size.shared) return;
  fetch_rows(machine, level, level.size.count, WishRow{level.rows()});
  machine.all_gather(level.diagonal.get(), level.size);
  machine.all_gather(level.wall.get(), level.size);
  level.near = {};
  level.size = level.size.count;
}

}  // namespace tessera::stokes

// SPDX-License-Identifier: MIT
// The coarse levels of the multigrid: graphs whose nodes are aggregates.
//
// An edge weighs what its links weigh together, in each of the equation's matrices. Aggregates of a
// level are the connected parts of boxes of 2^level voxels: two pores in one box do not touch.
// Notay, Electron. Trans. Numer. Anal. 37 (2010) 123, for the method.
//
// What an equation has at a node and at an edge is the template parameter `Equation`, of which
// methods/stokes/equation.hpp is an example:
//   links           of D3Q19, from the first on, that join nodes
//   Value<T>        the unknowns of a node that pass through the multigrid
//   Weights         of an edge, and of a row's diagonal, in single precision; Total: in double
//   and how a row's residual, its smoothing and the inverse of the last level are made of them.
#pragma once

#include <cstdint>
#include <vector>

#include "methods/steady/node_set.hpp"
#include "methods/steady/receive_lists.hpp"

namespace tessera::steady {

/// Rows become one row in boxes of 2^number voxels.
struct BoxLevel {
  int number = 0;
  bool is_last = false;  ///< the level before had one box already: what is connected has to unite
};
/// Whether what couples two rows is no throat beside their diagonals. In boxes of more than 32
/// voxels any coupling will do: the cycle visits each level twice as often as the one below it, so
/// levels that hardly shrink cost more than all others.
TESSERA_HOST_DEVICE bool is_no_throat(float coupling, float own, float other, BoxLevel level) {
  constexpr float weakest = 1e-3F;
  return level.number > 5 || coupling * coupling >= weakest * own * other;
}

/// Rows of a level: entry k of row i is at index(i, k), so that the threads of a GPU, one a row,
/// read adjacent memory.
template <class Equation>
struct Rows {
  using Weights = typename Equation::Weights;
  std::int32_t const* slice =
      nullptr;  ///< of 32 rows: entries a row, summed over the slices before
  std::int32_t const* length = nullptr;  ///< of a row
  std::int32_t const* to = nullptr;
  Weights const* weight = nullptr;
  Weights const* diagonal = nullptr;
  float const* wall = nullptr;  ///< the part of the diagonal that couples with no other row

  TESSERA_HOST_DEVICE std::int64_t index(std::int64_t row, int k) const {
    return (std::int64_t{slice[row >> 5]} + k) * 32 + (row & 31);
  }
};

/// One level on a machine. `parent` and children connect it with the next. During set-up each
/// process has the rows whose first child it has; then all processes have a small level.
template <class Machine, class Equation>
struct Level {
  using Weights = typename Equation::Weights;
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
  Array<Weights> weight, diagonal;
  Array<float> wall;  ///< coupling to walls
  Array<std::int32_t> place, part;
  Array<std::int32_t> parent, child_at, child;

  Rows<Equation> rows() const {
    return {slice.get(), length.get(), to.get(), weight.get(), diagonal.get(), wall.get()};
  }
};

/// Writes a row: weights in single precision, and the diagonal as the sum of the rounded weights.
template <class Equation>
struct RowWriter {
  using Weights = typename Equation::Weights;
  using Total = typename Equation::Total;
  Rows<Equation> rows;
  std::int32_t* to = nullptr;
  Weights* weight = nullptr;
  Weights* diagonal = nullptr;
  float* wall = nullptr;
  TESSERA_HOST_DEVICE void write(std::int64_t a, int length, std::int32_t const* own_to,
                                 Total const* totals, double own_wall) const {
    auto const rounded_wall = static_cast<float>(own_wall);
    Total sum = Equation::wall_total(rounded_wall);
    for (int k = 0; k < length; ++k) {
      Weights const w = Equation::rounded(totals[k]);
      std::int64_t const at = rows.index(a, k);
      to[at] = own_to[k];
      weight[at] = w;
      sum += Equation::total_of(w);
    }
    wall[a] = rounded_wall;
    diagonal[a] = Equation::diagonal(sum);
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
template <class Machine, class Equation>
RowWriter<Equation> make_rows(Machine& machine, Level<Machine, Equation>& level) {
  using Weights = typename Equation::Weights;
  auto const size = static_cast<std::size_t>(level.size.count);
  std::int64_t const slices = (level.size.count + 31) / 32;
  machine.all_gather(level.length.get(), level.size);
  level.slice = machine.template array<std::int32_t>(static_cast<std::size_t>(slices) + 1);
  machine.for_each(slices, SliceWidths{level.length.get(), level.size.count, level.slice.get()});
  level.entries = 32 * machine.scan(level.slice.get(), slices);
  auto const entries = static_cast<std::size_t>(level.entries);
  level.to = machine.template array<std::int32_t>(entries, size);
  level.weight = machine.template array<Weights>(entries, size);
  level.diagonal = machine.template array<Weights>(size);
  level.wall = machine.template array<float>(size);
  return {level.rows(), level.to.get(), level.weight.get(), level.diagonal.get(), level.wall.get()};
}

/// Receive list of a pass over rows: the rows that row i reads.
template <class Equation>
struct WishEntries {
  Rows<Equation> rows;
  template <class Want>
  TESSERA_HOST_DEVICE void operator()(std::int64_t i, Want const& want) const {
    for (int k = 0; k < rows.length[i]; ++k) {
      std::int32_t const j = rows.to[rows.index(i, k)];
      want(j, j);
    }
  }
};
/// Receive list of a pass over rows: the entries of row i itself.
template <class Equation>
struct WishRow {
  Rows<Equation> rows;
  template <class Want>
  TESSERA_HOST_DEVICE void operator()(std::int64_t i, Want const& want) const {
    for (int k = 0; k < rows.length[i]; ++k) want(i, rows.index(i, k));
  }
};

/// Finds the rows of other processes that the own rows read.
template <class Machine, class Equation>
void find_near(Machine& machine, Level<Machine, Equation>& level) {
  level.near = find_halo(machine, level.size, level.size, WishEntries<Equation>{level.rows()});
}

/// Fetches entries of rows of other processes: those for which pass(i, want) calls want(), over
/// `indices`.
template <class Machine, class Equation, class Pass>
void fetch_rows(Machine& machine, Level<Machine, Equation>& level, Indices const& indices,
                Pass const& pass) {
  auto const entries = find_halo(machine, level.size, indices, pass);
  machine.refresh(entries, level.weight.get(), entries, level.to.get());
}

/// All-gather of a level that is small, or the last one: every process computes it.
template <class Machine, class Equation>
void give_to_all(Machine& machine, Level<Machine, Equation>& level) {
  if (!level.size.shared) return;
  fetch_rows(machine, level, level.size.count, WishRow<Equation>{level.rows()});
  machine.all_gather(level.diagonal.get(), level.size);
  machine.all_gather(level.wall.get(), level.size);
  level.near = {};
  level.size = level.size.count;
}

}  // namespace tessera::steady

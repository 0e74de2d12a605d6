// SPDX-License-Identifier: MIT
// The coarse levels of the multigrid: graphs whose nodes are aggregates, with two weights an edge.
//
// Pressure: -div c grad, an edge weighs 3 w_q (c_i + c_j) / 2 summed over its links. Velocity:
// minus the Laplacian of one component, 3 w_q, with 2 * 3 w_q on the diagonal for each link to a
// wall half-way. Aggregates of a level are the connected parts of boxes of 2^level voxels: two
// pores in one box do not touch. Notay, Electron. Trans. Numer. Anal. 37 (2010) 123, for the
// method.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "steady/node_set.hpp"

namespace tessera::stokes {

/// Rows of a level: entry k of row i is at index(i, k), so that the threads of a GPU, one a row,
/// read beside each other.
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

/// One level on a machine. `parent` and children say how it hangs together with the next. While it
/// is set up processes have the rows whose first child they have; a small one all have then.
template <class Machine>
struct Level {
  template <class T>
  using Array = typename Machine::template Array<T>;
  using Halo = typename Machine::Halo;
  Indices size;                      ///< rows
  Indices made;                      ///< own: those that were made here
  std::vector<std::int64_t> bounds;  ///< of processes
  Halo near;                         ///< rows beside the own ones
  Halo children, parents;            ///< of the next level's own rows; of the own ones
  std::int64_t entries = 0;
  Array<std::int32_t> slice, length, to;
  Array<Two<float>> weight, diagonal;
  Array<float> wall;  ///< velocity's coupling to walls
  Array<std::int32_t> place, part;
  Array<std::int32_t> parent, child_at, child;

  Rows rows() const { return {slice.get(), length.get(), to.get(), weight.get(), diagonal.get()}; }
};

/// Aggregates beside one: each has a voxel of its own among the 4^3 - 2^3 around a box of 2^3.
inline constexpr int most_neighbours = 56;

/// The row of an aggregate of the first level; visit(entries, to, pressure, velocity).
struct FirstRow {
  Links links;
  std::int32_t const* parent = nullptr;
  float const* mobility = nullptr;
  std::int32_t const* first_slot = nullptr;
  std::uint8_t const* part_of = nullptr;

  /// Fills at most 56 entries and returns how many; adds up the coupling to walls.
  TESSERA_HOST_DEVICE int collect(std::int64_t a, std::int32_t* to, double* pressure,
                                  double* velocity, double& wall) const {
    int length = 0;
    std::int64_t const begin = first_slot[a];
    std::int64_t const end = begin + count_bits(part_of[a]);
    for (std::int64_t i = begin; i < end; ++i) {
      for (int q = 1; q < D3Q19::size; ++q) {
        double const w = laplace_weight((q - 1) / 2);
        std::int32_t const j = links(q, i);
        if (j < 0) {
          wall += 2 * w;
          continue;
        }
        std::int32_t const other = parent[j];
        if (other == a) continue;
        int k = 0;
        while (k < length && to[k] != other) ++k;
        if (k == length) {
          to[length++] = other;
          pressure[k] = velocity[k] = 0;
        }
        pressure[k] += w * 0.5 * (double{mobility[i]} + double{mobility[j]});
        velocity[k] += w;
      }
    }
    return length;
  }
};

struct CountFirstRow {
  FirstRow row;
  std::int32_t* length = nullptr;
  TESSERA_HOST_DEVICE void operator()(std::int64_t a) const {
    std::int32_t to[most_neighbours];
    double pressure[most_neighbours];
    double velocity[most_neighbours];
    double wall = 0;
    length[a] = row.collect(a, to, pressure, velocity, wall);
  }
};

/// What is written of a row: weights in single precision, diagonals of the weights as they are
/// then.
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

struct WriteFirstRow {
  FirstRow row;
  RowWriter writer;
  TESSERA_HOST_DEVICE void operator()(std::int64_t a) const {
    std::int32_t to[most_neighbours];
    double pressure[most_neighbours];
    double velocity[most_neighbours];
    double wall = 0;
    int const length = row.collect(a, to, pressure, velocity, wall);
    writer.write(a, length, to, pressure, velocity, wall);
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

/// Unites neighbours in the same box of 2^level voxels.
struct UniteInBoxes {
  static constexpr bool by_one_gpu = true;
  Rows rows;
  Grid grid{};
  std::int32_t const* place = nullptr;
  int level = 0;
  std::int64_t first = 0;  ///< those before are of other processes
  std::int32_t* parent = nullptr;

  /// Calls visit(j) for those before row i that it hangs together with.
  template <class Visit>
  TESSERA_HOST_DEVICE void for_each_before(std::int64_t i, Visit const& visit) const {
    std::int64_t const box = grid.box(place[i], level);
    for (int k = 0; k < rows.length[i]; ++k) {
      std::int32_t const j = rows.to[rows.index(i, k)];
      if (j < i && grid.box(place[j], level) == box) visit(j);
    }
  }
  TESSERA_HOST_DEVICE void operator()(std::int64_t i) const {
    for_each_before(i, [this, i](std::int32_t j) {
      if (j >= first) unite(parent, static_cast<std::int32_t>(i), j);
    });
  }
};

/// What has been united by each process becomes one, with what hangs together across them.
template <class Machine>
void unite_over_processes(Machine& machine, Indices const& rows, UniteInBoxes const& inside) {
  if constexpr (!Machine::is_gpu) {
    if (!rows.shared) return;
    struct Pair {
      std::int32_t i, j;
    };
    std::vector<Pair> across;
    for (std::int64_t i = rows.begin; i < rows.end; ++i) {
      inside.for_each_before(i, [&](std::int32_t j) {
        if (j < inside.first) across.push_back({static_cast<std::int32_t>(i), j});
      });
    }
    machine.share(inside.parent, rows);
    for (Pair const& pair : machine.of_all(across)) unite(inside.parent, pair.i, pair.j);
  }
}

struct CountChildren {
  static constexpr bool by_one_gpu = true;
  std::int32_t const* parent = nullptr;
  std::int32_t const* length = nullptr;
  std::int32_t* children = nullptr;
  std::int32_t* entries = nullptr;
  TESSERA_HOST_DEVICE void operator()(std::int64_t i) const {
    fetch_add(children + parent[i], 1);
    fetch_add(entries + parent[i], length[i]);
  }
};
struct PutChildren {
  static constexpr bool by_one_gpu = true;
  std::int32_t const* parent = nullptr;
  std::int32_t const* child_at = nullptr;
  std::int32_t* put = nullptr;
  std::int32_t* child = nullptr;
  TESSERA_HOST_DEVICE void operator()(std::int64_t i) const {
    child[child_at[parent[i]] + fetch_add(put + parent[i], 1)] = static_cast<std::int32_t>(i);
  }
};
/// Children in ascending order, whichever came first.
struct SortChildren {
  std::int32_t const* child_at = nullptr;
  std::int32_t* child = nullptr;
  TESSERA_HOST_DEVICE void operator()(std::int64_t a) const {
    for (std::int32_t k = child_at[a] + 1; k < child_at[a + 1]; ++k) {
      std::int32_t const own = child[k];
      std::int32_t m = k;
      for (; m > child_at[a] && child[m - 1] > own; --m) child[m] = child[m - 1];
      child[m] = own;
    }
  }
};
struct InheritPlace {
  std::int32_t const* child_at = nullptr;
  std::int32_t const* child = nullptr;
  std::int32_t const* place_from = nullptr;
  std::int32_t const* part_from = nullptr;
  std::int32_t* place = nullptr;
  std::int32_t* part = nullptr;
  TESSERA_HOST_DEVICE void operator()(std::int64_t a) const {
    place[a] = place_from[child[child_at[a]]];
    part[a] = part_from[child[child_at[a]]];
  }
};
struct FirstPart {
  std::int32_t const* first_slot = nullptr;
  std::int32_t const* chunk_part = nullptr;
  std::int32_t* part = nullptr;
  TESSERA_HOST_DEVICE void operator()(std::int64_t a) const {
    part[a] = chunk_part[first_slot[a] / chunk_size];
  }
};

/// Adds up the rows of the children in scratch memory, which is long enough for all their entries.
struct MergeRows {
  Rows fine;
  float const* fine_wall = nullptr;
  std::int32_t const* parent = nullptr;
  std::int32_t const* child_at = nullptr;
  std::int32_t const* child = nullptr;
  std::int32_t const* scratch_at = nullptr;
  std::int32_t* to = nullptr;
  double* pressure = nullptr;
  double* velocity = nullptr;
  double* wall = nullptr;
  std::int32_t* length = nullptr;
  TESSERA_HOST_DEVICE void operator()(std::int64_t a) const {
    std::int64_t const at = scratch_at[a];
    int count = 0;
    double sum = 0;
    for (std::int32_t c = child_at[a]; c < child_at[a + 1]; ++c) {
      std::int32_t const i = child[c];
      sum += fine_wall[i];
      for (int e = 0; e < fine.length[i]; ++e) {
        std::int64_t const index = fine.index(i, e);
        std::int32_t const other = parent[fine.to[index]];
        if (other == a) continue;
        int k = 0;
        while (k < count && to[at + k] != other) ++k;
        if (k == count) {
          to[at + count++] = other;
          pressure[at + k] = velocity[at + k] = 0;
        }
        pressure[at + k] += fine.weight[index].s;
        velocity[at + k] += fine.weight[index].v;
      }
    }
    wall[a] = sum;
    length[a] = count;
  }
};
struct WriteMerged {
  std::int32_t const* scratch_at = nullptr;
  std::int32_t const* to = nullptr;
  double const* pressure = nullptr;
  double const* velocity = nullptr;
  double const* wall = nullptr;
  std::int32_t const* length = nullptr;
  RowWriter writer;
  TESSERA_HOST_DEVICE void operator()(std::int64_t a) const {
    std::int64_t const at = scratch_at[a];
    writer.write(a, length[a], to + at, pressure + at, velocity + at, wall[a]);
  }
};

/// Room for the entries of a level whose row lengths are known; returns who writes them.
template <class Machine>
RowWriter make_rows(Machine& machine, Level<Machine>& level) {
  auto const size = static_cast<std::size_t>(level.size.count);
  std::int64_t const slices = (level.size.count + 31) / 32;
  machine.share(level.length.get(), level.size);
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

/// What the own rows read of others.
template <class Machine>
void find_near(Machine& machine, Level<Machine>& level) {
  Rows const rows = level.rows();
  level.near = machine.halo(level.size, [&](auto const& want) {
    for (std::int64_t i = level.size.begin; i < level.size.end; ++i) {
      for (int k = 0; k < rows.length[i]; ++k) {
        std::int32_t const j = rows.to[rows.index(i, k)];
        want(j, j);
      }
    }
  });
}

/// The entries of rows of other processes: for_each_row(visit) visits these rows.
template <class Machine, class ForEachRow>
void fetch_rows(Machine& machine, Level<Machine>& level, ForEachRow const& for_each_row) {
  Rows const rows = level.rows();
  auto const entries = machine.halo(level.size, [&](auto const& want) {
    for_each_row([&](std::int64_t i) {
      for (int k = 0; !level.size.has(i) && k < rows.length[i]; ++k) want(i, rows.index(i, k));
    });
  });
  machine.refresh(entries, level.to.get(), entries, level.weight.get());
}

/// A level that is small, or the last one, is computed by all alike.
template <class Machine>
void give_to_all(Machine& machine, Level<Machine>& level) {
  if (!level.size.shared) return;
  fetch_rows(machine, level, [&level](auto const& visit) {
    for (std::int64_t i = 0; i < level.size.count; ++i) visit(i);
  });
  machine.share(level.diagonal.get(), level.size);
  machine.share(level.wall.get(), level.size);
  level.near = {};
  level.size = level.size.count;
}

template <class Machine>
Level<Machine> first_level(Machine& machine, NodeSet<Machine> const& set, float const* mobility) {
  Level<Machine> level;
  level.bounds = set.aggregate_bounds;
  level.size = level.made = machine.own(set.aggregates.count, level.bounds);
  auto const size = static_cast<std::size_t>(level.size.count);
  level.length = machine.template array<std::int32_t>(size);
  FirstRow const row{set.links(), set.parent.get(), mobility, set.first_slot.get(),
                     set.part_of.get()};
  machine.for_each(level.size, CountFirstRow{row, level.length.get()});
  RowWriter const writer = make_rows(machine, level);
  machine.for_each(level.size, WriteFirstRow{row, writer});
  level.place = machine.template array<std::int32_t>(size);
  machine.copy(level.place.get(), set.place_of.get(), size);
  level.part = machine.template array<std::int32_t>(size);
  machine.for_each(level.size.count,
                   FirstPart{set.first_slot.get(), set.chunk_part.get(), level.part.get()});
  find_near(machine, level);
  return level;
}

/// How the rows of `fine` hang together with those of the level above: all processes know of all.
template <class Machine>
void find_children(Machine& machine, Grid const& grid, Level<Machine>& fine, Level<Machine>& level,
                   int number) {
  auto const ints = [&machine](std::size_t count, std::size_t rows) {
    return machine.template array<std::int32_t>(count, rows);
  };
  std::int64_t const rows = fine.size.count;
  auto const fine_size = static_cast<std::size_t>(rows);
  auto root = ints(fine_size, fine_size);
  auto count = ints(fine_size + 1, fine_size);
  machine.for_each(rows, EachAlone{root.get()});
  UniteInBoxes const inside{fine.rows(),     grid,      fine.place.get(), number,
                            fine.size.begin, root.get()};
  machine.for_each(fine.size, inside);
  unite_over_processes(machine, fine.size, inside);
  machine.for_each(rows, CountRoots{root.get(), count.get()});
  std::int64_t const size = machine.scan(count.get(), rows);
  fine.parent = ints(fine_size, fine_size);
  machine.for_each(rows, NumberSets{root.get(), count.get(), fine.parent.get()});
  if (fine.size.shared) {
    for (std::int64_t const first : fine.bounds) level.bounds.push_back(count.get()[first]);
  }
  level.size = level.made = machine.own(size, level.bounds);
}

/// What goes up and down between them across processes.
template <class Machine>
void find_relatives(Machine& machine, Level<Machine>& fine, Level<Machine> const& level) {
  fine.children = machine.halo(fine.size, [&](auto const& want) {
    std::int32_t const* const at = fine.child_at.get();
    for (std::int32_t c = at[level.made.begin]; c < at[level.made.end]; ++c)
      want(fine.child.get()[c], fine.child.get()[c]);
  });
  fine.parents = machine.halo(level.made, [&](auto const& want) {
    for (std::int64_t i = fine.size.begin; i < fine.size.end; ++i)
      want(fine.parent.get()[i], fine.parent.get()[i]);
  });
}

/// What all processes know of how they hang together is not needed again but for the own rows.
template <class Machine>
void let_go_of_others(Level<Machine> const& fine, Level<Machine> const& level) {
  fine.place.keep({});
  fine.part.keep({});
  fine.length.keep(fine.size);
  fine.parent.keep(fine.size);
  Indices one_more = level.made;
  ++one_more.end;
  if constexpr (!Machine::is_gpu) {
    Indices children;
    children.begin = fine.child_at.get()[level.made.begin];
    children.end = fine.child_at.get()[level.made.end];
    fine.child.keep(children);
  }
  fine.child_at.keep(one_more);
}

/// The level above `fine`, whose nodes lie in boxes of 2^number voxels.
template <class Machine>
Level<Machine> next_level(Machine& machine, Grid const& grid, Level<Machine>& fine, int number) {
  auto const ints = [&machine](std::size_t count, std::size_t rows) {
    return machine.template array<std::int32_t>(count, rows);
  };
  Level<Machine> level;
  find_children(machine, grid, fine, level, number);
  std::int64_t const fine_rows = fine.size.count;
  std::int64_t const rows = level.size.count;
  auto const fine_size = static_cast<std::size_t>(fine_rows);
  auto const size = static_cast<std::size_t>(rows);
  fine.child_at = ints(size + 1, size);
  fine.child = ints(fine_size, fine_size);
  auto scratch_at = ints(size + 1, size);
  auto put = ints(size, size);
  machine.for_each(fine_rows, CountChildren{fine.parent.get(), fine.length.get(),
                                            fine.child_at.get(), scratch_at.get()});
  machine.scan(fine.child_at.get(), rows);
  auto const scratch = static_cast<std::size_t>(machine.scan(scratch_at.get(), rows));
  machine.for_each(
      fine_rows, PutChildren{fine.parent.get(), fine.child_at.get(), put.get(), fine.child.get()});
  machine.for_each(rows, SortChildren{fine.child_at.get(), fine.child.get()});
  level.place = ints(size, size);
  level.part = ints(size, size);
  machine.for_each(rows, InheritPlace{fine.child_at.get(), fine.child.get(), fine.place.get(),
                                      fine.part.get(), level.place.get(), level.part.get()});
  find_relatives(machine, fine, level);
  fetch_rows(machine, fine, [&](auto const& visit) {
    std::int32_t const* const at = fine.child_at.get();
    for (std::int32_t c = at[level.made.begin]; c < at[level.made.end]; ++c)
      visit(fine.child.get()[c]);
  });
  machine.refresh(fine.children, fine.wall.get());
  auto to = ints(scratch, size);
  auto pressure = machine.template array<double>(scratch, size);
  auto velocity = machine.template array<double>(scratch, size);
  auto wall = machine.template array<double>(size);
  level.length = ints(size, size);
  machine.for_each(level.size,
                   MergeRows{fine.rows(), fine.wall.get(), fine.parent.get(), fine.child_at.get(),
                             fine.child.get(), scratch_at.get(), to.get(), pressure.get(),
                             velocity.get(), wall.get(), level.length.get()});
  RowWriter const writer = make_rows(machine, level);
  machine.for_each(level.size, WriteMerged{scratch_at.get(), to.get(), pressure.get(),
                                           velocity.get(), wall.get(), level.length.get(), writer});
  find_near(machine, level);
  let_go_of_others(fine, level);
  return level;
}

/// The pressure's inverse on the last level, a dense block for each pore space.
struct DenseBlocks {
  std::vector<std::int32_t> first;   ///< of a row: the first row of its block
  std::vector<std::int32_t> last;    ///< one behind the last
  std::vector<std::int64_t> offset;  ///< where the row's values begin
  std::vector<float> values;
};
/// Rows of a level on the host.
struct HostRows {
  std::vector<std::int32_t> slice, length, to, part;
  std::vector<Two<float>> weight;
};
/// Inverts a symmetric positive definite matrix of n rows in place.
using InvertMatrix = std::function<void(std::vector<double>& a, std::size_t n)>;
/// A block is the inverse on what has the mean 0; rows of a pore space stand beside each other.
/// Large blocks are inverted by `large`.
DenseBlocks invert(HostRows const& rows, InvertMatrix const& large);

/// Values that the blocks would have, and how many are worth their while: they cost a
/// multiplication each in some ten visits an iteration, and the inversion.
std::int64_t dense_values(std::vector<std::int32_t> const& part);
constexpr std::int64_t most_dense_values(std::int64_t nodes) {
  return std::clamp<std::int64_t>(nodes / 2, std::int64_t{512} * 512, std::int64_t{2560} * 2560);
}

/// Gauss, Jordan, without pivots, eight rows and columns at once: with D the block where they cross
/// and T = D^-1 times the rows, all other elements lose column times T.
inline constexpr int cross_width = 8;

/// Keeps the columns, and T; in the columns T is D^-1 itself. Every index inverts D by itself.
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

}  // namespace tessera::stokes

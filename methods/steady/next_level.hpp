// SPDX-License-Identifier: MIT
// The next coarser level: rows are sums of the rows of their children.
#pragma once

#include <cstdint>

#include "methods/steady/children.hpp"
#include "methods/steady/level.hpp"

namespace tessera::steady {

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

/// Adds up the rows of the children in scratch memory, which has room for all their entries.
template <class Equation>
struct MergeRows {
  using Total = typename Equation::Total;
  Rows<Equation> fine;
  float const* fine_wall = nullptr;
  std::int32_t const* parent = nullptr;
  std::int32_t const* child_at = nullptr;
  std::int32_t const* child = nullptr;
  std::int32_t const* scratch_at = nullptr;
  std::int32_t* to = nullptr;
  Total* totals = nullptr;
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
          totals[at + k] = Total{};
        }
        totals[at + k] += Equation::total_of(fine.weight[index]);
      }
    }
    wall[a] = sum;
    length[a] = count;
  }
};
template <class Equation>
struct WriteMerged {
  std::int32_t const* scratch_at = nullptr;
  std::int32_t const* to = nullptr;
  typename Equation::Total const* totals = nullptr;
  double const* wall = nullptr;
  std::int32_t const* length = nullptr;
  RowWriter<Equation> writer;
  TESSERA_HOST_DEVICE void operator()(std::int64_t a) const {
    std::int64_t const at = scratch_at[a];
    writer.write(a, length[a], to + at, totals + at, wall[a]);
  }
};

/// Frees, on every rank, what it has of the children of other ranks' rows.
template <class Machine, class Equation>
void let_go_of_others(Machine& machine, Level<Machine, Equation> const& fine,
                      Level<Machine, Equation> const& level) {
  if (!fine.size.shared) return;
  fine.place.keep({});
  fine.part.keep({});
  fine.length.keep(fine.size);
  fine.parent.keep(fine.size);
  std::int32_t begin = 0;
  std::int32_t end = 0;
  machine.download(&begin, fine.child_at.get() + level.made.begin, 1);
  machine.download(&end, fine.child_at.get() + level.made.end, 1);
  Indices children;
  children.begin = begin;
  children.end = end;
  fine.child.keep(children);
  Indices one_more = level.made;
  ++one_more.end;
  fine.child_at.keep(one_more);
}

/// The level above `fine`, whose nodes lie in boxes of 2^number voxels; larger ones, and then
/// `number` is theirs, where it would hardly have fewer rows and the equation says that it may.
template <class Machine, class Equation>
Level<Machine, Equation> next_level(Machine& machine, Grid const& grid,
                                    Level<Machine, Equation>& fine, int& number) {
  auto const ints = [&machine](std::size_t count, std::size_t rows) {
    return machine.template array<std::int32_t>(count, rows);
  };
  Level<Machine, Equation> level;
  unite_in_boxes(machine, grid, fine, level, number);
  while (static_cast<double>(level.size.count) >
             Equation::most_rows_left * static_cast<double>(fine.size.count) &&
         !grid.box_holds_all(number - 1)) {
    level = {};
    unite_in_boxes(machine, grid, fine, level, ++number);
  }
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
  fetch_rows(machine, fine, level.made,
             WishRowsOfChildren<Equation>{fine.rows(), fine.child_at.get(), fine.child.get()});
  machine.refresh(fine.children, fine.wall.get());
  auto to = ints(scratch, size);
  auto totals = machine.template array<typename Equation::Total>(scratch, size);
  auto wall = machine.template array<double>(size);
  level.length = ints(size, size);
  machine.for_each(level.size,
                   MergeRows<Equation>{fine.rows(), fine.wall.get(), fine.parent.get(),
                                       fine.child_at.get(), fine.child.get(), scratch_at.get(),
                                       to.get(), totals.get(), wall.get(), level.length.get()});
  RowWriter<Equation> const writer = make_rows(machine, level);
  machine.for_each(level.size, WriteMerged<Equation>{scratch_at.get(), to.get(), totals.get(),
                                                     wall.get(), level.length.get(), writer});
  find_near(machine, level);
  let_go_of_others(machine, fine, level);
  return level;
}

}  // namespace tessera::steady

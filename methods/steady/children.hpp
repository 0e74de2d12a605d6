// SPDX-License-Identifier: MIT
// Which rows of a level become one row of the next: neighbours in the same box of 2^level voxels
// are its children.
#pragma once

#include <cstdint>
#include <vector>

#include "methods/steady/level.hpp"
#include "methods/steady/union_find.hpp"

namespace tessera::steady {

/// Unites neighbours in the same box of 2^level voxels, unless their equation says that they are
/// coupled weakly: where a chamber is connected by a throat only, the pressures on both sides are
/// nearly independent, and one value on the next level cannot represent both.
template <class Equation>
struct UniteInBoxes {
  static constexpr bool by_one_gpu = true;
  Rows<Equation> rows;
  Grid grid{};
  std::int32_t const* place = nullptr;
  BoxLevel level;
  std::int64_t first = 0;  ///< rows before it belong to other processes
  std::int32_t* parent = nullptr;

  /// Calls visit(j) for each row j before i that is united with row i.
  template <class Visit>
  TESSERA_HOST_DEVICE void for_each_before(std::int64_t i, Visit const& visit) const {
    std::int64_t const box = grid.box(place[i], level.number);
    float const own = Equation::coupling(rows.diagonal[i]);
    for (int k = 0; k < rows.length[i]; ++k) {
      std::int64_t const at = rows.index(i, k);
      std::int32_t const j = rows.to[at];
      if (j >= i || grid.box(place[j], level.number) != box) continue;
      float const coupling = Equation::coupling(rows.weight[at]);
      if (Equation::unites(coupling, own, Equation::coupling(rows.diagonal[j]), level)) visit(j);
    }
  }
  TESSERA_HOST_DEVICE void operator()(std::int64_t i) const {
    for_each_before(i, [this, i](std::int32_t j) {
      if (j >= first) unite(parent, static_cast<std::int32_t>(i), j);
    });
  }
};

/// Rows of different ranks that are children of one row.
struct UnitedPair {
  std::int32_t i, j;
};
template <class Equation>
struct PairsAcross {
  UniteInBoxes<Equation> inside;
  template <class Take>
  TESSERA_HOST_DEVICE void operator()(std::int64_t i, Take const& take) const {
    inside.for_each_before(i, [this, i, &take](std::int32_t j) {
      if (j < inside.first) take(UnitedPair{static_cast<std::int32_t>(i), j});
    });
  }
};
struct UnitePairs {
  static constexpr bool by_one_gpu = true;
  UnitedPair const* pairs = nullptr;
  std::int32_t* parent = nullptr;
  TESSERA_HOST_DEVICE void operator()(std::int64_t k) const {
    unite(parent, pairs[k].i, pairs[k].j);
  }
};

/// Unites the sets of all ranks along the pairs across ranks.
template <class Machine, class Equation>
void unite_over_processes(Machine& machine, Indices const& rows,
                          UniteInBoxes<Equation> const& inside) {
  if (!rows.shared) return;
  auto const across =
      machine.of_all(taken<UnitedPair>(machine, rows, PairsAcross<Equation>{inside}));
  machine.all_gather(inside.parent, rows);
  typename Machine::template Input<UnitedPair> const there(machine, across.data(), across.size());
  machine.for_each(static_cast<std::int64_t>(across.size()),
                   UnitePairs{there.get(), inside.parent});
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
/// Sorts the children of a row in ascending order.
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

/// Receive list of a pass over rows: the children of row a.
struct WishChildren {
  std::int32_t const* child_at = nullptr;
  std::int32_t const* child = nullptr;
  template <class Want>
  TESSERA_HOST_DEVICE void operator()(std::int64_t a, Want const& want) const {
    for (std::int32_t c = child_at[a]; c < child_at[a + 1]; ++c) want(child[c], child[c]);
  }
};
/// Receive list of a pass over rows: the entries of the children of row a.
template <class Equation>
struct WishRowsOfChildren {
  Rows<Equation> fine;
  std::int32_t const* child_at = nullptr;
  std::int32_t const* child = nullptr;
  template <class Want>
  TESSERA_HOST_DEVICE void operator()(std::int64_t a, Want const& want) const {
    for (std::int32_t c = child_at[a]; c < child_at[a + 1]; ++c)
      WishRow<Equation>{fine}(child[c], want);
  }
};
struct WishParent {
  std::int32_t const* parent = nullptr;
  template <class Want>
  TESSERA_HOST_DEVICE void operator()(std::int64_t i, Want const& want) const {
    want(parent[i], parent[i]);
  }
};

/// Finds the sets of rows of `fine` that are the rows of `level`; every process has all sets.
template <class Machine, class Equation>
void unite_in_boxes(Machine& machine, Grid const& grid, Level<Machine, Equation>& fine,
                    Level<Machine, Equation>& level, int number) {
  auto const ints = [&machine](std::size_t count, std::size_t rows) {
    return machine.template array<std::int32_t>(count, rows);
  };
  std::int64_t const rows = fine.size.count;
  auto const fine_size = static_cast<std::size_t>(rows);
  auto root = ints(fine_size, fine_size);
  auto count = ints(fine_size + 1, fine_size);
  machine.for_each(rows, EachAlone{root.get()});
  machine.refresh(fine.near, fine.diagonal.get());  // also of rows of other processes
  UniteInBoxes<Equation> const inside{
      fine.rows(),      grid,
      fine.place.get(), BoxLevel{number, grid.box_holds_all(number - 1)},
      fine.size.begin,  root.get()};
  machine.for_each(fine.size, inside);
  unite_over_processes(machine, fine.size, inside);
  machine.for_each(rows, CountRoots{root.get(), count.get()});
  std::int64_t const size = machine.scan(count.get(), rows);
  fine.parent = ints(fine_size, fine_size);
  machine.for_each(rows, NumberSets{root.get(), count.get(), fine.parent.get()});
  if (fine.size.shared) {
    for (std::int64_t const first : fine.bounds) {
      std::int32_t before = 0;
      machine.download(&before, count.get() + first, 1);
      level.bounds.push_back(before);
    }
  }
  level.size = level.made = machine.own(size, level.bounds);
}

/// Finds the halos of restriction and prolongation between two levels.
template <class Machine, class Equation>
void find_relatives(Machine& machine, Level<Machine, Equation>& fine,
                    Level<Machine, Equation> const& level) {
  fine.children = find_halo(machine, fine.size, level.made,
                            WishChildren{fine.child_at.get(), fine.child.get()});
  fine.parents = find_halo(machine, level.made, fine.size, WishParent{fine.parent.get()});
}

}  // namespace tessera::steady

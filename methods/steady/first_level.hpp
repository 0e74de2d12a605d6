// SPDX-License-Identifier: MIT
// The first coarse level: its rows are aggregates, from the links of their nodes.
#pragma once

#include <cstdint>

#include "methods/steady/level.hpp"
#include "methods/steady/node_set.hpp"

namespace tessera::steady {

/// Neighbours of an aggregate at most: each has a voxel of its own among the 4^3 - 2^3 around a box
/// of 2^3.
inline constexpr int most_neighbours = 56;

/// The row of an aggregate of the first level. `Edges` has what a link weighs: its table is
/// edges.links, weight(q, i, j) a Total, wall(q, i, end) what a link adds to the diagonal beside
/// that, as one without a node at its other end does (end < 0).
template <class Equation, class Edges>
struct FirstRow {
  using Total = typename Equation::Total;
  Edges edges;
  std::int32_t const* parent = nullptr;
  std::int32_t const* first_slot = nullptr;
  std::uint8_t const* part_of = nullptr;

  /// Fills at most 56 entries and returns how many; adds up the coupling to walls.
  TESSERA_HOST_DEVICE int collect(std::int64_t a, std::int32_t* to, Total* totals,
                                  double& wall) const {
    int length = 0;
    std::int64_t const begin = first_slot[a];
    std::int64_t const end = begin + count_bits(part_of[a]);
    for (std::int64_t i = begin; i < end; ++i) {
      for (int q = 1; q <= Equation::links; ++q) {
        std::int32_t const j = edges.links(q, i);
        wall += edges.wall(q, i, j);
        if (j < 0) continue;
        std::int32_t const other = parent[j];
        if (other == a) continue;
        int k = 0;
        while (k < length && to[k] != other) ++k;
        if (k == length) {
          to[length++] = other;
          totals[k] = Total{};
        }
        totals[k] += edges.weight(q, i, j);
      }
    }
    return length;
  }
};

template <class Equation, class Edges>
struct CountFirstRow {
  FirstRow<Equation, Edges> row;
  std::int32_t* length = nullptr;
  TESSERA_HOST_DEVICE void operator()(std::int64_t a) const {
    std::int32_t to[most_neighbours];
    typename Equation::Total totals[most_neighbours];
    double wall = 0;
    length[a] = row.collect(a, to, totals, wall);
  }
};

template <class Equation, class Edges>
struct WriteFirstRow {
  FirstRow<Equation, Edges> row;
  RowWriter<Equation> writer;
  TESSERA_HOST_DEVICE void operator()(std::int64_t a) const {
    std::int32_t to[most_neighbours];
    typename Equation::Total totals[most_neighbours];
    double wall = 0;
    int const length = row.collect(a, to, totals, wall);
    writer.write(a, length, to, totals, wall);
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

template <class Equation, class Machine, class Edges>
Level<Machine, Equation> first_level(Machine& machine, NodeSet<Machine, Equation::links> const& set,
                                     Edges const& edges) {
  Level<Machine, Equation> level;
  level.bounds = set.aggregate_bounds;
  level.size = level.made = machine.own(set.aggregates.count, level.bounds);
  auto const size = static_cast<std::size_t>(level.size.count);
  level.length = machine.template array<std::int32_t>(size);
  FirstRow<Equation, Edges> const row{edges, set.parent.get(), set.first_slot.get(),
                                      set.part_of.get()};
  machine.for_each(level.size, CountFirstRow<Equation, Edges>{row, level.length.get()});
  RowWriter<Equation> const writer = make_rows(machine, level);
  machine.for_each(level.size, WriteFirstRow<Equation, Edges>{row, writer});
  level.place = machine.template array<std::int32_t>(size);
  machine.copy(level.place.get(), set.place_of.get(), size);
  level.part = machine.template array<std::int32_t>(size);
  machine.for_each(level.size.count,
                   FirstPart{set.first_slot.get(), set.chunk_part.get(), level.part.get()});
  find_near(machine, level);
  return level;
}

}  // namespace tessera::steady

// SPDX-License-Identifier: MIT
// The first coarse level: its rows are aggregates, from the links of their nodes.
#pragma once

#include <cstdint>

#include "methods/stokes/level.hpp"
#include "methods/stokes/mobility.hpp"

namespace tessera::stokes {

/// Neighbours of an aggregate at most: each has a voxel of its own among the 4^3 - 2^3 around a box
/// of 2^3.
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
        pressure[k] += w * mobility_between(double{mobility[i]}, double{mobility[j]});
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

struct FirstPart {
  std::int32_t const* first_slot = nullptr;
  std::int32_t const* chunk_part = nullptr;
  std::int32_t* part = nullptr;
  TESSERA_HOST_DEVICE void operator()(std::int64_t a) const {
    part[a] = chunk_part[first_slot[a] / chunk_size];
  }
};

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

}  // namespace tessera::stokes

// SPDX-License-Identifier: MIT
// Where nodes are in the box.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "methods/steady/node_set.hpp"
#include "methods/steady/on_host.hpp"

namespace tessera::steady {

/// The voxel (linear_index) of each own node, in the order of their slots.
template <class Machine, int links>
Uninitialised<std::int64_t> voxels_of(Machine& machine, NodeSet<Machine, links> const& set) {
  Uninitialised<std::int32_t> const place = on_host(machine, set.place_of.get(), set.aggregates);
  Uninitialised<std::uint8_t> const part = on_host(machine, set.part_of.get(), set.aggregates);
  return gathered<std::int64_t>(
      set.aggregates.own(),
      [&](std::int64_t a) { return std::popcount(part[static_cast<std::size_t>(a)]); },
      [&](std::int64_t a, std::int64_t* to) {
        for_each_node(set.grid, place[static_cast<std::size_t>(a)],
                      part[static_cast<std::size_t>(a)],
                      [&](Voxel at, int rank) { to[rank] = set.grid.linear(at); });
      });
}

/// What state(slot) is at each own node, in the order of their slots; `parent`: of the set, on the
/// host.
template <class State, class Machine, int links, class At>
Uninitialised<State> at_nodes(Machine& machine, NodeSet<Machine, links> const& set,
                              At const& state) {
  Uninitialised<std::int32_t> const parent = on_host(machine, set.parent.get(), set.slots);
  return gathered<State>(
      set.slots.own(),
      [&](std::int64_t i) { return parent[static_cast<std::size_t>(i)] < 0 ? 0 : 1; },
      [&](std::int64_t i, State* to) { *to = state(static_cast<std::size_t>(i)); });
}

}  // namespace tessera::steady

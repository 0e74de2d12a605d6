// SPDX-License-Identifier: MIT
// The levels of the multigrid: their matrices, and the inverse of the last one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "methods/steady/dense_blocks.hpp"
#include "methods/steady/first_level.hpp"
#include "methods/steady/next_level.hpp"

namespace tessera::steady {

/// The levels of the multigrid, which all axes and precisions share.
template <class Machine, class Equation>
struct Hierarchy {
  template <class T>
  using Array = typename Machine::template Array<T>;
  std::deque<Level<Machine, Equation>> levels;
  std::size_t small = 0;  ///< the first level whose passes are small
  Array<std::int32_t> dense_first, dense_last;
  Array<std::int64_t> dense_offset;
  Array<float> dense;
};

/// `edges`: of the nodes, see FirstRow.
template <class Equation, class Machine, class Edges>
Hierarchy<Machine, Equation> make_hierarchy(Machine& machine,
                                            NodeSet<Machine, Equation::links> const& set,
                                            Edges const& edges, std::int64_t small_level) {
  Hierarchy<Machine, Equation> h;
  h.levels.push_back(first_level<Equation>(machine, set, edges));
  HostRows host;
  for (int number = 2;; ++number) {
    Level<Machine, Equation>& top = h.levels.back();
    std::int64_t const rows = top.size.count;
    auto const size = static_cast<std::size_t>(rows);
    bool last = false;
    // The blocks have size^2 / parts values at least.
    std::int64_t const most = most_dense_values(set.nodes);
    if (rows / set.parts * rows <= 4 * most || rows == set.parts) {
      host.part.resize(size);
      machine.download(host.part.data(), top.part.get(), size);
      last = rows == set.parts || dense_values(host.part) <= most;
    }
    bool const small = last || rows <= small_level;
    if (small) give_to_all(machine, top);
    if (!small) h.small = h.levels.size();
    if (last) break;
    h.levels.push_back(next_level(machine, set.grid, top, number));
  }
  Level<Machine, Equation>& top = h.levels.back();
  auto const size = static_cast<std::size_t>(top.size.count);
  auto const get = [&machine]<class T>(std::vector<T>& to,
                                       typename Machine::template Array<T> const& from) {
    to.resize(from.size());
    machine.download(to.data(), from.get(), from.size());
  };
  get(host.slice, top.slice);
  get(host.length, top.length);
  get(host.to, top.to);
  std::vector<typename Equation::Weights> weights;
  get(weights, top.weight);
  host.weight.resize(weights.size());
  std::ranges::transform(weights, host.weight.begin(), Equation::coupling);
  if constexpr (Equation::walls_couple) get(host.wall, top.wall);
  DenseBlocks const blocks =
      invert(host, [&machine](std::vector<double>& a, std::size_t n) { invert_on(machine, a, n); });
  h.dense_first = machine.template array<std::int32_t>(size);
  h.dense_last = machine.template array<std::int32_t>(size);
  h.dense_offset = machine.template array<std::int64_t>(size);
  h.dense = machine.template array<float>(blocks.values.size(), size);
  machine.upload(h.dense_first.get(), blocks.first.data(), size);
  machine.upload(h.dense_last.get(), blocks.last.data(), size);
  machine.upload(h.dense_offset.get(), blocks.offset.data(), size);
  machine.upload(h.dense.get(), blocks.values.data(), blocks.values.size());
  return h;
}

}  // namespace tessera::steady

// SPDX-License-Identifier: MIT
// The levels of the multigrid: their matrices, and the inverse of the last one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "methods/stokes/dense_blocks.hpp"
#include "methods/stokes/first_level.hpp"
#include "methods/stokes/mobility.hpp"
#include "methods/stokes/next_level.hpp"

namespace tessera::stokes {

/// Diagonals of the finest level.
struct FineDiagonal {
  Links links;
  float const* mobility = nullptr;
  Two<float>* diagonal = nullptr;
  TESSERA_HOST_DEVICE void operator()(std::int64_t i) const {
    float s = 0;
    float v = 0;
    for (int q = 1; q < D3Q19::size; ++q) {
      std::int32_t const j = links(q, i);
      float const w = laplace_weight((q - 1) / 2);
      v += j < 0 ? 2 * w : w;
      if (j >= 0) s += w * mobility_between(mobility[i], mobility[j]);
    }
    diagonal[i] = {s > 0 ? s : 1.0F, v};
  }
};

/// The levels of the multigrid, which all axes and precisions share.
template <class Machine>
struct Hierarchy {
  template <class T>
  using Array = typename Machine::template Array<T>;
  Array<float> mobility;
  Array<Two<float>> diagonal;
  std::deque<Level<Machine>> levels;
  std::size_t small = 0;  ///< the first level whose passes are small
  Array<std::int32_t> dense_first, dense_last;
  Array<std::int64_t> dense_offset;
  Array<float> dense;
};

template <class Machine>
Hierarchy<Machine> make_hierarchy(Machine& machine, NodeSet<Machine> const& set,
                                  std::int64_t small_level, double* partial) {
  Hierarchy<Machine> h;
  h.mobility = make_mobility(machine, set, partial);
  h.diagonal = machine.template array_of<Two<float>>(set.slots);
  machine.for_each(set.slots, FineDiagonal{set.links(), h.mobility.get(), h.diagonal.get()});
  h.levels.push_back(first_level(machine, set, h.mobility.get()));
  HostRows host;
  for (int number = 2;; ++number) {
    Level<Machine>& top = h.levels.back();
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
  Level<Machine>& top = h.levels.back();
  auto const size = static_cast<std::size_t>(top.size.count);
  auto const get = [&machine]<class T>(std::vector<T>& to,
                                       typename Machine::template Array<T> const& from) {
    to.resize(from.size());
    machine.download(to.data(), from.get(), from.size());
  };
  get(host.slice, top.slice);
  get(host.length, top.length);
  get(host.to, top.to);
  get(host.weight, top.weight);
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

}  // namespace tessera::stokes

// SPDX-License-Identifier: MIT
// Receive lists: what a process reads of others, found by passes on its machine.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "methods/steady/indices.hpp"
#include "methods/steady/union_find.hpp"

namespace tessera::steady {

/// Counts the values that pass(i, take) gives to take(), and stores them if there is memory.
template <class Value, class Pass>
struct Take {
  static constexpr bool by_one_gpu = true;
  Pass pass;
  std::int32_t* count = nullptr;
  Value* to = nullptr;
  TESSERA_HOST_DEVICE void operator()(std::int64_t i) const {
    pass(i, [this](Value const& value) {
      std::int32_t const at = fetch_add(count, 1);
      if (to != nullptr) to[at] = value;
    });
  }
};

/// The values that pass(i, take) gives to take(Value) for the own indices, in any order.
template <class Value, class Machine, class Pass>
std::vector<Value> taken(Machine& machine, Indices const& indices, Pass const& pass) {
  auto count = machine.template array<std::int32_t>(1);
  machine.for_each(indices, Take<Value, Pass>{pass, count.get(), nullptr});
  std::int32_t found = 0;
  machine.download(&found, count.get(), 1);
  machine.clear(count.get(), 1);
  auto values = machine.template array<Value>(static_cast<std::size_t>(found));
  machine.for_each(indices, Take<Value, Pass>{pass, count.get(), values.get()});
  std::vector<Value> host(static_cast<std::size_t>(found));
  machine.download(host.data(), values.get(), host.size());
  return host;
}

/// An entry of a receive list: the value at `at`, which the process that has `index` sends.
struct Wish {
  std::int64_t index;
  std::int64_t at;
};
template <class Pass>
struct WishOfOthers {
  Pass pass;
  std::int64_t begin = 0;  ///< own indices
  std::int64_t end = 0;
  template <class Take>
  TESSERA_HOST_DEVICE void operator()(std::int64_t i, Take const& take) const {
    pass(i, [this, &take](std::int64_t index, std::int64_t at) {
      if (index < begin || index >= end) take(Wish{index, at});
    });
  }
};

/// The halo of passes over `indices`: pass(i, want) calls want(index, at) for a value at `at` that
/// belongs to an index; `of`: the ranges of these indices.
template <class Machine, class Pass>
typename Machine::Halo find_halo(Machine& machine, Indices const& of, Indices const& indices,
                                 Pass const& pass) {
  if (!of.shared) return {};
  std::vector<std::vector<std::int64_t>> wanted(of.bounds.size() - 1);
  for (Wish const& wish :
       taken<Wish>(machine, indices, WishOfOthers<Pass>{pass, of.begin, of.end})) {
    auto const behind = std::ranges::upper_bound(of.bounds, wish.index);
    wanted[static_cast<std::size_t>(behind - of.bounds.begin() - 1)].push_back(wish.at);
  }
  for (auto& of_rank : wanted) {
    std::ranges::sort(of_rank);
    auto const again = std::ranges::unique(of_rank);
    of_rank.erase(again.begin(), again.end());
  }
  return machine.halo(std::move(wanted));
}

}  // namespace tessera::steady

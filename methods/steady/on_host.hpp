// SPDX-License-Identifier: MIT
// Copies of a machine's arrays on the host, in the order of the nodes: made by all cores, as these
// are the largest arrays on the host.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/machine/thread_team.hpp"
#include "base/machine/uninitialised.hpp"
#include "methods/steady/indices.hpp"

namespace tessera::steady {

/// A copy of this process's part of an array.
template <class T, class Machine>
Uninitialised<T> on_host(Machine& machine, T const* values, Indices const& indices) {
  auto const size = static_cast<std::size_t>(indices.own());
  Uninitialised<T> copy(size);
  // All threads touch its pages first, not only the one that copies.
  constexpr std::size_t page = 4096;
  auto* const bytes = reinterpret_cast<volatile char*>(copy.data());
  in_parallel_ranges(static_cast<std::int64_t>(size * sizeof(T) / page), 1024,
                     [&](std::int64_t begin, std::int64_t end) {
                       for (std::int64_t p = begin; p < end; ++p)
                         bytes[static_cast<std::size_t>(p) * page] = 0;
                     });
  machine.download(copy.data(), values + indices.begin, size);
  return copy;
}

/// An array of size(i) values for each i in [0, count), one behind the other, which put(i, to)
/// writes.
template <class Value, class Size, class Put>
Uninitialised<Value> gathered(std::int64_t count, Size const& size, Put const& put) {
  constexpr std::int64_t range = 65536;
  std::int64_t const ranges = (count + range - 1) / range;
  std::vector<std::int64_t> begin(static_cast<std::size_t>(ranges) + 1, 0);
  in_parallel(ranges, [&](std::int64_t r) {
    std::int64_t sum = 0;
    for (std::int64_t i = r * range; i < std::min(count, (r + 1) * range); ++i) sum += size(i);
    begin[static_cast<std::size_t>(r) + 1] = sum;
  });
  for (std::size_t r = 0; r + 1 < begin.size(); ++r) begin[r + 1] += begin[r];
  Uninitialised<Value> values(static_cast<std::size_t>(begin.back()));
  in_parallel(ranges, [&](std::int64_t r) {
    Value* to = values.data() + begin[static_cast<std::size_t>(r)];
    for (std::int64_t i = r * range; i < std::min(count, (r + 1) * range); ++i) {
      if (std::int64_t const n = size(i); n > 0) {
        put(i, to);
        to += n;
      }
    }
  });
  return values;
}

}  // namespace tessera::steady

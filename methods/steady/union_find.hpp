// SPDX-License-Identifier: MIT
// Sets that many threads unite at once. The root of a set is its smallest member, whatever the
// order in which they come. Jayanti, Tarjan, PODC 2016, with links from larger to smaller.
//
// Atomic operations are atomic among the threads of one GPU: passes that use them set `by_one_gpu`.
#pragma once

#include <cstdint>

#include "base/host_device.hpp"

namespace tessera::steady {

TESSERA_HOST_DEVICE std::int32_t load(std::int32_t const* at) {
#ifdef __CUDA_ARCH__
  return *static_cast<std::int32_t const volatile*>(at);
#else
  return __atomic_load_n(at, __ATOMIC_RELAXED);
#endif
}

/// Replaces `expected` by `value`; returns the old value.
TESSERA_HOST_DEVICE std::int32_t exchange_if(std::int32_t* at,  // NOLINT: is written
                                             std::int32_t expected, std::int32_t value) {
#ifdef __CUDA_ARCH__
  return atomicCAS(at, expected, value);
#else
  __atomic_compare_exchange_n(at, &expected, value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  return expected;
#endif
}

/// Adds and returns the old value.
TESSERA_HOST_DEVICE std::int32_t fetch_add(std::int32_t* at,  // NOLINT: is written
                                           std::int32_t value) {
#ifdef __CUDA_ARCH__
  return atomicAdd(at, value);
#else
  return __atomic_fetch_add(at, value, __ATOMIC_RELAXED);
#endif
}

TESSERA_HOST_DEVICE void fetch_add(std::int64_t* at,  // NOLINT: is written
                                   std::int64_t value) {
#ifdef __CUDA_ARCH__
  atomicAdd(reinterpret_cast<unsigned long long*>(at), static_cast<unsigned long long>(value));
#else
  __atomic_fetch_add(at, value, __ATOMIC_RELAXED);
#endif
}

TESSERA_HOST_DEVICE std::int32_t find_root(std::int32_t* parent, std::int32_t i) {
  for (std::int32_t up = load(parent + i); up != i; up = load(parent + i)) {
    std::int32_t const above = load(parent + up);
    if (above != up) exchange_if(parent + i, up, above);
    i = above;
  }
  return i;
}

TESSERA_HOST_DEVICE void unite(std::int32_t* parent, std::int32_t a, std::int32_t b) {
  while (true) {
    a = find_root(parent, a);
    b = find_root(parent, b);
    if (a == b) return;
    std::int32_t const larger = a > b ? a : b;
    std::int32_t const smaller = a > b ? b : a;
    if (exchange_if(parent + larger, larger, smaller) == larger) return;
  }
}

/// Passes over the members, before and after uniting.
struct EachAlone {
  std::int32_t* parent = nullptr;
  TESSERA_HOST_DEVICE void operator()(std::int64_t i) const {
    parent[i] = static_cast<std::int32_t>(i);
  }
};
/// counts[i] = 1 if i is a root: scanned, they number the sets in the order of their first members.
struct CountRoots {
  static constexpr bool by_one_gpu = true;
  std::int32_t* parent = nullptr;
  std::int32_t* counts = nullptr;
  TESSERA_HOST_DEVICE void operator()(std::int64_t i) const {
    counts[i] = find_root(parent, static_cast<std::int32_t>(i)) == i ? 1 : 0;
  }
};
struct NumberSets {
  static constexpr bool by_one_gpu = true;
  std::int32_t* parent = nullptr;
  std::int32_t const* number = nullptr;
  std::int32_t* set = nullptr;
  TESSERA_HOST_DEVICE void operator()(std::int64_t i) const {
    set[i] = number[find_root(parent, static_cast<std::int32_t>(i))];
  }
};

}  // namespace tessera::steady

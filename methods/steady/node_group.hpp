// SPDX-License-Identifier: MIT
// Nodes that a core computes at once. A pass whose index is a template parameter `At` runs for one
// node (std::int64_t, as on GPUs), or for a NodeGroup, with a value of each of its nodes in a
// register. The operations and their order are the same, and so are the bits.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "base/host_device.hpp"
#include "methods/steady/four.hpp"
#include "methods/steady/sums.hpp"

#ifdef __CUDACC__
#define TESSERA_INLINE_LAMBDA
#else
#define TESSERA_INLINE_LAMBDA __attribute__((always_inline))
#endif

namespace tessera::steady {

/// The index of adjacent nodes of a chunk.
struct NodeGroup {
  static constexpr int size = 8;
  std::int64_t first = 0;
};

template <class T>
struct InGroup {};
template <class T>
requires std::is_arithmetic_v<T>
struct InGroup<T> {
#ifdef __CUDACC__
  using type = T;  // GPUs have no groups
#else
  using type [[gnu::vector_size(NodeGroup::size * sizeof(T))]] = T;
#endif
};
/// A value at a node, or one at each node of a group.
template <class T, class At>
using ValueAt = typename std::conditional_t<std::is_same_v<At, NodeGroup>, InGroup<T>,
                                            std::type_identity<T>>::type;

/// Sums over a node, or over each node of a group.
template <int V, class At>
struct SumsAt {
  ValueAt<double, At> of[V];
};
template <int V>
struct SumsAt<V, std::int64_t> : Sums<V> {};

/// Whether a pass takes a NodeGroup, too.
template <class Pass>
concept RunsInGroups = Pass::in_groups;

/// The chunk of a node, or of a group.
TESSERA_HOST_DEVICE std::int64_t chunk_of(std::int64_t node) { return node / chunk_size; }
TESSERA_HOST_DEVICE std::int64_t chunk_of(NodeGroup at) { return at.first / chunk_size; }

/// Calls visit(node) for a node, or for each one of a group.
template <class Visit>
TESSERA_HOST_DEVICE void for_each_node(std::int64_t at, Visit const& visit) {
  visit(at);
}
template <class Visit>
TESSERA_HOST_DEVICE void for_each_node(NodeGroup at, Visit const& visit) {
  for (int k = 0; k < NodeGroup::size; ++k) visit(at.first + k);
}

template <class T>
TESSERA_HOST_DEVICE T load(T const* values, std::int64_t at) {
  return values[at];
}
template <class T>
TESSERA_HOST_DEVICE void store(T* values, std::int64_t at, T value) {
  values[at] = value;
}
TESSERA_HOST_DEVICE double in_double(float value) { return double{value}; }
TESSERA_HOST_DEVICE double in_double(double value) { return value; }
template <class T>
TESSERA_HOST_DEVICE T chosen(bool condition, T value, T otherwise) {
  return condition ? value : otherwise;
}
/// The value, or minus it.
TESSERA_HOST_DEVICE float negative_if(bool negative, float value) {
  return negative ? -value : value;
}
TESSERA_HOST_DEVICE double negative_if(bool negative, double value) {
  return negative ? -value : value;
}

#ifndef __CUDACC__

using FloatGroup = InGroup<float>::type;
using IntGroup = InGroup<std::int32_t>::type;
using DoubleGroup = InGroup<double>::type;

template <class T>
TESSERA_HOST_DEVICE typename InGroup<T>::type load(T const* values, NodeGroup at) {
  typename InGroup<T>::type loaded;
  std::memcpy(&loaded, values + at.first, sizeof(loaded));
  return loaded;
}
template <class T>
TESSERA_HOST_DEVICE void store(T* values, NodeGroup at, typename InGroup<T>::type group) {
  std::memcpy(values + at.first, &group, sizeof(group));
}
TESSERA_HOST_DEVICE DoubleGroup in_double(FloatGroup value) {
  return __builtin_convertvector(value, DoubleGroup);
}
TESSERA_HOST_DEVICE FloatGroup chosen(IntGroup condition, FloatGroup value, FloatGroup otherwise) {
  return condition ? value : otherwise;
}
/// `negative` is -1 where it holds, else 0.
TESSERA_HOST_DEVICE FloatGroup negative_if(IntGroup negative, FloatGroup value) {
  return __builtin_bit_cast(FloatGroup, __builtin_bit_cast(IntGroup, value) ^ (negative << 31));
}

/// In each half of the registers: rows become columns.
TESSERA_HOST_DEVICE void transpose(FloatGroup& a, FloatGroup& b, FloatGroup& c, FloatGroup& d) {
  FloatGroup const ab_low = __builtin_shufflevector(a, b, 0, 8, 1, 9, 4, 12, 5, 13);
  FloatGroup const ab_high = __builtin_shufflevector(a, b, 2, 10, 3, 11, 6, 14, 7, 15);
  FloatGroup const cd_low = __builtin_shufflevector(c, d, 0, 8, 1, 9, 4, 12, 5, 13);
  FloatGroup const cd_high = __builtin_shufflevector(c, d, 2, 10, 3, 11, 6, 14, 7, 15);
  a = __builtin_shufflevector(ab_low, cd_low, 0, 1, 8, 9, 4, 5, 12, 13);
  b = __builtin_shufflevector(ab_low, cd_low, 2, 3, 10, 11, 6, 7, 14, 15);
  c = __builtin_shufflevector(ab_high, cd_high, 0, 1, 8, 9, 4, 5, 12, 13);
  d = __builtin_shufflevector(ab_high, cd_high, 2, 3, 10, 11, 6, 7, 14, 15);
}
/// The moments of the nodes from[node(0)] ... from[node(7)].
template <class NodeOf>
TESSERA_HOST_DEVICE Four<FloatGroup> moments_at(Four<float> const* from, NodeOf const& node) {
  auto const pair = [&](int low) TESSERA_INLINE_LAMBDA {
    auto const a = __builtin_bit_cast(FourLanes<float>, from[node(low)]);
    auto const b = __builtin_bit_cast(FourLanes<float>, from[node(low + 4)]);
    return FloatGroup(__builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7));
  };
  Four<FloatGroup> f{pair(0), pair(1), pair(2), pair(3)};
  transpose(f.s, f.x, f.y, f.z);
  return f;
}
TESSERA_HOST_DEVICE Four<FloatGroup> load(Four<float> const* values, NodeGroup at) {
  return moments_at(values, [&](int k) TESSERA_INLINE_LAMBDA { return at.first + k; });
}
TESSERA_HOST_DEVICE void store(Four<float>* values, NodeGroup at, Four<FloatGroup> f) {
  transpose(f.s, f.x, f.y, f.z);
  FloatGroup const pairs[4] = {f.s, f.x, f.y, f.z};
  for (int k = 0; k < 4; ++k) {
    values[at.first + k] =
        __builtin_bit_cast(Four<float>, __builtin_shufflevector(pairs[k], pairs[k], 0, 1, 2, 3));
    values[at.first + k + 4] =
        __builtin_bit_cast(Four<float>, __builtin_shufflevector(pairs[k], pairs[k], 4, 5, 6, 7));
  }
}
TESSERA_HOST_DEVICE Two<FloatGroup> load(Two<float> const* values, NodeGroup at) {
  FloatGroup both[2];
  std::memcpy(both, values + at.first, sizeof(both));
  return {__builtin_shufflevector(both[0], both[1], 0, 2, 4, 6, 8, 10, 12, 14),
          __builtin_shufflevector(both[0], both[1], 1, 3, 5, 7, 9, 11, 13, 15)};
}

#endif

}  // namespace tessera::steady

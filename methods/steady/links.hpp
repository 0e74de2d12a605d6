// SPDX-License-Identifier: MIT
// The links that join nodes: those of D3Q19 to 18 neighbours, or the first 6 of them, to faces.
#pragma once

#include <cstdint>

#include "base/host_device.hpp"
#include "methods/steady/node_group.hpp"
#include "methods/steady/sums.hpp"

// Loops over links are unrolled on GPUs.
#ifdef __CUDACC__
#define TESSERA_UNROLL _Pragma("unroll")
#define TESSERA_UNROLL_ON_GPU _Pragma("unroll")
#define TESSERA_UNROLL_BY_8 _Pragma("unroll 8")
#elif defined(__clang__)
#define TESSERA_UNROLL _Pragma("clang loop unroll(full)")
#define TESSERA_UNROLL_ON_GPU
#define TESSERA_UNROLL_BY_8
#else
#define TESSERA_UNROLL _Pragma("GCC unroll 18")
#define TESSERA_UNROLL_ON_GPU
#define TESSERA_UNROLL_BY_8
#endif

namespace tessera::steady {

/// The other end of a link, or those of the links of a group's nodes.
template <class At>
struct LinkEnds;
template <>
struct LinkEnds<std::int64_t> {
  std::int64_t node = 0;  ///< at a wall the node itself, so that loads need no branch
  bool wall = false;

  /// An array's value at the end.
  template <class T>
  TESSERA_HOST_DEVICE T of(T const* values) const {
    return values[node];
  }
  /// value(node) at the end.
  template <class Value>
  TESSERA_HOST_DEVICE auto of_each(Value const& value) const {
    return value(node);
  }
};

#ifndef __CUDACC__
template <>
struct LinkEnds<NodeGroup> {
  IntGroup nodes{};
  IntGroup wall{};  ///< -1 or 0

  TESSERA_HOST_DEVICE Four<FloatGroup> of(Four<float> const* moments) const {
    return moments_at(moments, [&](int n) TESSERA_INLINE_LAMBDA { return nodes[n]; });
  }
  TESSERA_HOST_DEVICE FloatGroup of(float const* values) const {
    return of_each([&](std::int64_t node) TESSERA_INLINE_LAMBDA { return values[node]; });
  }
  template <class Value>
  TESSERA_HOST_DEVICE FloatGroup of_each(Value const& value) const {
    return FloatGroup{value(nodes[0]), value(nodes[1]), value(nodes[2]), value(nodes[3]),
                      value(nodes[4]), value(nodes[5]), value(nodes[6]), value(nodes[7])};
  }
};
#endif

/// Where the links of the nodes lead. Only this type knows how links are stored.
template <int count>
struct LinkTable {
  static constexpr int size = count;
  static constexpr std::int32_t wall = -1;
  /// An end of the box, half a voxel away, where an equation gives the value.
  static constexpr std::int32_t open_end = -2;

  std::int32_t const* table = nullptr;  ///< chunk after chunk, an array for each link

  TESSERA_HOST_DEVICE static std::int64_t index(int q, std::int64_t node) {
    return node + (node & -std::int64_t{chunk_size}) * (count - 1) +
           std::int64_t{q - 1} * chunk_size;
  }
  /// The node at the other end of link q = 1 ... count of a node, or below 0.
  TESSERA_HOST_DEVICE std::int32_t operator()(int q, std::int64_t node) const {
    return table[index(q, node)];
  }
  TESSERA_HOST_DEVICE LinkEnds<std::int64_t> ends(int q, std::int64_t node) const {
    std::int32_t const other = table[index(q, node)];
    return {other < 0 ? node : std::int64_t{other}, other < 0};
  }
#ifndef __CUDACC__
  TESSERA_HOST_DEVICE LinkEnds<NodeGroup> ends(int q, NodeGroup at) const {
    IntGroup const others = load(table, NodeGroup{index(q, at.first)});
    IntGroup const own = static_cast<std::int32_t>(at.first) + IntGroup{0, 1, 2, 3, 4, 5, 6, 7};
    IntGroup const walls = others < 0;
    return {walls ? own : others, walls};
  }
#endif
};

}  // namespace tessera::steady

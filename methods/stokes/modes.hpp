// SPDX-License-Identifier: MIT
// A node's 10 unknowns and the links that join them.
//
// In populations y_q = g_q / sqrt(w_q) all inner products are plain. With r_q = sqrt(w_q), the
// orthonormal modes are the density rho = sum r_q y_q and, of each pair k of opposite velocities
// (q, q + 1), q = 2 k + 1, the odd half o_k = (y_q - y_{q+1}) / sqrt(2). The momentum, too, is
// orthonormal as m = sqrt(3) sum r_q c_q y_q = sum_k a_k c_k o_k, with a_k = sqrt(6) r_q; in
// lattice units it is m / sqrt(3).
#pragma once

#include <cstdint>

#include "base/host_device.hpp"
#include "methods/stokes/four.hpp"
#include "methods/stokes/node_group.hpp"
#include "methods/stokes/sums.hpp"
#include "models/lattice/d3q19.hpp"

// Loops over pairs are unrolled, as what they do depends on the pair; loops over links on GPUs.
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

namespace tessera::stokes {

inline constexpr int pairs = 9;
/// Values of a node in a Lanczos vector: the density, then the odd halves.
inline constexpr int node_values = 10;
inline constexpr double sqrt3 = 1.7320508075688772;

TESSERA_HOST_DEVICE constexpr bool is_face(int pair) { return pair < 3; }
/// a_k = sqrt(6 w_q).
TESSERA_HOST_DEVICE constexpr double momentum_weight(int pair) {
  return is_face(pair) ? 0.57735026918962576 : 0.40824829046386302;
}
/// e_k = sqrt(w_q / 2): couples densities with odd halves.
TESSERA_HOST_DEVICE constexpr double density_weight(int pair) {
  return is_face(pair) ? 1.0 / 6 : 0.11785113019775793;
}
TESSERA_HOST_DEVICE constexpr double weight(int pair) {
  return is_face(pair) ? 1.0 / 18 : 1.0 / 36;
}
/// 3 w_q: the weights of a Laplacian on the 18 links.
TESSERA_HOST_DEVICE constexpr float laplace_weight(int pair) {
  return is_face(pair) ? 1.0F / 6 : 1.0F / 12;
}

/// c_k . f of the vector part, for the velocity q = 2 k + 1.
template <class T>
TESSERA_HOST_DEVICE T along(int pair, Four<T> const& f) {
  switch (pair) {  // known when compiled: the loops over pairs are unrolled
    case 0:
      return f.x;
    case 1:
      return f.y;
    case 2:
      return f.z;
    case 3:
      return f.x + f.y;
    case 4:
      return f.x - f.y;
    case 5:
      return f.x + f.z;
    case 6:
      return f.x - f.z;
    case 7:
      return f.y + f.z;
    default:
      return f.y - f.z;
  }
}

/// to += sign * t for a sign of -1, 0 or 1; a product with 0 would be kept by the compiler.
template <class T>
TESSERA_HOST_DEVICE void add_signed(int sign, T t, T& to) {
  if (sign > 0) to += t;
  if (sign < 0) to -= t;
}
/// f += c_k t, in the vector part.
template <class T>
TESSERA_HOST_DEVICE void add_along(int pair, T t, Four<T>& f) {
  int const q = 2 * pair + 1;
  add_signed(D3Q19::x(q), t, f.x);
  add_signed(D3Q19::y(q), t, f.y);
  add_signed(D3Q19::z(q), t, f.z);
}

/// Where value k of a node stands in a Lanczos vector: chunk after chunk, in each an array for each
/// value. So a pass follows few streams of memory, and the values of a chunk lie together.
TESSERA_HOST_DEVICE std::int64_t value_index(int k, std::int64_t node) {
  return node + (node & -std::int64_t{chunk_size}) * (node_values - 1) +
         std::int64_t{k} * chunk_size;
}
TESSERA_HOST_DEVICE NodeGroup value_index(int k, NodeGroup at) {
  return {value_index(k, at.first)};
}

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
  /// Value k of a Lanczos vector at the end.
  template <class T>
  TESSERA_HOST_DEVICE T of(T const* vector, int k) const {
    return vector[value_index(k, node)];
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
    return each([&](std::int64_t node) TESSERA_INLINE_LAMBDA { return values[node]; });
  }
  TESSERA_HOST_DEVICE FloatGroup of(float const* vector, int k) const {
    return each([&](std::int64_t node)
                    TESSERA_INLINE_LAMBDA { return vector[value_index(k, node)]; });
  }

 private:
  template <class Value>
  TESSERA_HOST_DEVICE FloatGroup each(Value const& value) const {
    return FloatGroup{value(nodes[0]), value(nodes[1]), value(nodes[2]), value(nodes[3]),
                      value(nodes[4]), value(nodes[5]), value(nodes[6]), value(nodes[7])};
  }
};
#endif

/// Where the links of the nodes lead. Only this type knows how links are stored.
struct Links {
  std::int32_t const* table = nullptr;  ///< chunk after chunk, 18 arrays; -1: a wall

  TESSERA_HOST_DEVICE static std::int64_t index(int q, std::int64_t node) {
    return node + (node & -std::int64_t{chunk_size}) * 17 + std::int64_t{q - 1} * chunk_size;
  }
  /// The node at the other end of link q = 1 ... 18 of a node, or -1.
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
    IntGroup const wall = others < 0;
    return {wall ? own : others, wall};
  }
#endif
};

}  // namespace tessera::stokes

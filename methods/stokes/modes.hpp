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
#include "methods/steady/four.hpp"
#include "methods/steady/links.hpp"
#include "methods/steady/node_group.hpp"
#include "methods/steady/sums.hpp"
#include "models/lattice/d3q19.hpp"

namespace tessera::steady::stokes {

using Links = LinkTable<18>;

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
/// Value k of a Lanczos vector at the end of a link.
template <class At, class T>
TESSERA_HOST_DEVICE auto value_at(LinkEnds<At> const& ends, T const* vector, int k) {
  return ends.of_each([&](std::int64_t node)
                          TESSERA_INLINE_LAMBDA { return vector[value_index(k, node)]; });
}

}  // namespace tessera::steady::stokes

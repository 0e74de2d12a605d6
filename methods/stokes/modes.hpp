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
#include "methods/stokes/sums.hpp"
#include "models/lattice/d3q19.hpp"

// Loops over links are unrolled on GPUs and, so that the loop around them can run in SIMD lanes,
// on cores.
#ifdef __CUDACC__
#define TESSERA_UNROLL _Pragma("unroll")
#define TESSERA_UNROLL_BY_8 _Pragma("unroll 8")
#elif defined(__clang__)
#define TESSERA_UNROLL _Pragma("clang loop unroll(full)")
#define TESSERA_UNROLL_BY_8
#else
#define TESSERA_UNROLL _Pragma("GCC unroll 18")
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

/// f += c_k t, in the vector part.
template <class T>
TESSERA_HOST_DEVICE void add_along(int pair, T t, Four<T>& f) {
  int const q = 2 * pair + 1;
  f.x += static_cast<T>(D3Q19::x(q)) * t;
  f.y += static_cast<T>(D3Q19::y(q)) * t;
  f.z += static_cast<T>(D3Q19::z(q)) * t;
}

/// Where value k of a node stands in a Lanczos vector: chunk after chunk, in each an array for each
/// value. So a pass follows few streams of memory, and the values of a chunk lie together.
TESSERA_HOST_DEVICE std::int64_t value_index(int k, std::int64_t node) {
  return node + (node / chunk_size) * (std::int64_t{chunk_size} * (node_values - 1)) +
         std::int64_t{k} * chunk_size;
}

/// The other end of a link.
struct LinkEnd {
  std::int64_t node = 0;  ///< at a wall the node itself, so that loads need no branch
  bool wall = false;
};

/// Where the links of the nodes lead. Only this type knows how links are stored.
struct Links {
  std::int32_t const* table = nullptr;  ///< chunk after chunk, 18 arrays; -1: a wall

  TESSERA_HOST_DEVICE static std::int64_t index(int q, std::int64_t node) {
    return node + (node / chunk_size) * (std::int64_t{chunk_size} * 17) +
           std::int64_t{q - 1} * chunk_size;
  }
  /// The node at the other end of link q = 1 ... 18 of a node, or -1.
  TESSERA_HOST_DEVICE std::int32_t operator()(int q, std::int64_t node) const {
    return table[index(q, node)];
  }
  TESSERA_HOST_DEVICE LinkEnd end(int q, std::int64_t node) const {
    std::int32_t const other = table[index(q, node)];
    return {other < 0 ? node : std::int64_t{other}, other < 0};
  }
};

}  // namespace tessera::stokes

// SPDX-License-Identifier: MIT
// The multigrid's finest level: the matrices of a pressure and of three components of a velocity at
// the nodes.
#pragma once

#include <cstdint>
#include <type_traits>

#include "methods/stokes/equation.hpp"
#include "methods/stokes/medium.hpp"
#include "methods/stokes/mobility.hpp"
#include "methods/stokes/modes.hpp"

namespace tessera::steady::stokes {

/// What links weigh (methods/steady/first_level.hpp).
template <class Medium>
struct Edges {
  Links links;
  Medium medium;
  float const* mobility = nullptr;
  TESSERA_HOST_DEVICE Two<double> weight(int q, std::int64_t i, std::int32_t j) const {
    double const w = laplace_weight((q - 1) / 2);
    return {w * mobility_between(double{mobility[i]}, double{mobility[j]}),
            medium.brought(q, i, links.ends(q, i), w)};
  }
  /// What walls take, and grey links that reflect a part.
  TESSERA_HOST_DEVICE double wall(int q, std::int64_t i, std::int32_t /*end*/) const {
    double const w = laplace_weight((q - 1) / 2);
    LinkEnds const ends = links.ends(q, i);
    return ends.wall ? 2 * w : medium.taken(q, i, ends, w) - medium.brought(q, i, ends, w);
  }
};

/// Diagonals of the finest level.
template <class Medium>
struct FineDiagonal {
  Medium medium;
  float const* mobility = nullptr;
  Two<float>* diagonal = nullptr;
  TESSERA_HOST_DEVICE void operator()(std::int64_t i) const {
    float s = 0;
    float v = 0;
    for (int q = 1; q < D3Q19::size; ++q) {
      std::int32_t const j = medium.links(q, i);
      float const w = laplace_weight((q - 1) / 2);
      v += j < 0 ? 2 * w : medium.taken(q, i, medium.links.ends(q, i), w);
      if (j >= 0) s += w * mobility_between(mobility[i], mobility[j]);
    }
    diagonal[i] = {s > 0 ? s : 1.0F, v};
  }
};

/// The finest level, whose matrix is not stored.
template <class T, class Medium>
struct FineMatrix {
  using Equation = stokes::Equation;
  using Value = Four<T>;
  static constexpr bool in_groups = std::is_same_v<T, float>;

  Medium medium;
  float const* mobility = nullptr;
  Two<float> const* diagonal = nullptr;
  std::int32_t const* chunk_part = nullptr;
  double const* mean = nullptr;  ///< of the density's right-hand side, of each pore space
  Four<T> const* b = nullptr;
  Four<T> const* x = nullptr;

  /// b - A x at a node, or at each node of a group. Loads need no branches: at a wall the node
  /// itself takes the place of the other end, with no flux for the pressure and the opposite
  /// velocity.
  template <class At>
  TESSERA_HOST_DEVICE Four<ValueAt<T, At>> residual(At at, Four<ValueAt<T, At>>& own) const {
    using Number = ValueAt<T, At>;
    own = load(x, at);
    auto const own_mobility = load(mobility, at);
    auto const own_scalar = scalar_part(own);
    auto const own_vector = vector_part(own);
    Four<Number> r = load(b, at);
    r.s -= static_cast<T>(mean[chunk_part[chunk_of(at)]]);
    TESSERA_UNROLL_ON_GPU
    for (int q = 1; q < D3Q19::size; ++q) {
      LinkEnds<At> const ends = medium.links.ends(q, at);
      T const w = static_cast<T>(laplace_weight((q - 1) / 2));
      Two<Number> const weights{
          w * static_cast<Number>(mobility_between(own_mobility, ends.of(mobility))),
          medium.brought(q, at, ends, w)};
      r += weights * (ends.of(x) - own_scalar) - medium.taken(q, at, ends, w) * own_vector;
    }
    return r;
  }
  template <class At>
  TESSERA_HOST_DEVICE Four<ValueAt<T, At>> residual(At at) const {
    Four<ValueAt<T, At>> own{};
    return residual(at, own);
  }
};

}  // namespace tessera::steady::stokes

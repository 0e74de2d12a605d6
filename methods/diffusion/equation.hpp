// SPDX-License-Identifier: MIT
// What the multigrid has to know of diffusion (methods/steady/level.hpp): one matrix, of the six
// faces of a voxel.
#pragma once

#include <cstdint>

#include "base/host_device.hpp"
#include "methods/steady/level.hpp"
#include "methods/steady/links.hpp"
#include "models/lattice/d3q19.hpp"

namespace tessera::steady::diffusion {

struct Equation {
  static constexpr int links = 6;
  template <class T>
  using Value = T;
  using Weights = float;
  using Total = double;
  static constexpr bool walls_couple = true;

  static constexpr double damping = 0.85;
  static constexpr double correction = 1.8;
  /// A level with more of the rows below is left out: islands in what conducts badly stay apart,
  /// and the cycle visits each level twice as often as the one below it.
  static constexpr double most_rows_left = 0.75;

  TESSERA_HOST_DEVICE static double wall_total(float wall) { return double{wall}; }
  TESSERA_HOST_DEVICE static float rounded(double total) { return static_cast<float>(total); }
  TESSERA_HOST_DEVICE static double total_of(float w) { return double{w}; }
  TESSERA_HOST_DEVICE static float diagonal(double sum) {
    return sum > 0 ? static_cast<float>(sum) : 1.0F;
  }
  TESSERA_HOST_DEVICE static float coupling(float w) { return w; }
  /// Whether neighbours of a coupling and these diagonals become one row. In large boxes, too, an
  /// island that conducts well stays apart from what conducts badly around it.
  TESSERA_HOST_DEVICE static bool unites(float coupling, float own, float other, BoxLevel level) {
    constexpr float least = 1e-4F;
    return is_no_throat(coupling, own, other, level) &&
           (level.is_last || (coupling >= least * own && coupling >= least * other));
  }
  template <class T>
  TESSERA_HOST_DEVICE static T smoothed(T r, T diagonal) {
    return static_cast<float>(damping) / diagonal * r;
  }
  TESSERA_HOST_DEVICE static float corrected(float x, float coarse) {
    return x + static_cast<float>(correction) * coarse;
  }
  TESSERA_HOST_DEVICE static float residual_start(float b, float own, Rows<Equation> const& rows,
                                                  std::int64_t row) {
    return b - rows.wall[row] * own;
  }
  TESSERA_HOST_DEVICE static void add_edge(float w, float other, float own, float& r) {
    r += w * (other - own);
  }
  TESSERA_HOST_DEVICE static float inverted_part(float b) { return b; }
  TESSERA_HOST_DEVICE static float solved(float inverse, float /*b*/, float /*diagonal*/) {
    return inverse;
  }
};
using Links = LinkTable<Equation::links>;

/// The axis of a link.
TESSERA_HOST_DEVICE constexpr int along(int q) { return (q - 1) / 2; }

/// What a face conducts.
template <class T>
TESSERA_HOST_DEVICE T between(T a, T b) {
  return 2 * a * b / (a + b);
}
/// The step of a linear potential along a link.
TESSERA_HOST_DEVICE double step_along(int q, int axis) {
  return axis == 0 ? D3Q19::x(q) : axis == 1 ? D3Q19::y(q) : D3Q19::z(q);
}

/// What links weigh (methods/steady/first_level.hpp).
struct Edges {
  Links links;
  float const* conductivity = nullptr;  ///< of nodes; 1 in holes
  float factor[3] = {1, 1, 1};          ///< of links along each axis: 1 / edge^2, the largest 1
  TESSERA_HOST_DEVICE double weight(int q, std::int64_t i, std::int32_t j) const {
    return double{factor[along(q)]} * between(double{conductivity[i]}, double{conductivity[j]});
  }
  TESSERA_HOST_DEVICE double wall(int q, std::int64_t i, std::int32_t end) const {
    return end == Links::open_end ? double{factor[along(q)]} * 2 * double{conductivity[i]} : 0.0;
  }
};

/// The diagonal of the finest level, and the part of it that couples with the ends of the box.
struct FineDiagonal {
  Edges edges;
  float* diagonal = nullptr;
  float* wall = nullptr;
  TESSERA_HOST_DEVICE void operator()(std::int64_t i) const {
    double sum = 0;
    double of_ends = 0;
    for (int q = 1; q <= Links::size; ++q) {
      std::int32_t const j = edges.links(q, i);
      if (j < 0) {
        of_ends += edges.wall(q, i, j);
      } else {
        sum += edges.weight(q, i, j);
      }
    }
    wall[i] = static_cast<float>(of_ends);
    diagonal[i] = Equation::diagonal(sum + of_ends);
  }
};

/// The finest level, whose matrix is not stored.
struct FineMatrix {
  using Equation = diffusion::Equation;
  using Value = float;
  static constexpr bool in_groups = true;

  Edges edges;
  float const* diagonal = nullptr;
  float const* wall = nullptr;
  std::int32_t const* chunk_part = nullptr;
  double const* mean = nullptr;  ///< of b in each part, 0 where an end gives the potential
  float const* b = nullptr;
  float const* x = nullptr;

  /// A y at a node, or at each node of a group; at a wall nothing flows.
  template <class At>
  TESSERA_HOST_DEVICE ValueAt<float, At> applied(At at, float const* y,
                                                 ValueAt<float, At>& own) const {
    own = load(y, at);
    auto const conductivity = load(edges.conductivity, at);
    ValueAt<float, At> sum = load(wall, at) * own;
    TESSERA_UNROLL_ON_GPU
    for (int q = 1; q <= Links::size; ++q) {
      LinkEnds<At> const ends = edges.links.ends(q, at);
      sum += edges.factor[along(q)] * between(conductivity, ends.of(edges.conductivity)) *
             (own - ends.of(y));
    }
    return sum;
  }
  /// b - A x.
  template <class At>
  TESSERA_HOST_DEVICE ValueAt<float, At> residual(At at) const {
    ValueAt<float, At> own{};
    return load(b, at) - static_cast<float>(mean[chunk_part[chunk_of(at)]]) - applied(at, x, own);
  }
};

}  // namespace tessera::steady::diffusion

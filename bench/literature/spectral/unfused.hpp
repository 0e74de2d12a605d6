// SPDX-License-Identifier: MIT
// Spectral differences as a published solver computes them, routine by routine through buffers of
// the whole mesh (A. Cassagne, CERFACS WN-CFD-14-5, 2014): what a fused stage is compared with.
// Boxes of equal cells, periodic, of one degree.
//
//   S, SB, SI  states, those at the beginning of the step, divergences
//   F          fluxes along each axis, and the states at the ends of elements until these are known
//   SF, FF     states on both sides of each face, and its common flux; face (axis, e) is the lower
//              one of element e
//
// Version 2 extrapolates once, to F; version 1 to the faces, and again inside.
#pragma once

#include <cstddef>
#include <cstdint>

#include "models/spectral/gas.hpp"
#include "models/spectral/line.hpp"
#include "models/spectral/riemann.hpp"
#include "partition/spectral/packs.hpp"

namespace tessera {

/// How variables and points lie.
enum class UnfusedLayout : std::uint8_t {
  variables_first,  ///< the five of a point side by side ("old")
  points_first,     ///< the points of an element's variable side by side ("new")
};

struct UnfusedCase {
  int dimension = 3;
  int degree = 3;
  std::int32_t cells[3] = {1, 1, 1};
  int version = 2;
  UnfusedLayout layout = UnfusedLayout::points_first;

  std::int64_t elements() const { return std::int64_t{cells[0]} * cells[1] * cells[2]; }
  std::int64_t points() const {
    return elements() * spectral::PackShape{dimension, degree}.points();
  }
};

/// Values of a number that a stage moves for each point, each routine reading and writing its
/// buffers once.
constexpr double unfused_values(int dimension, int degree, int version) {
  double const face = 5.0 * dimension / (degree + 1);  // of one side of all faces
  double const fluxes = face * (degree + 2);
  double const at_faces = 3 * face;  // Riemann solver
  double const gather = 3 * face;    // read once, written to both elements
  double const update = 15;
  if (version == 1) return (5 + 2 * face) + at_faces + gather + (5 + 2 * face + 5) + update;
  return (5 + fluxes) + 4 * face + at_faces + gather + (fluxes + 5) + update;
}

template <int dimension_, int p_, class N>
struct Unfused {
  static constexpr int dimension = dimension_;
  static constexpr int p = p_;
  static constexpr int n = p + 1;
  static constexpr int lines = spectral::power(n, dimension - 1);
  static constexpr int points = lines * n;
  static constexpr int fluxes = lines * (p + 2);  // along an axis: point f of line l is f lines + l
  using State = spectral::State<N>;

  std::int32_t cells[3];
  std::int64_t elements;
  UnfusedLayout layout;
  N per_width;  ///< of cells, which are cubes
  N *s, *sb, *si, *f, *left, *right, *ff;

  TESSERA_HOST_DEVICE std::int64_t at(std::int64_t owner, int count, int v, int i) const {
    return layout == UnfusedLayout::points_first ? (owner * 5 + v) * count + i
                                                 : (owner * count + i) * 5 + v;
  }
  TESSERA_HOST_DEVICE std::int64_t solution(std::int64_t e, int v, int i) const {
    return at(e, points, v, i);
  }
  TESSERA_HOST_DEVICE std::int64_t flux(std::int64_t e, int axis, int v, int k) const {
    return at(e * dimension + axis, fluxes, v, k);
  }
  /// Point `line` of the lower face of an element; variable after variable over the whole mesh.
  TESSERA_HOST_DEVICE std::int64_t face(std::int64_t e, int axis, int v, int line) const {
    std::int64_t const point = (axis * elements + e) * lines + line;
    return layout == UnfusedLayout::points_first ? v * (dimension * elements * lines) + point
                                                 : point * 5 + v;
  }
  static constexpr std::int64_t numbers_of_states(std::int64_t elements) {
    return elements * 5 * points;
  }
  static constexpr std::int64_t numbers_of_fluxes(std::int64_t elements) {
    return elements * dimension * 5 * fluxes;
  }
  static constexpr std::int64_t numbers_of_faces(std::int64_t elements) {
    return elements * dimension * 5 * lines;
  }

  /// The neighbour in front along an axis.
  TESSERA_HOST_DEVICE std::int64_t below(std::int64_t e, int axis) const {
    std::int64_t stride = 1;
    for (int a = 0; a < axis; ++a) stride *= cells[a];
    std::int64_t const at = e / stride % cells[axis];
    return at == 0 ? e + (cells[axis] - 1) * stride : e - stride;
  }
  TESSERA_HOST_DEVICE static int point_of_line(int axis, int line, int i) {
    constexpr spectral::PackShape shape{dimension, p};
    return shape.line_begin(axis, line) + i * shape.line_stride(axis);
  }

  /// A common flux.
  TESSERA_HOST_DEVICE void solve(std::int64_t e, int axis, int line) const {
    State l, r;
    for (int v = 0; v < 5; ++v) {
      l[v] = left[face(e, axis, v, line)];
      r[v] = right[face(e, axis, v, line)];
    }
    N const area[3] = {axis == 0 ? N{1} : N{0}, axis == 1 ? N{1} : N{0}, axis == 2 ? N{1} : N{0}};
    State const common =
        spectral::common_flux(spectral::RiemannSolver::roe, l, r, area, spectral::Gas<N>{}, N{0});
    for (int v = 0; v < 5; ++v) ff[face(e, axis, v, line)] = common[v];
  }
  /// F's ends to SF, and FF to F's ends, of the two elements of a face.
  TESSERA_HOST_DEVICE void scatter(std::int64_t e, int axis, int line) const {
    std::int64_t const before = below(e, axis);
    for (int v = 0; v < 5; ++v) {
      left[face(e, axis, v, line)] = f[flux(before, axis, v, (p + 1) * lines + line)];
      right[face(e, axis, v, line)] = f[flux(e, axis, v, line)];
    }
  }
  TESSERA_HOST_DEVICE void gather(std::int64_t e, int axis, int line) const {
    std::int64_t const before = below(e, axis);
    for (int v = 0; v < 5; ++v) {
      N const common = ff[face(e, axis, v, line)];
      f[flux(before, axis, v, (p + 1) * lines + line)] = common;
      f[flux(e, axis, v, line)] = common;
    }
  }
  /// Version 1: S straight to SF.
  TESSERA_HOST_DEVICE void extrapolate(spectral::Operators<p, N> const& matrices, std::int64_t e,
                                       int axis, int line) const {
    std::int64_t const before = below(e, axis);
    for (int v = 0; v < 5; ++v) {
      N lower[n], own[n];
      for (int i = 0; i < n; ++i) {
        lower[i] = s[solution(before, v, point_of_line(axis, line, i))];
        own[i] = s[solution(e, v, point_of_line(axis, line, i))];
      }
      left[face(e, axis, v, line)] = spectral::extrapolated<p>(matrices, p + 1, lower);
      right[face(e, axis, v, line)] = spectral::extrapolated<p>(matrices, 0, own);
    }
  }
  TESSERA_HOST_DEVICE static State inner_flux(State const& q, int axis) {
    N const area[3] = {axis == 0 ? N{1} : N{0}, axis == 1 ? N{1} : N{0}, axis == 2 ? N{1} : N{0}};
    return spectral::flux(q, area, spectral::Gas<N>{});
  }
};

}  // namespace tessera

// SPDX-License-Identifier: MIT
// What the multigrid has to know of the flow (methods/steady/level.hpp): the matrices of a pressure
// and of three components of a velocity.
//
// Pressure: -div c grad, a link weighs 3 w_q times the lesser mobility c of its nodes. Velocity:
// minus the Laplacian of one component, 3 w_q, with 2 * 3 w_q on the diagonal for each link to a
// wall half-way.
#pragma once

#include <cstdint>

#include "methods/steady/four.hpp"
#include "methods/steady/level.hpp"
#include "methods/steady/node_group.hpp"

namespace tessera::steady::stokes {

struct Equation {
  static constexpr int links = 18;
  template <class T>
  using Value = Four<T>;
  using Weights = Two<float>;
  using Total = Two<double>;

  static constexpr double damping = 0.7;
  static constexpr double pressure_correction = 1.9;
  static constexpr double velocity_correction = 1.3;
  /// A level with more of the rows below is left out: none.
  static constexpr double most_rows_left = 1;

  /// Walls hold the velocity, of which the last level has only the diagonal.
  static constexpr bool walls_couple = false;

  TESSERA_HOST_DEVICE static Total wall_total(float wall) { return {0, double{wall}}; }
  TESSERA_HOST_DEVICE static Weights rounded(Total const& total) {
    return {static_cast<float>(total.s), static_cast<float>(total.v)};
  }
  TESSERA_HOST_DEVICE static Total total_of(Weights const& w) { return {double{w.s}, double{w.v}}; }
  TESSERA_HOST_DEVICE static Weights diagonal(Total const& sum) {
    return {sum.s > 0 ? static_cast<float>(sum.s) : 1.0F,
            sum.v > 0 ? static_cast<float>(sum.v) : 1.0F};
  }
  /// By which rows are united: the pressure's.
  TESSERA_HOST_DEVICE static float coupling(Weights const& w) { return w.s; }
  /// Whether neighbours of a coupling and these diagonals become one row.
  TESSERA_HOST_DEVICE static bool unites(float coupling, float own, float other, BoxLevel level) {
    return is_no_throat(coupling, own, other, level);
  }

  /// The step of damped Jacobi for a residual.
  template <class T>
  TESSERA_HOST_DEVICE static Four<T> smoothed(Four<T> const& f, Weights const& diagonal) {
    T const s = static_cast<T>(damping) / static_cast<T>(diagonal.s);
    T const v = static_cast<T>(damping) / static_cast<T>(diagonal.v);
    return Two<T>{s, v} * f;
  }
#ifndef __CUDACC__
  TESSERA_HOST_DEVICE static Four<FloatGroup> smoothed(Four<FloatGroup> const& f,
                                                       Two<FloatGroup> const& diagonal) {
    constexpr auto factor = static_cast<float>(damping);
    return Two<FloatGroup>{factor / diagonal.s, factor / diagonal.v} * f;
  }
#endif
  /// What the next coarser level adds: more than it found, as constants on aggregates are stiff.
  template <class T>
  TESSERA_HOST_DEVICE static Four<T> corrected(Four<T> const& x, Four<T> const& coarse) {
    return x + Two<T>{static_cast<T>(pressure_correction), static_cast<T>(velocity_correction)} *
                   coarse;
  }

  /// b - A x of a coarse row before its edges. The pressure is in differences, so that a large
  /// constant costs no digits; the velocity has a diagonal of its own, because of the walls.
  template <class T>
  TESSERA_HOST_DEVICE static Four<T> residual_start(Four<T> const& b, Four<T> const& own,
                                                    Rows<Equation> const& rows, std::int64_t row) {
    return b - vector_part(static_cast<T>(rows.diagonal[row].v) * own);
  }
  /// Adds the term of an edge to the residual of a row.
  template <class T>
  TESSERA_HOST_DEVICE static void add_edge(Weights const& w, Four<T> const& other,
                                           Four<T> const& own, Four<T>& r) {
    r += Two<T>{static_cast<T>(w.s), static_cast<T>(w.v)} * (other - scalar_part(own));
  }

  /// What the last level inverts: the pressure.
  template <class T>
  TESSERA_HOST_DEVICE static T inverted_part(Four<T> const& b) {
    return b.s;
  }
  /// The last level's x: the pressure by its inverse, the velocity, which the walls hold, by its
  /// diagonal.
  template <class T>
  TESSERA_HOST_DEVICE static Four<T> solved(T pressure, Four<T> const& b, Weights const& diagonal) {
    T const v = T{1} / static_cast<T>(diagonal.v);
    return {pressure, v * b.x, v * b.y, v * b.z};
  }
};

}  // namespace tessera::steady::stokes

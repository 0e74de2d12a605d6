// SPDX-License-Identifier: MIT
// The flow rate of a creeping flow when it has settled, estimated from successive states.
//
// The step g' = C R P g + F of populations after collision (P: the links, R: q <-> its opposite,
// C: collision, F: force) is symmetric in the product <a, b> = sum a_q b_q / w_q: with linear
// equilibrium, half-way walls and a body force alone. The steady state g* solves M g = F,
// M = P - R C^-1, and for any state with the residual r = F - M g = -R C^-1 (g' - g) the functional
//   K(g) = <F, g> + <g, r> = <F, g*> - <g* - g, M (g* - g)> differs from the steady state's <F, g*>
// = 3 F . sum j in second order of the state's error, where <F, g> itself differs in first order.
// The state is the mean of two successive ones, which has no oscillation of odd and even steps
// (docs/method.md).
#pragma once

#include <cmath>
#include <optional>

#include "models/lattice/flow_model.hpp"
#include "models/lattice/halves.hpp"

namespace tessera {

/// Parameters of the functional of a node.
struct FunctionalParameters {
  double even;  ///< 1 / (1 - rate of the even half); 0 where there is nothing left of it
  double odd;
  double force[3];  ///< body force per mass
};

/// The parameters of a model; none for operators whose step does not have the form above.
inline std::optional<FunctionalParameters> functional_parameters(FlowModel const& model,
                                                                 FlowParameters const& p) {
  bool const two_rates =
      model.collision == CollisionOperator::bgk || model.collision == CollisionOperator::trt;
  if (!two_rates || model.equilibrium != EquilibriumForm::linear || model.smagorinsky)
    return std::nullopt;
  // A half that is 0 after the collision has no share in <g, r>, nor has its rounding.
  auto const inverse = [](double kept) { return std::abs(kept) < 1e-6 ? 0.0 : 1 / kept; };
  return FunctionalParameters{
      inverse(1 - p.shear), inverse(1 - p.odd), {p.force[0], p.force[1], p.force[2]}};
}

/// Terms of two successive states, g and g' = g after a step.
struct FunctionalTerms {
  double driven = 0;  ///< <F, g>
  double own = 0;     ///< <g, r>
  double ahead = 0;   ///< <g', r>
};

/// K of the mean of two successive states. `first`: terms of the first and second state; `second`:
/// terms of the second and a third. As M is symmetric, <g, r'> = <g', r> + <F, g> - <F, g'>.
constexpr double functional_of_mean(FunctionalTerms const& first, FunctionalTerms const& second) {
  double const residual = first.own + second.own + 2 * first.ahead + first.driven - second.driven;
  return 0.5 * (first.driven + second.driven) + 0.25 * residual;
}

/// sums += the terms of a node (or of one node a lane) whose shifted populations after collision
/// are g, and `next` a step later.
template <VelocitySet Lattice, class Real>
TESSERA_HOST_DEVICE void add_functional_terms(Real const (&g)[Lattice::size],
                                              Real const (&next)[Lattice::size],
                                              FunctionalParameters const& p, Real (&sums)[3]) {
  struct Moments {
    Real density;
    Real momentum[3];
  };
  Moments now{g[0], {}}, change{next[0] - g[0], {}};
  Real even = now.density * change.density * (1 / Lattice::weight(0));
  Real even_square = change.density * change.density * (1 / Lattice::weight(0));
  Real odd = {}, odd_square = {};
  for (int q = 1; q < Lattice::size; q += 2) {
    Real const even_now = g[q] + g[q + 1];
    Real const odd_now = g[q] - g[q + 1];
    Real const even_change = next[q] + next[q + 1] - even_now;
    Real const odd_change = next[q] - next[q + 1] - odd_now;
    double const share = 0.5 / Lattice::weight(q);
    even += even_now * even_change * share;
    even_square += even_change * even_change * share;
    odd += odd_now * odd_change * share;
    odd_square += odd_change * odd_change * share;
    now.density += even_now;
    change.density += even_change;
    for (int a = 0; a < 3; ++a) {
      now.momentum[a] += component<Lattice>(q, a) * odd_now;
      change.momentum[a] += component<Lattice>(q, a) * odd_change;
    }
  }
  Real along = {}, square = {};
  for (int a = 0; a < 3; ++a) {
    along += now.momentum[a] * change.momentum[a];
    square += change.momentum[a] * change.momentum[a];
    sums[0] += 3 * p.force[a] * now.momentum[a];
  }
  // C^-1 is 1 on density and momentum; R turns the odd half round.
  Real const own = 3 * (1 - p.odd) * along + p.odd * odd -
                   (1 - p.even) * (now.density * change.density) - p.even * even;
  sums[1] += own;
  sums[2] += own + 3 * (1 - p.odd) * square + p.odd * odd_square -
             (1 - p.even) * (change.density * change.density) - p.even * even_square;
}

}  // namespace tessera

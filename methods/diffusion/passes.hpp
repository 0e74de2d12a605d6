// SPDX-License-Identifier: MIT
// Conjugate gradients as passes over the nodes:
//
//   ApplyMatrix      t = A p; <p, t>
//   MoveState        V += alpha p, r -= alpha t; the cycle's first smoothing
//   (multigrid)      H r
//   FinishCycle      z = H r; <r, z>
//   TurnDirection    p = z + beta p
//
// and what a state itself says, in double.
#pragma once

#include <cstdint>

#include "methods/diffusion/equation.hpp"
#include "methods/steady/four.hpp"
#include "methods/steady/sums.hpp"

namespace tessera::steady::diffusion {

/// Iterations between restarts at most.
inline constexpr int most_iterations = 500;

/// The scalars of the iteration, on the machine.
struct Scalars {
  std::int32_t step;
  std::int32_t broken;
  double product[most_iterations];     ///< <p, A p>
  double square[most_iterations + 1];  ///< <r, H r>
};

struct TakeProduct {
  Scalars* scalars = nullptr;
  TESSERA_HOST_DEVICE void operator()(std::int64_t, Sums<1> const& sums) const {
    scalars->product[scalars->step] = sums.of[0];
    if (!(sums.of[0] >= 0)) scalars->broken = 1;
  }
};
struct TakeSquare {
  Scalars* scalars = nullptr;
  bool begins = false;
  TESSERA_HOST_DEVICE void operator()(std::int64_t, Sums<1> const& sums) const {
    scalars->step = begins ? 0 : scalars->step + 1;
    scalars->square[scalars->step] = sums.of[0];
    if (!(sums.of[0] >= 0)) scalars->broken = 1;
  }
};
struct TakeMeans {
  double const* inverse_nodes = nullptr;  ///< 0 for parts with an end
  double* mean = nullptr;
  TESSERA_HOST_DEVICE void operator()(std::int64_t part, Sums<1> const& sums) const {
    mean[part] = sums.of[0] * inverse_nodes[part];
  }
};

struct Vectors {
  double* state = nullptr;  ///< V
  float* r = nullptr;
  float* x = nullptr;  ///< of the cycle
  float* z = nullptr;
  float* p = nullptr;
  float* t = nullptr;
};

struct ApplyMatrix {
  FineMatrix fine;
  Vectors of;
  static constexpr bool in_groups = true;
  template <class At>
  TESSERA_HOST_DEVICE SumsAt<1, At> operator()(At at) const {
    ValueAt<float, At> own{};
    ValueAt<float, At> const t = fine.applied(at, of.p, own);
    store(of.t, at, t);
    return {{in_double(own) * in_double(t)}};
  }
};
struct MoveState {
  Vectors of;
  float const* diagonal = nullptr;
  Scalars const* scalars = nullptr;
  TESSERA_HOST_DEVICE Sums<1> operator()(std::int64_t i) const {
    double const product = scalars->product[scalars->step];
    double const alpha = product > 0 ? scalars->square[scalars->step] / product : 0;
    of.state[i] += alpha * double{of.p[i]};
    float const r = of.r[i] - static_cast<float>(alpha) * of.t[i];
    of.r[i] = r;
    of.x[i] = Equation::smoothed(r, diagonal[i]);
    return {{double{r}}};
  }
};
struct FinishCycle {
  FineMatrix fine;
  Vectors of;
  std::int32_t const* parent = nullptr;
  static constexpr bool in_groups = true;
  template <class At>
  TESSERA_HOST_DEVICE SumsAt<1, At> operator()(At at) const {
    using Value = ValueAt<float, At>;
    auto const hole = load(parent, at) < 0;
    Value z = load(of.x, at) + Equation::smoothed(fine.residual(at), load(fine.diagonal, at));
    z = chosen(hole, Value{}, z);
    store(of.z, at, z);
    return {{in_double(z) * in_double(load(of.r, at))}};
  }
};
struct TurnDirection {
  Vectors of;
  Scalars const* scalars = nullptr;
  TESSERA_HOST_DEVICE void operator()(std::int64_t i) const {
    int const k = scalars->step;
    bool const goes_on = k > 0 && scalars->square[k - 1] > 0;
    float const beta =
        goes_on ? static_cast<float>(scalars->square[k] / scalars->square[k - 1]) : 0.0F;
    of.p[i] = goes_on ? of.z[i] + beta * of.p[i] : of.z[i];
  }
};

/// The potential's drop along a link of a node, in double.
struct Drops {
  Links links;
  double const* conductivity = nullptr;
  double const* state = nullptr;
  int axis = 0;
  double factor[3] = {1, 1, 1};  ///< of links along each axis, see Edges
  /// Calls visit(q, conductance, drop, share) for links that conduct; `drop`: V there less V here;
  /// `share`: the part of the link that is counted here, half unless it ends at an end of the box.
  template <class Visit>
  TESSERA_HOST_DEVICE void for_each(std::int64_t i, Visit const& visit) const {
    for (int q = 1; q <= Links::size; ++q) {
      std::int32_t const j = links(q, i);
      double const step = step_along(q, axis);
      if (j >= 0) {
        visit(q, factor[along(q)] * between(conductivity[i], conductivity[j]),
              step + state[j] - state[i], 0.5);
      } else if (j == Links::open_end) {
        visit(q, factor[along(q)] * 2 * conductivity[i], step / 2 - state[i], 1.0);
      }
    }
  }
};
/// r of the state, rounded; the energy at the node, of whose links it has half; the cycle's first
/// smoothing.
struct TakeResidual {
  Drops drops;
  Vectors of;
  float const* diagonal = nullptr;
  TESSERA_HOST_DEVICE Sums<2> operator()(std::int64_t i) const {
    double flux = 0;
    double energy = 0;
    drops.for_each(i, [&](int /*q*/, double g, double drop, double share) {
      flux += g * drop;
      energy += share * g * drop * drop;
    });
    auto const r = static_cast<float>(flux);
    of.r[i] = r;
    of.x[i] = Equation::smoothed(r, diagonal[i]);
    return {{energy, double{r}}};
  }
};
/// Half the fluxes through opposite faces, added; a wall lets nothing through.
struct TakeFluxes {
  Drops drops;
  double scale[3] = {1, 1, 1};  ///< edges along the axis and along each, over the shortest
  Four<float>* to = nullptr;
  TESSERA_HOST_DEVICE void operator()(std::int64_t i) const {
    double flux[3] = {0, 0, 0};
    drops.for_each(i, [&](int q, double g, double drop, double) {
      flux[along(q)] += (q % 2 == 1 ? 0.5 : -0.5) * scale[along(q)] * g * drop;
    });
    to[i] = {static_cast<float>(drops.state[i]), static_cast<float>(flux[0]),
             static_cast<float>(flux[1]), static_cast<float>(flux[2])};
  }
};

}  // namespace tessera::steady::diffusion

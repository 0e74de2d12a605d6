// SPDX-License-Identifier: MIT
// The state that the iteration has reached, assembled and evaluated in double, whatever the
// iteration computes in.
//
// The solver keeps a node's density and momentum. The other odd modes follow from them: their rows
// of M g = F are o = -mu (P g), which contracts by |mu| each time it is used. The residual is
// computed for the state with these modes as they are then, so nothing about them is approximate.
#pragma once

#include <cstdint>

#include "methods/steady/union_find.hpp"
#include "methods/stokes/lanczos.hpp"

namespace tessera::steady::stokes {

/// The state at the nodes: four moments, and the other odd modes in the places of odd halves.
template <class T, class Medium>
struct State {
  Medium medium;
  Four<double> const* moments = nullptr;
  T const* other = nullptr;  ///< like a Lanczos vector

  TESSERA_HOST_DEVICE double odd(int pair, std::int64_t i) const {
    return double{other[value_index(pair + 1, i)]} +
           momentum_weight(pair) * along(pair, moments[i]);
  }
  /// What streaming brings to a node: the odd halves of P g, and its density less the own.
  TESSERA_HOST_DEVICE double streamed(std::int64_t i, double (&image)[pairs]) const {
    double const own = moments[i].s;
    double density = 0;
    TESSERA_UNROLL
    for (int k = 0; k < pairs; ++k) {
      LinkEnds const up = medium.links.ends(2 * k + 1, i);
      LinkEnds const down = medium.links.ends(2 * k + 2, i);
      double const here = odd(k, i);
      double const oa = odd(k, up.node);
      double const ob = odd(k, down.node);
      auto const ta = -medium.template carried<double>(2 * k + 1, i, up, oa, here);
      auto const tb = medium.template carried<double>(2 * k + 2, i, down, ob, here);
      auto const da = medium.template passed<double>(2 * k + 1, i, up, moments[up.node].s - own);
      auto const db =
          medium.template passed<double>(2 * k + 2, i, down, moments[down.node].s - own);
      density += weight(k) * (da + db) + density_weight(k) * (ta + tb);
      image[k] = density_weight(k) * (da - db) + 0.5 * (ta - tb);
    }
    return density;
  }
};

/// One use of o = -mu (P g).
template <class T, class Medium>
struct RelaxOther {
  State<T, Medium> state;
  double odd = 0;
  T* other = nullptr;
  TESSERA_HOST_DEVICE void operator()(std::int64_t i) const {
    double image[pairs];
    state.streamed(i, image);
    Four<double> momentum{0, 0, 0, 0};
    for (int k = 0; k < pairs; ++k) add_along(k, momentum_weight(k) * image[k], momentum);
    for (int k = 0; k < pairs; ++k) {
      other[value_index(k + 1, i)] =
          static_cast<T>(-odd * (image[k] - momentum_weight(k) * along(k, momentum)));
    }
  }
};

TESSERA_HOST_DEVICE double component(Four<double> const& f, int axis) {
  return axis == 0 ? f.x : axis == 1 ? f.y : f.z;
}
/// c_k along an axis.
TESSERA_HOST_DEVICE int pair_velocity(int pair, int axis) {
  int const q = 2 * pair + 1;
  return axis == 0 ? D3Q19::x(q) : axis == 1 ? D3Q19::y(q) : D3Q19::z(q);
}
/// The odd halves of a force of 1: 3 w_q c_q, in the scaling of methods/stokes/modes.hpp.
TESSERA_HOST_DEVICE double force(int pair, int axis) {
  return sqrt3 * momentum_weight(pair) * pair_velocity(pair, axis);
}

/// Odd halves of populations themselves: (g_q - g_o) / 2.
template <class T, class Medium>
struct KeepOdd {
  State<T, Medium> state;
  T* to = nullptr;
  TESSERA_HOST_DEVICE void operator()(std::int64_t i) const {
    for (int k = 0; k < pairs; ++k)
      to[value_index(k + 1, i)] = static_cast<T>(density_weight(k) * state.odd(k, i));
  }
};

template <class T>
struct StartWithForce {
  std::int32_t const* parent = nullptr;
  int axis = 0;
  T* v = nullptr;
  TESSERA_HOST_DEVICE void operator()(std::int64_t i) const {
    v[value_index(0, i)] = 0;
    for (int k = 0; k < pairs; ++k)
      v[value_index(k + 1, i)] = static_cast<T>(parent[i] < 0 ? 0.0 : force(k, axis));
  }
};

/// r = F - M g, rounded into v; <F,g> and <g,r>.
template <class T, class Medium>
struct TakeTrueResidual {
  State<T, Medium> state;
  std::int32_t const* parent = nullptr;
  double inverse = 0;
  int axis = 0;
  T* v = nullptr;
  TESSERA_HOST_DEVICE Sums<3> operator()(std::int64_t i) const {
    if (parent[i] < 0) {
      for (int k = 0; k < node_values; ++k) v[value_index(k, i)] = 0;
      return {{0, 0, 0}};
    }
    double image[pairs];
    double const density = state.streamed(i, image);
    double own[pairs];
    Four<double> momentum{0, 0, 0, 0};
    for (int k = 0; k < pairs; ++k) {
      own[k] = state.odd(k, i);
      add_along(k, momentum_weight(k) * own[k], momentum);
    }
    double flow = 0;
    double push = 0;
    double product = -density * state.moments[i].s;
    v[value_index(0, i)] = static_cast<T>(-density);
    for (int k = 0; k < pairs; ++k) {
      double const f = force(k, axis);
      double const r = f - (image[k] + inverse * own[k] +
                            (1 - inverse) * momentum_weight(k) * along(k, momentum));
      flow += f * own[k];
      product += r * own[k];
      push += f * r;
      v[value_index(k + 1, i)] = static_cast<T>(r);
    }
    return {{flow, product, push}};
  }
};

/// Adds the last direction, which an iteration leaves to the next one.
template <class T>
struct AddLastDirection {
  LanczosScalars const* scalars = nullptr;
  Four<T> const* q = nullptr;
  Four<double>* solution = nullptr;
  TESSERA_HOST_DEVICE void operator()(std::int64_t i) const {
    double const add = scalars->gamma > 0 ? scalars->phi / scalars->gamma : 0.0;
    solution[i].s += add * double{q[i].s};
    solution[i].x += add * double{q[i].x};
    solution[i].y += add * double{q[i].y};
    solution[i].z += add * double{q[i].z};
  }
};

/// Density of the state with its last direction, for the mean.
template <class T>
struct DensityInTheEnd {
  LanczosScalars const* scalars = nullptr;
  Four<T> const* q = nullptr;
  Four<double> const* solution = nullptr;
  TESSERA_HOST_DEVICE double add() const {
    return scalars->gamma > 0 ? scalars->phi / scalars->gamma : 0.0;
  }
  TESSERA_HOST_DEVICE Sums<1> operator()(std::int64_t i) const {
    return {{solution[i].s + add() * double{q[i].s}}};
  }
};

/// Density shift, free of its mean, and velocity: the momentum has half a step's force after the
/// collision.
template <class T>
struct StateInTheEnd {
  DensityInTheEnd<T> end;
  int axis = 0;
  std::int32_t const* chunk_part = nullptr;
  double const* mean = nullptr;
  Four<T>* to = nullptr;
  TESSERA_HOST_DEVICE void operator()(std::int64_t i) const {
    double const add = end.add();
    Four<double> const x = end.solution[i];
    Four<T> const q = end.q[i];
    auto const velocity = [&](double moment, T direction, int along) {
      return static_cast<T>((moment + add * double{direction}) / sqrt3 - (along == axis ? 0.5 : 0));
    };
    to[i] = {static_cast<T>(x.s + add * double{q.s} - mean[chunk_part[i / chunk_size]]),
             velocity(x.x, q.x, 0), velocity(x.y, q.y, 1), velocity(x.z, q.z, 2)};
  }
};

struct DensityOf {
  Four<double> const* moments = nullptr;
  TESSERA_HOST_DEVICE Sums<1> operator()(std::int64_t i) const { return {{moments[i].s}}; }
};

}  // namespace tessera::steady::stokes

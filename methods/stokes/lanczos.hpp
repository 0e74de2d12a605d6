// SPDX-License-Identifier: MIT
// One iteration of preconditioned MINRES as passes over the nodes, in the letters of Paige and
// Saunders (SIAM J. Numer. Anal. 12 (1975) 617). Lanczos' vectors v_j are not normalised here:
//
//   ApplyOperator   w = M z_j - (beta_j / beta_{j-1}) v_{j-1},  z_j = H v_j / beta_j
//   TakeAlpha       alpha_j = <w, z_j>; delta_j, gamma_bar_j, epsilon_j
//   Orthogonalise   v_{j+1} = w - (alpha_j / beta_j) v_j; q_j; the solution
//   (multigrid)     H v_{j+1}
//   TakeBeta        beta_{j+1}^2 = <v_{j+1}, H v_{j+1}>; gamma_j, c_j, s_j, phi_j, phi_bar_j
//
// The rotations (c_j, s_j) make the tridiagonal of alpha and beta a triangle with gamma on its
// diagonal and delta, epsilon above it, and turn beta_1 e_1 into phi; phi_bar is the residual's
// norm. The directions are q_j = z_j - (delta_j / gamma_{j-1}) q_{j-1}
// - (epsilon_j / gamma_{j-2}) q_{j-2}; the solution gains (phi_j / gamma_j) q_j, one iteration
// late, when q_j is read anyway.
//
// H: sigma / 2 (1 + (-div c grad)^-1) on the density (Cahouet, Chabard, Int. J. Numer. Methods
// Fluids 8 (1988) 869, with the pores' mobility), (-nu lap)^-1 on the momentum, |mu| on the other
// odd modes; both inverses are a multigrid cycle. H v is never stored: with the density S and the
// momentum m that the cycle gives, its odd halves are h o_k + a_k c_k . m', m' = m - h j.
#pragma once

#include <cmath>
#include <cstdint>
#include <type_traits>

#include "methods/steady/sums.hpp"
#include "methods/stokes/fine_matrix.hpp"
#include "methods/stokes/modes.hpp"

namespace tessera::steady::stokes {

/// Iterations between restarts at most.
inline constexpr int most_iterations = 1000;

/// nu at relaxation time 1.
inline constexpr double viscosity = 1.0 / 6;

/// Factors of the operator and its preconditioner.
struct Factors {
  double odd = 0;        ///< mu: what a collision makes of the odd modes other than the momentum
  double inverse = 0;    ///< 1 / mu; 0 where mu is 0: these modes are 0 then
  double local = 0;      ///< h = |mu|
  double density = 1.5;  ///< sigma (tau - 1/2), sigma = 3
};
inline Factors factors_of(double magic) {
  // With tau - 1/2 = 1/2 the other rate's is 2 Lambda.
  double const mu = (2 * magic - 0.5) / (2 * magic + 0.5);
  if (std::abs(mu) < 1e-12) return {0, 0, 0};
  return {mu, 1 / mu, std::abs(mu)};
}

/// The scalars of the iteration, on the machine. Checkpoints store this struct as it is.
struct LanczosScalars {
  std::int32_t step;    ///< j
  std::int32_t broken;  ///< 1: not a number, or beta^2 < 0
  double alpha[most_iterations];
  double beta[most_iterations + 1];
  double local;  ///< the part of beta^2 that needs no multigrid
  /// The last two rotations.
  double c, s, c_before, s_before;
  double phi_bar;
  double gamma, gamma_before;
  double phi;
  double gamma_bar;  ///< the diagonal of this column before its own rotation
  double delta_over_gamma, epsilon_over_gamma, phi_over_gamma;
  double inverse_beta;     ///< 1 / beta_j
  double beta_ratio;       ///< beta_j / beta_{j-1}
  double alpha_over_beta;  ///< alpha_j / beta_j
};

/// Whether a pass belongs to the beginning or to an iteration.
enum class Lanczos : std::uint8_t { begin, step };

template <class T>
struct Vectors {
  T* v = nullptr;        ///< v_j: densities, then the odd halves of each pair
  T* w = nullptr;        ///< v_{j-1}, then v_{j+1}
  Four<T>* f = nullptr;  ///< S, m'
  Four<T>* b = nullptr;  ///< right-hand side of the cycle
  Four<T>* x = nullptr;  ///< its iterate
  Four<T>* q = nullptr;  ///< q_{j-1}
  Four<T>* p = nullptr;  ///< q_{j-2}, then q_j
  Four<double>* solution = nullptr;
};

/// The odd halves of H v at a node, or at those of a group.
template <class T, class Value>
TESSERA_HOST_DEVICE Value odd_half(int pair, T local, Value v, Four<Value> const& f) {
  return local * v + static_cast<T>(momentum_weight(pair)) * along(pair, f);
}

/// Norm of the momentum mode as its weights are rounded: what makes the collision keep momentum.
template <class T>
TESSERA_HOST_DEVICE constexpr T momentum_norm() {
  constexpr auto face = static_cast<double>(static_cast<T>(momentum_weight(0)));
  constexpr auto edge = static_cast<double>(static_cast<T>(momentum_weight(3)));
  return static_cast<T>(face * face + 4 * edge * edge);
}

template <class T, class Medium>
struct ApplyOperator {
  Medium medium;
  Factors factors;
  Vectors<T> vectors;
  LanczosScalars const* scalars = nullptr;

  static constexpr bool in_groups = std::is_same_v<T, float>;
  template <class At>
  TESSERA_HOST_DEVICE SumsAt<1, At> operator()(At at) const {
    using Value = ValueAt<T, At>;
    auto const inverse_beta = static_cast<T>(scalars->inverse_beta);
    auto const beta_ratio = static_cast<T>(scalars->beta_ratio);
    auto const h = static_cast<T>(factors.local);
    auto const inverse = static_cast<T>(factors.inverse);
    T const keep = (T{1} - inverse) / momentum_norm<T>();
    Four<Value> const f = load(vectors.f, at);

    // All loads come before the first store: what a store might change must not be read ahead.
    Value own[pairs];
    Four<Value> momentum{};
    TESSERA_UNROLL
    for (int k = 0; k < pairs; ++k) {
      own[k] = odd_half(k, h, load(vectors.v, value_index(k + 1, at)), f);
      add_along(k, static_cast<T>(momentum_weight(k)) * own[k], momentum);
    }
    Value density{};
    Value w[pairs];
    TESSERA_UNROLL
    for (int k = 0; k < pairs; ++k) {
      LinkEnds<At> const up = medium.links.ends(2 * k + 1, at);
      LinkEnds<At> const down = medium.links.ends(2 * k + 2, at);
      Four<Value> const fa = up.of(vectors.f);
      Four<Value> const fb = down.of(vectors.f);
      Value const oa = odd_half(k, h, value_at(up, vectors.v, k + 1), fa);
      Value const ob = odd_half(k, h, value_at(down, vectors.v, k + 1), fb);
      // What streams in along the links, less the own density: exactly 0 where the density is
      // constant.
      auto const ta = -medium.template carried<T>(2 * k + 1, at, up, oa, own[k]);
      auto const tb = medium.template carried<T>(2 * k + 2, at, down, ob, own[k]);
      auto const da = medium.template passed<T>(2 * k + 1, at, up, fa.s - f.s);
      auto const db = medium.template passed<T>(2 * k + 2, at, down, fb.s - f.s);
      auto const e = static_cast<T>(density_weight(k));
      density += static_cast<T>(weight(k)) * (da + db) + e * (ta + tb);
      Value const image = e * (da - db) + T{0.5} * (ta - tb) + inverse * own[k] +
                          keep * static_cast<T>(momentum_weight(k)) * along(k, momentum);
      w[k] = inverse_beta * image - beta_ratio * load(vectors.w, value_index(k + 1, at));
    }
    Value const first = inverse_beta * density - beta_ratio * load(vectors.w, value_index(0, at));
    Value sum = first * f.s;
    store(vectors.w, value_index(0, at), first);
    TESSERA_UNROLL
    for (int k = 0; k < pairs; ++k) {
      store(vectors.w, value_index(k + 1, at), w[k]);
      sum += w[k] * own[k];
    }
    return {{in_double(sum)}};
  }
};

struct TakeAlpha {
  LanczosScalars* scalars = nullptr;
  TESSERA_HOST_DEVICE void operator()(std::int64_t, Sums<1> const& sums) const {
    LanczosScalars& l = *scalars;
    int const j = l.step;
    double const beta = l.beta[j];
    double const alpha = beta > 0 ? sums.of[0] / beta : 0.0;
    l.alpha[j] = alpha;
    l.alpha_over_beta = beta > 0 ? alpha / beta : 0.0;
    double const above = j > 0 ? beta : 0.0;
    double const delta_bar = l.c_before * above;
    double const delta = l.c * delta_bar + l.s * alpha;
    double const epsilon = l.s_before * above;
    l.gamma_bar = l.c * alpha - l.s * delta_bar;
    l.delta_over_gamma = l.gamma > 0 ? delta / l.gamma : 0.0;
    l.epsilon_over_gamma = l.gamma_before > 0 ? epsilon / l.gamma_before : 0.0;
    l.phi_over_gamma = l.gamma > 0 ? l.phi / l.gamma : 0.0;
  }
};

/// v_{j+1}, the direction of the solution, the right-hand side of the cycle and its first
/// smoothing. At the beginning v_1 is in w already.
template <class T>
struct Orthogonalise {
  Links links;
  Factors factors;
  Vectors<T> vectors;
  Two<float> const* diagonal = nullptr;
  LanczosScalars const* scalars = nullptr;
  Lanczos what = Lanczos::step;

  static constexpr bool in_groups = std::is_same_v<T, float>;
  template <class At>
  TESSERA_HOST_DEVICE SumsAt<2, At> operator()(At at) const {
    using Value = ValueAt<T, At>;
    bool const begins = what == Lanczos::begin;
    auto const alpha_over_beta = static_cast<T>(begins ? 0.0 : scalars->alpha_over_beta);

    Value v[node_values];
    Value w[node_values];
    TESSERA_UNROLL
    for (int k = 0; k < node_values; ++k) {
      v[k] = begins ? Value{} : load(vectors.v, value_index(k, at));
      w[k] = load(vectors.w, value_index(k, at)) - alpha_over_beta * v[k];
    }
    Four<Value> b{w[0], Value{}, Value{}, Value{}};
    Four<Value> momentum{};  // of v_j
    Value square{};
    TESSERA_UNROLL
    for (int k = 0; k < pairs; ++k) {
      auto const weight = static_cast<T>(momentum_weight(k));
      add_along(k, weight * w[k + 1], b);
      add_along(k, weight * v[k + 1], momentum);
      square += w[k + 1] * w[k + 1];
    }
    TESSERA_UNROLL
    for (int k = 0; k < node_values; ++k) store(vectors.w, value_index(k, at), w[k]);
    store(vectors.b, at, b);
    store(vectors.x, at, Equation::smoothed(b, load(diagonal, at)));
    if (!begins) advance(at, momentum);
    Value const other = square - (b.x * b.x + b.y * b.y + b.z * b.z);
    return {{factors.local * in_double(other), in_double(b.s)}};
  }

 private:
  /// The solution gains the last direction, and the next direction takes the place of the one
  /// before.
  template <class At>
  TESSERA_HOST_DEVICE void advance(At at, Four<ValueAt<T, At>> const& momentum) const {
    using Value = ValueAt<T, At>;
    auto const inverse_beta = static_cast<T>(scalars->inverse_beta);
    auto const h = static_cast<T>(factors.local);
    Four<Value> const z = inverse_beta * (load(vectors.f, at) + h * momentum);
    Four<Value> const q = load(vectors.q, at);
    for_each_node(at, [&](std::int64_t i) TESSERA_INLINE_LAMBDA {
      Four<T> const direction = vectors.q[i];
      Four<double> const in_doubles{double{direction.s}, double{direction.x}, double{direction.y},
                                    double{direction.z}};
      vectors.solution[i] += scalars->phi_over_gamma * in_doubles;
    });
    store(vectors.p, at,
          z - static_cast<T>(scalars->delta_over_gamma) * q -
              static_cast<T>(scalars->epsilon_over_gamma) * load(vectors.p, at));
  }
};

struct TakeLocal {
  LanczosScalars* scalars = nullptr;
  TESSERA_HOST_DEVICE void operator()(std::int64_t, Sums<1> const& sums) const {
    scalars->local = sums.of[0];
  }
};
/// Computes the density's mean in each pore space. M produces none; what rounding adds grows unless
/// it is removed.
struct TakeMeans {
  std::int64_t const* nodes = nullptr;
  double* mean = nullptr;
  TESSERA_HOST_DEVICE void operator()(std::int64_t part, Sums<1> const& sums) const {
    mean[part] = sums.of[0] / static_cast<double>(nodes[part]);
  }
};

/// The last smoothing of the cycle writes H v.
template <class T, class Medium>
struct FinishPreconditioner {
  FineMatrix<T, Medium> fine;
  Factors factors;
  Vectors<T> vectors;
  std::int32_t const* parent = nullptr;

  static constexpr bool in_groups = std::is_same_v<T, float>;
  template <class At>
  TESSERA_HOST_DEVICE SumsAt<1, At> operator()(At at) const {
    using Value = ValueAt<T, At>;
    auto const hole = load(parent, at) < 0;  // stays 0 whatever the mean is
    Four<Value> own{};
    Four<Value> const r = fine.residual(at, own);
    Four<Value> const x = own + Equation::smoothed(r, load(fine.diagonal, at));
    Four<Value> b = load(fine.b, at);
    b.s -= static_cast<T>(fine.mean[fine.chunk_part[chunk_of(at)]]);
    b.s = chosen(hole, Value{}, b.s);
    store(vectors.w, value_index(0, at), b.s);
    auto const h = static_cast<T>(factors.local);
    auto const fluidity = static_cast<T>(1 / viscosity);
    Value const s = chosen(hole, Value{}, static_cast<T>(factors.density) * (b.s + x.s));
    Four<Value> const m = fluidity * x;
    store(vectors.f, at, Four<Value>{s, m.x - h * b.x, m.y - h * b.y, m.z - h * b.z});
    return {{in_double(b.s) * in_double(s) +
             (in_double(b.x) * in_double(m.x) + in_double(b.y) * in_double(m.y) +
              in_double(b.z) * in_double(m.z))}};
  }
};

/// beta, and the rotation that takes it away.
struct TakeBeta {
  LanczosScalars* scalars = nullptr;
  Lanczos what = Lanczos::step;
  TESSERA_HOST_DEVICE void operator()(std::int64_t, Sums<1> const& sums) const {
    LanczosScalars& l = *scalars;
    double const square = sums.of[0] + l.local;
    if (!(square >= 0)) l.broken = 1;
    double const beta = square > 0 ? std::sqrt(square) : 0.0;
    if (what == Lanczos::begin) {
      l.step = 0;
      l.inverse_beta = beta > 0 ? 1 / beta : 0.0;
      l.beta_ratio = 0;
      l.beta[0] = l.phi_bar = beta;
      l.c = l.c_before = 1;
      l.s = l.s_before = 0;
      l.gamma = l.gamma_before = l.phi = 0;
      return;
    }
    int const j = l.step;
    l.beta[j + 1] = beta;
    double const gamma = std::sqrt(l.gamma_bar * l.gamma_bar + beta * beta);
    l.gamma_before = l.gamma;
    l.gamma = gamma;
    l.c_before = l.c;
    l.s_before = l.s;
    l.c = gamma > 0 ? l.gamma_bar / gamma : 1.0;
    l.s = gamma > 0 ? beta / gamma : 0.0;
    l.phi = l.c * l.phi_bar;
    l.phi_bar = -l.s * l.phi_bar;
    l.inverse_beta = beta > 0 ? 1 / beta : 0.0;
    l.beta_ratio = l.beta[j] > 0 ? beta / l.beta[j] : 0.0;
    l.step = j + 1;
  }
};

}  // namespace tessera::steady::stokes

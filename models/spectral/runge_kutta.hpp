// SPDX-License-Identifier: MIT
// Runge-Kutta schemes of two registers, as stages that a kernel takes one after the other.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "base/host_device.hpp"

namespace tessera::spectral {

enum class Integrator : std::uint8_t {
  carpenter_kennedy,  ///< 5 stages, order 4 (NASA TM-109112, 1994)
  bogey_bailly,       ///< 6 stages, little dispersion (J. Comput. Phys. 194 (2004) 194)
  jameson,            ///< 4 stages, alpha = 1/4, 1/3, 1/2, 1
  ssp3,               ///< 3 stages, order 3 (Shu and Osher, J. Comput. Phys. 77 (1988) 439)
};
inline constexpr int integrators = 4;

/// A stage. u: the state, R: its rate, dt: the time step.
///   from_start: u = a u0 + b u + c dt R, where u0 is the state at the beginning of the step;
///   low_storage (2N): k = a k + dt R, u = u + c k. The kept value, u0 or k, is written by the
/// first stage of a step; u0 is not changed afterwards, k in every stage.
struct Stage {
  bool low_storage = false;
  bool first = false;
  double a = 0;
  double b = 0;
  double c = 0;
};

namespace detail {
inline constexpr std::array carpenter_kennedy_stages{
    Stage{true, true, 0, 0, 1432997174477.0 / 9575080441755.0},
    Stage{true, false, -567301805773.0 / 1357537059087.0, 0, 5161836677717.0 / 13612068292357.0},
    Stage{true, false, -2404267990393.0 / 2016746695238.0, 0, 1720146321549.0 / 2090206949498.0},
    Stage{true, false, -3550918686646.0 / 2091501179385.0, 0, 3134564353537.0 / 4481467310338.0},
    Stage{true, false, -1275806237668.0 / 842570457699.0, 0, 2277821191437.0 / 14882151754819.0}};
inline constexpr std::array bogey_bailly_stages{Stage{false, true, 1, 0, 0.117979901657},
                                                Stage{false, false, 1, 0, 0.184646966491},
                                                Stage{false, false, 1, 0, 0.246623604310},
                                                Stage{false, false, 1, 0, 0.331839542736},
                                                Stage{false, false, 1, 0, 0.5},
                                                Stage{false, false, 1, 0, 1}};
inline constexpr std::array jameson_stages{
    Stage{false, true, 1, 0, 1.0 / 4}, Stage{false, false, 1, 0, 1.0 / 3},
    Stage{false, false, 1, 0, 1.0 / 2}, Stage{false, false, 1, 0, 1}};
inline constexpr std::array ssp3_stages{Stage{false, true, 1, 0, 1},
                                        Stage{false, false, 3.0 / 4, 1.0 / 4, 1.0 / 4},
                                        Stage{false, false, 1.0 / 3, 2.0 / 3, 2.0 / 3}};
}  // namespace detail

constexpr std::span<Stage const> stages_of(Integrator integrator) {
  switch (integrator) {
    case Integrator::bogey_bailly:
      return detail::bogey_bailly_stages;
    case Integrator::jameson:
      return detail::jameson_stages;
    case Integrator::ssp3:
      return detail::ssp3_stages;
    default:
      return detail::carpenter_kennedy_stages;
  }
}

/// A stage with its time step, in the kernel's precision.
template <class N>
struct StageFactors {
  bool low_storage;
  bool first;
  N a, b, c;  ///< dt is in c, or in `step` of a low-storage scheme
  N step;
};
template <class N>
TESSERA_HOST_DEVICE StageFactors<N> factors_of(Stage const& stage, double dt) {
  return {stage.low_storage,
          stage.first,
          static_cast<N>(stage.a),
          static_cast<N>(stage.b),
          static_cast<N>(stage.low_storage ? stage.c : stage.c * dt),
          static_cast<N>(dt)};
}

/// Advances a value, and what is kept of it, by a stage. A first stage does not read `kept`.
template <class Real, class N>
TESSERA_HOST_DEVICE void take_stage(StageFactors<N> const& stage, Real rate, Real& value,
                                    Real& kept) {
  if (stage.low_storage) {
    kept = stage.first ? stage.step * rate : stage.a * kept + stage.step * rate;
    value = value + stage.c * kept;
  } else if (stage.first) {
    kept = value;
    value = value + stage.c * rate;
  } else {
    value = stage.a * kept + stage.b * value + stage.c * rate;
  }
}

}  // namespace tessera::spectral

// SPDX-License-Identifier: MIT
// The weights of a velocity set in the precision that nodes compute in.
//
// Each rounded by itself, the weights of D3Q19 in single precision sum to 1 + 1.5e-8. A collision
// then makes omega 1.5e-8 (rho - 1) of mass in every step, in all nodes of a still chamber alike:
// behind a narrow throat that is more than what flows (docs/method.md, "Precision"). So the weights
// are rounded together, such that they sum to 1.
#pragma once

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>

#include "lattice/velocity_sets.hpp"

namespace tessera {

/// By |c_q|^2.
using WeightsBySpeed = std::array<float, 4>;

/// |c_q|^2
template <VelocitySet Lattice>
constexpr std::size_t squared_speed(int q) {
  int const x = Lattice::x(q), y = Lattice::y(q), z = Lattice::z(q);
  return static_cast<std::size_t>(x * x + y * y + z * z);
}

/// The weights with the fewest last digits changed whose sum is 1; of these, those whose second
/// moment is nearest to the exact one.
template <VelocitySet Lattice>
constexpr WeightsBySpeed weights_that_sum_to_one() {
  std::array<double, 4> exact{};
  std::array<int, 4> count{};
  for (int q = 0; q < Lattice::size; ++q) {
    exact[squared_speed<Lattice>(q)] = Lattice::weight(q);
    ++count[squared_speed<Lattice>(q)];
  }
  constexpr int most = 2;  // last digits
  WeightsBySpeed best{};
  int fewest = 4 * most + 1;
  double nearest = 0;
  for (int a = -most; a <= most; ++a) {
    for (int b = -most; b <= most; ++b) {
      for (int c = -most; c <= most; ++c) {
        for (int d = -most; d <= most; ++d) {
          int const changes[] = {a, b, c, d};
          WeightsBySpeed weights{};
          int changed = 0;
          double sum = 0;     // exact: few numbers of 24 bits
          double moment = 0;  // times 3, less the exact one
          for (std::size_t s = 0; s < 4; ++s) {
            if (count[s] == 0) continue;
            auto const bits = std::bit_cast<std::int32_t>(static_cast<float>(exact[s]));
            weights[s] = std::bit_cast<float>(bits + changes[s]);
            changed += changes[s] < 0 ? -changes[s] : changes[s];
            sum += count[s] * static_cast<double>(weights[s]);
            moment +=
                count[s] * static_cast<double>(s) * (static_cast<double>(weights[s]) - exact[s]);
          }
          if (moment < 0) moment = -moment;
          if (sum != 1 || changed > fewest || (changed == fewest && moment >= nearest)) continue;
          best = weights;
          fewest = changed;
          nearest = moment;
        }
      }
    }
  }
  return best;
}

/// The weight w_q. Scalar: float or double, whose own rounding is of no account.
template <VelocitySet Lattice, std::floating_point Scalar>
TESSERA_HOST_DEVICE constexpr Scalar rounded_weight(int q) {
  if constexpr (std::same_as<Scalar, float>) {
    constexpr WeightsBySpeed weights = weights_that_sum_to_one<Lattice>();
    return weights[squared_speed<Lattice>(q)];
  } else {
    return static_cast<Scalar>(Lattice::weight(q));
  }
}

}  // namespace tessera

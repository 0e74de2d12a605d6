// SPDX-License-Identifier: MIT
// A velocity set chosen while the program runs.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

#include "lattice/velocity_sets.hpp"

namespace tessera {

enum class LatticeKind : std::uint8_t { d2q9, d3q13, d3q15, d3q19, d3q27 };
inline constexpr int lattice_kinds = 5;
inline constexpr int most_velocities = 27;

template <VelocitySet Lattice>
inline constexpr LatticeKind kind_of = Lattice::size == 9    ? LatticeKind::d2q9
                                       : Lattice::size == 13 ? LatticeKind::d3q13
                                       : Lattice::size == 15 ? LatticeKind::d3q15
                                       : Lattice::size == 19 ? LatticeKind::d3q19
                                                             : LatticeKind::d3q27;

/// Calls work.template operator()<Lattice>() with the velocity set.
template <class Work>
constexpr decltype(auto) with_lattice(LatticeKind kind, Work&& work) {
  switch (kind) {
    case LatticeKind::d2q9:
      return std::forward<Work>(work).template operator()<D2Q9>();
    case LatticeKind::d3q13:
      return std::forward<Work>(work).template operator()<D3Q13>();
    case LatticeKind::d3q15:
      return std::forward<Work>(work).template operator()<D3Q15>();
    case LatticeKind::d3q27:
      return std::forward<Work>(work).template operator()<D3Q27>();
    case LatticeKind::d3q19:
      break;
  }
  return std::forward<Work>(work).template operator()<D3Q19>();
}

/// What a set is made of, as numbers.
struct Velocities {
  std::string_view name;
  int size = 0;
  int dimensions = 0;
  double sound_speed_squared = 0;
  double viscosity_factor = 0;  ///< kinematic viscosity over (tau - 1/2)
  std::array<std::array<int, 3>, most_velocities> c{};
  std::array<double, most_velocities> weight{};

  /// The velocity -c_q.
  static constexpr int opposite(int q) { return q == 0 ? 0 : (q % 2 == 1 ? q + 1 : q - 1); }
};

constexpr Velocities velocities_of(LatticeKind kind) {
  return with_lattice(kind, [&]<class Lattice>() {
    Velocities v{.name = Lattice::name,
                 .size = Lattice::size,
                 .dimensions = Lattice::dimensions,
                 .sound_speed_squared = Lattice::sound_speed_squared,
                 .viscosity_factor = Lattice::isotropic ? Lattice::sound_speed_squared
                                                        : viscosity_factor<Lattice>()};
    for (int q = 0; q < Lattice::size; ++q) {
      auto const i = static_cast<std::size_t>(q);
      v.c[i] = {Lattice::x(q), Lattice::y(q), Lattice::z(q)};
      v.weight[i] = Lattice::weight(q);
    }
    return v;
  });
}

}  // namespace tessera

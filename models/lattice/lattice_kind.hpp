// SPDX-License-Identifier: MIT
// A velocity set chosen while the program runs.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

#include "models/lattice/velocity_sets.hpp"

namespace tessera {

enum class LatticeKind : std::uint8_t {
#define TESSERA_KIND(Lattice, kind, ...) kind,
  TESSERA_VELOCITY_SETS(TESSERA_KIND)
#undef TESSERA_KIND
};

#define TESSERA_ONE(...) +1  // NOLINT(bugprone-macro-parentheses)
inline constexpr int lattice_kinds = 0 TESSERA_VELOCITY_SETS(TESSERA_ONE);
#undef TESSERA_ONE

template <VelocitySet Lattice>
struct KindOf;
#define TESSERA_KIND_OF(Lattice, kind, ...)                 \
  template <>                                               \
  struct KindOf<Lattice> {                                  \
    static constexpr LatticeKind value = LatticeKind::kind; \
  };
TESSERA_VELOCITY_SETS(TESSERA_KIND_OF)
#undef TESSERA_KIND_OF
template <VelocitySet Lattice>
inline constexpr LatticeKind kind_of = KindOf<Lattice>::value;

/// Calls work.template operator()<Lattice>() with the velocity set.
template <class Work>
constexpr decltype(auto) with_lattice(LatticeKind kind, Work&& work) {
  switch (kind) {
#define TESSERA_CASE(Lattice, kind, ...) \
  case LatticeKind::kind:                \
    return std::forward<Work>(work).template operator()<Lattice>();
    TESSERA_VELOCITY_SETS(TESSERA_CASE)
#undef TESSERA_CASE
  }
  return std::forward<Work>(work).template operator()<D3Q19>();
}

/// The size of the largest set.
inline constexpr int most_velocities = [] {
  int most = 0;
#define TESSERA_SIZE(Lattice, ...) most = Lattice::size > most ? Lattice::size : most;
  TESSERA_VELOCITY_SETS(TESSERA_SIZE)
#undef TESSERA_SIZE
  return most;
}();

/// Velocities and weights of a set, as numbers.
struct Velocities {
  std::string_view name;
  int size = 0;
  int dimensions = 0;
  bool isotropic = true;
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
                 .isotropic = Lattice::isotropic,
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

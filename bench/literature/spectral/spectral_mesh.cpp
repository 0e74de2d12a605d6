// SPDX-License-Identifier: MIT
#include "bench/literature/spectral/spectral_mesh.hpp"

#include <algorithm>
#include <cmath>

#include "base/errors.hpp"
#include "models/spectral/box_mesh.hpp"

namespace tessera {
namespace {

spectral::MeshOfGas gas_on(spectral::BoxMesh const& box) {
  spectral::MeshOfGas of{.mesh = make_mesh(box), .packs = {}, .boundaries = {}, .gas = {}};
  of.packs = make_packs(of.mesh);
  return of;
}

spectral::BoxMesh box(int dimension, std::int32_t const (&cells)[3], DegreeAt const& degree) {
  return {.dimension = dimension,
          .cells = {cells[0], cells[1], cells[2]},
          .size = {static_cast<double>(cells[0]), static_cast<double>(cells[1]),
                   static_cast<double>(cells[2])},
          .degree = degree};
}

}  // namespace

DegreeAt uniform_degree(int degree) {
  return [degree](spectral::Point const&) { return degree; };
}

DegreeAt degrees_in_turn(int even, int odd) {
  return [even, odd](spectral::Point const& at) {
    double const sum = std::floor(at[0]) + std::floor(at[1]) + std::floor(at[2]);
    return std::lround(sum) % 2 == 0 ? even : odd;
  };
}

DegreeAt degrees_in_cubes(int around, int inside, int width) {
  return [=](spectral::Point const& at) {
    bool const is_inside = std::ranges::all_of(
        at, [&](double x) { return static_cast<int>(std::floor(x)) / width % 2 == 1; });
    return is_inside ? inside : around;
  };
}

spectral::MeshOfGas box_of_gas(int dimension, std::int32_t const (&cells)[3],
                               DegreeAt const& degree) {
  return gas_on(box(dimension, cells, degree));
}

spectral::MeshOfGas cube_of_gas(std::int32_t edge, DegreeAt const& degree) {
  return gas_on(box(3, {edge, edge, edge}, degree));
}

spectral::MeshOfGas curved_cube_of_gas(std::int32_t edge, DegreeAt const& degree) {
  spectral::BoxMesh bent = box(3, {edge, edge, edge}, degree);
  bent.map_degree = 2;
  bent.bend = [edge](spectral::Point const& at) {
    double const k = 2 * std::acos(-1.0) / edge;
    double const wave = 0.02 * edge;
    return spectral::Point{at[0] + wave * std::sin(k * at[1]) * std::sin(k * at[2]),
                           at[1] + wave * std::sin(k * at[2]) * std::sin(k * at[0]),
                           at[2] + wave * std::sin(k * at[0]) * std::sin(k * at[1])};
  };
  return gas_on(bent);
}

spectral::Numbers numbers_of(std::string const& precision) {
  if (precision == "double") return spectral::Numbers::float64;
  if (precision == "single") return spectral::Numbers::float32;
  throw BadInput("--precision " + precision + ": expected single or double");
}

}  // namespace tessera

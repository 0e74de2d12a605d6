// SPDX-License-Identifier: MIT
// Periodic boxes of cells of width 1 for `tessera bench spectral`.
#pragma once

#include <functional>
#include <string>

#include "codelets/spectral/numbers.hpp"
#include "partition/spectral/tiles.hpp"

namespace tessera {

using DegreeAt = std::function<int(spectral::Point const& middle)>;

DegreeAt uniform_degree(int degree);
/// Two degrees in turn along all axes.
DegreeAt degrees_in_turn(int even, int odd);
/// Cubes of so many elements along each axis, as far apart as they are wide: an eighth of the box.
DegreeAt degrees_in_cubes(int around, int inside, int width);

spectral::MeshOfGas box_of_gas(int dimension, std::int32_t const (&cells)[3],
                               DegreeAt const& degree);
spectral::MeshOfGas cube_of_gas(std::int32_t edge, DegreeAt const& degree);
/// By maps of degree 2.
spectral::MeshOfGas curved_cube_of_gas(std::int32_t edge, DegreeAt const& degree);

/// "double" or "single"; throws BadInput.
spectral::Numbers numbers_of(std::string const& precision);

}  // namespace tessera

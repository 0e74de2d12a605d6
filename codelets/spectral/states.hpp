// SPDX-License-Identifier: MIT
// States of packs from functions of the place, and out of packs, on cores.
#pragma once

#include <functional>
#include <vector>

#include "partition/spectral/tiles.hpp"

namespace tessera::spectral {

/// Sets the state of a pack, as packs.hpp has it, at its solution points.
template <class N>
void set_state(MeshOfGas const& of, std::int32_t pack,
               std::function<Primitive<double>(Point const&)> const& at, N* state);

/// The state of one of the elements of a pack, x fastest.
template <class N>
std::vector<State<double>> lane_of(PackShape shape, N const* state, std::int32_t lane);

}  // namespace tessera::spectral

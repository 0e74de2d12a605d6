// SPDX-License-Identifier: MIT
// The state of a gas at a place.
#pragma once

#include <array>
#include <cstddef>
#include <optional>

#include "case/spectral/gas_state.hpp"

namespace tessera {

/// An element, and where a place is in it: xi from 0 to 1 along each axis.
struct PlaceInMesh {
  std::size_t element = 0;
  std::array<double, 3> xi{};
};

/// The element and the place in it; none if the place lies in no element.
std::optional<PlaceInMesh> find_place(spectral::Mesh const& mesh, spectral::Point const& at);

spectral::State<double> state_at(GasState const& state, PlaceInMesh const& place);

}  // namespace tessera

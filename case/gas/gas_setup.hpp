// SPDX-License-Identifier: MIT
// From what the file of a gas says to what is computed.
#pragma once

#include <functional>

#include "case/file/gas_case.hpp"
#include "elements/stage_data.hpp"
#include "spectral/tiles.hpp"

namespace tessera {

struct GasSetup {
  spectral::MeshOfGas of;
  spectral::GasParameters parameters;
  std::function<spectral::Primitive<double>(spectral::Point const&)> initial;
};

/// Makes the mesh, or reads it. Throws BadInput for degrees that are none, for sides without a
/// condition and conditions without a side; the functions in it throw it for states that no gas can
/// be in. The case must outlive it.
GasSetup set_up(GasCase const& c);

}  // namespace tessera

// SPDX-License-Identifier: MIT
// From what the file of a gas says to what is computed.
#pragma once

#include <functional>

#include "case/file/gas_case.hpp"
#include "codelets/spectral/measure.hpp"
#include "codelets/spectral/stage_data.hpp"
#include "partition/spectral/tiles.hpp"

namespace tessera {

struct GasSetup {
  spectral::MeshOfGas of;
  spectral::GasParameters parameters;
  /// As the formulas say; each copy serves one thread. Nothing is checked.
  std::function<spectral::Primitive<double>(spectral::Point const&)> initial;
  spectral::ExactFlow exact;  ///< likewise; empty if the case has none
};

/// Makes the mesh, or reads it. Throws BadInput for degrees that are none, for sides without a
/// condition and conditions without a side; the conditions throw it for states that no gas can be
/// in.
GasSetup set_up(GasCase const& c);

/// Throws BadInput, with the place, if the initial state is none that a gas can be in.
void check_initial_state(GasCase const& c, GasSetup const& setup);

}  // namespace tessera

// SPDX-License-Identifier: MIT
// The set-up of a gas from its case.
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
  /// The initial state by the case's formulas; each copy serves one thread. Nothing is checked.
  std::function<spectral::Primitive<double>(spectral::Point const&)> initial;
  spectral::ExactFlow exact;  ///< each copy serves one thread; empty if the case has none
};

/// Makes the mesh, or reads it. Throws BadInput for invalid degrees, for sides without a condition
/// and conditions without a side; the conditions throw it for impossible states.
GasSetup set_up(GasCase const& c);

/// Throws BadInput, with the place, if the initial state is impossible for a gas.
void check_initial_state(GasCase const& c, GasSetup const& setup);

}  // namespace tessera

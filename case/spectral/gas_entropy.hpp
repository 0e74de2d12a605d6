// SPDX-License-Identifier: MIT
// Entropy as a measure of error: a gas without shocks that begins with one entropy keeps it.
#pragma once

#include "case/spectral/gas_state.hpp"

namespace tessera {

/// The mean over the mesh of p / density^gamma.
double mean_entropy(GasState const& state);

/// Root of the mean square of p / density^gamma over `reference`, less 1.
double entropy_error(GasState const& state, double reference);

}  // namespace tessera

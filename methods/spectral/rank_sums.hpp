// SPDX-License-Identifier: MIT
#pragma once

#include "codelets/spectral/measure.hpp"

namespace tessera::spectral {

/// All ranks: adds up the measurements of all ranks' tiles; no bit depends on which rank has which
/// tile.
void add_up_over_ranks(GasSums& measured);

}  // namespace tessera::spectral

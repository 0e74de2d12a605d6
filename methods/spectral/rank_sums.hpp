// SPDX-License-Identifier: MIT
#pragma once

#include "codelets/spectral/measure.hpp"

namespace tessera::spectral {

/// All ranks: what each has measured of its tiles becomes what all have; no bit of it shows who had
/// which.
void add_up_over_ranks(GasSums& measured);

}  // namespace tessera::spectral

// SPDX-License-Identifier: MIT
// [insitu] of a gas: the scripts that look at its flow, and the scene that they get.
#pragma once

#include "case/file/gas_case.hpp"
#include "case/spectral/gas_setup.hpp"
#include "run/insitu/in_situ_options.hpp"
#include "run/scene.hpp"

namespace tessera {

/// Reads the scripts. Throws BadInput, one line, for a script that does not exist, and for the
/// scripts that come with Tessera: they need voxels.
InSituOptions in_situ_options(GasCase const& c);

/// The scene of a gas. The set-up must outlive it. Needs a GasFlow.
CellScene scene_of(GasCase const& c, GasSetup const& setup);

}  // namespace tessera

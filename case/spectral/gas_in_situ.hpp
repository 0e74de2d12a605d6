// SPDX-License-Identifier: MIT
// [insitu] of a gas: what scripts are asked to look at, and what they see.
#pragma once

#include "case/file/gas_case.hpp"
#include "case/spectral/gas_setup.hpp"
#include "run/in_situ.hpp"
#include "run/scene.hpp"

namespace tessera {

/// Reads the scripts. Throws BadInput, one line, for one that is not there, and for those that come
/// with Tessera: they look at voxels.
InSituOptions in_situ_options(GasCase const& c);

/// The set-up must outlive it. Needs a GasFlow.
Scene scene_of(GasCase const& c, GasSetup const& setup);

}  // namespace tessera

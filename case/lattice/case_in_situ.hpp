// SPDX-License-Identifier: MIT
// [insitu] of a case: the scripts that look at its flow, and the scene that they get.
#pragma once

#include "case/file/case.hpp"
#include "case/lattice/case_setup.hpp"
#include "run/insitu/in_situ_options.hpp"
#include "run/scene.hpp"

namespace tessera {

/// Reads the scripts. Throws BadInput, one line, for a script that does not exist or that has
/// nothing to look at.
InSituOptions in_situ_options(Case const& c);

/// The scene of a case. Case and set-up must outlive it.
VoxelScene scene_of(Case const& c, CaseSetup const& setup);

}  // namespace tessera

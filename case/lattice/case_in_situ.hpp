// SPDX-License-Identifier: MIT
// [insitu] of a case: what scripts are asked to look at its flow, and what they see.
#pragma once

#include "case/file/case.hpp"
#include "case/lattice/case_setup.hpp"
#include "run/in_situ.hpp"
#include "run/scene.hpp"

namespace tessera {

/// Reads the scripts. Throws BadInput, one line, for one that is not there or that has nothing to
/// look at.
InSituOptions in_situ_options(Case const& c);

/// Both must outlive it.
Scene scene_of(Case const& c, CaseSetup const& setup);

}  // namespace tessera
